import type { Static } from 'typebox'
import { Type } from '../../../infra/http/schema/type.ts'
import { named, object, oneOf, text, timestamp } from '../../../infra/http/schema/wire-schema.ts'

export const EndUserTermsConsentSchema = object('EndUserTermsConsent', {
  acceptedAt: timestamp('At most five minutes ahead of the platform’s clock.'),
  ipAddress: Type.String({ maxLength: 45, description: 'IPv4 or IPv6, from where it came.' }),
  termsVersion: text(64, 'Any version ever published.'),
  acceptanceMethod: named('EndUserTermsAcceptanceMethod', oneOf(['CHECKBOX', 'CLICK_TO_ACCEPT'])),
})

export type EndUserTermsConsent = Static<typeof EndUserTermsConsentSchema>
