import { parseWireTime, toWireTime } from '../../../kernel/clock.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Work } from '../../../infra/work.ts'
import type { EndUserTermsConsent } from './consent-schema.ts'
import type { Customer } from '../customer.ts'
import { insertConsent } from './store.ts'

/** A consent as it is kept and shown: what was sent, its time in UTC, nothing else. */
export function consentOf(given: EndUserTermsConsent): EndUserTermsConsent {
  const { ipAddress, termsVersion, acceptanceMethod } = given
  const acceptedAt = parseWireTime(given.acceptedAt)
  invariant(acceptedAt, 'the time of a valid consent can be read')
  return { acceptedAt: toWireTime(acceptedAt), ipAddress, termsVersion, acceptanceMethod }
}

/** A consent that is replaced later stays on record (CUST-33). */
export function recordConsent(work: Work, { id, consent }: Customer): void {
  if (consent)
    insertConsent(work.tx, work.platform.id, {
      customerId: id,
      consent,
      at: work.now,
      requestId: work.requestId,
    })
}
