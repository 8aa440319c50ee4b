import type { JsonObject } from '../../../crypto/encoding/json-object.ts'
import { readScaRegistration, verifyScaPasskey } from '../../../crypto/passkey/sca-passkey.ts'
import type { Passkey } from '../../../crypto/passkey/verify-registration.ts'
import { failFields, type Refusal } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { announceChange } from '../notices/announce-change.ts'
import { findPendingEnrolment, refuseEnrolmentProof, refuseExpired } from './pending-enrolment.ts'
import { mustFindRelyingParty } from './relying-party.ts'
import { markReenrolled } from '../resets/store.ts'
import { lockScaCustomer, mustHaveFreshLogin } from '../customers/sca-customer.ts'
import { deleteEnrolment, insertPasskey } from '../customers/store.ts'

export type PasskeyConfirmation = Readonly<{
  customerId: Id<'customer'>
  credential: JsonObject
  origin: string
}>

/**
 * Enrols the passkey that was made for the pending challenge (SCA-16). A passkey that does not verify is counted
 * although it is refused: returned with INVALID_INPUT and its `reason`. A racing confirmation finds no pending enrolment.
 * Fails: USER_NOT_FOUND, CONFLICT, INVALID_INPUT (malformed registration), SCA_SESSION_REQUIRED.
 */
export async function confirmPasskey(
  work: Work,
  { customerId, credential, origin }: PasskeyConfirmation,
): Promise<Passkey | Refusal> {
  const { tx, platform } = work
  const sca = await lockScaCustomer(work, customerId)
  const relyingParty = await mustFindRelyingParty(work)
  const response = readScaRegistration(credential)
  if (!response) failFields([{ field: 'credential', message: 'must be a new credential as JSON' }])
  mustHaveFreshLogin(sca, work.now)
  const key = { customerId, factor: 'PASSKEY' } as const
  const pending = await findPendingEnrolment(work, key)
  if (!pending) return refuseExpired()
  const challenge = pending.secret
  const verdict = await verifyScaPasskey({ response, challenge, origin, relyingParty })
  if (!verdict.ok) return refuseEnrolmentProof(work, key, pending.enrolment)
  deleteEnrolment(tx, platform.id, key)
  insertPasskey(tx, platform.id, { customerId, passkey: verdict.passkey })
  markReenrolled(tx, platform.id, { ...key, at: work.now })
  announceChange(work, sca.customer, { change: 'ENROLLED', factor: 'PASSKEY' })
  return verdict.passkey
}
