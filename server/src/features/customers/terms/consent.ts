import { parseWireTime, toWireTime } from '../../../kernel/clock.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { EndUserTermsConsent } from './consent-schema.ts'
import type { Customer } from '../customer.ts'
import { insertConsent } from './store.ts'

/** A consent as stored and shown: its known fields, with the time in UTC. */
export function consentOf(given: EndUserTermsConsent): EndUserTermsConsent {
  const { ipAddress, termsVersion, acceptanceMethod } = given
  const acceptedAt = parseWireTime(given.acceptedAt)
  invariant(acceptedAt, 'the time of a valid consent can be read')
  return { acceptedAt: toWireTime(acceptedAt), ipAddress, termsVersion, acceptanceMethod }
}

/** Records every consent, also one that is replaced later (CUST-33). */
export function recordConsent(work: Work, { id, consent }: Customer): void {
  if (consent)
    insertConsent(work.tx, work.platform.id, {
      customerId: id,
      consent,
      at: work.now,
      requestId: work.requestId,
    })
}
