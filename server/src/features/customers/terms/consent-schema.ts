import { Type, type Static } from '../../../infra/http/schema/type.ts'
import { named, object, oneOf, text, timestamp } from '../../../infra/http/schema/wire-schema.ts'

export const EndUserTermsConsentSchema = object('EndUserTermsConsent', {
  acceptedAt: timestamp(),
  ipAddress: Type.String({ maxLength: 45 }),
  termsVersion: text(64),
  acceptanceMethod: named('EndUserTermsAcceptanceMethod', oneOf(['CHECKBOX', 'CLICK_TO_ACCEPT'])),
})

export type EndUserTermsConsent = Static<typeof EndUserTermsConsentSchema>
