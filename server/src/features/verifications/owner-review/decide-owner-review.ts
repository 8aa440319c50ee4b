import { newUuid } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { decideOutsideOwners, type OwnerDecisions } from '../../beneficial-owners/index.ts'
import type { Customer } from '../../customers/index.ts'
import { completeEntries } from '../review/complete-entries.ts'
import type { OwnerReview, Review } from '../review/lock-review.ts'
import { moveCustomer } from '../status/move-customer.ts'
import { moveVerification } from '../status/move-verification.ts'
import { entryOf, outsideOwners, readPacket, type Packet } from '../submission/packet.ts'
import { recordDecision } from '../review/record-decision.ts'
import { takeSnapshot } from '../submission/snapshot.ts'
import { insertHold } from '../store.ts'
import type { ErrorEntry } from '../verification.ts'

export type Decision = Readonly<{
  outcome: 'APPROVED' | 'REJECTED'
  /** Reasons of a rejection; without them the entry is APPLICANT_REJECTED. */
  errors?: readonly unknown[]
  note?: string | undefined
  /** Owners in the packet that do not follow their business. */
  owners?: OwnerDecisions
}>

/**
 * The operator decides the owners outside coverage (KYB-13). An approval leaves the business as it is, a rejection puts
 * it on hold. Fails: INVALID_INPUT, INVALID_STATE_TRANSITION.
 */
export async function decideOwnerReview(
  work: Work,
  { customer, verification }: OwnerReview,
  { outcome, errors: given = [], note }: Decision,
): Promise<Review> {
  const packet = await readPacket(work, customer)
  const snapshotId = newUuid()
  const change = { reviewerEntries: [], snapshotId }
  const decided =
    outcome === 'APPROVED'
      ? moveVerification(work, verification, { event: 'approve', errors: [], ...change })
      : moveVerification(work, verification, {
          event: verification.status === 'RESOLVE_ERRORS' ? 'closeAsRejected' : 'reject',
          errors: reasonsOf(packet, given),
          ...change,
        })
  // The snapshot keeps what was decided on and locks its documents (DOC-12, VER-25).
  takeSnapshot(work, ownersOnly(packet), { id: snapshotId, verificationId: verification.id })
  const business = await decideOutsideOwners(work, customer, outcome)
  const held = outcome === 'REJECTED' ? await putOnHold(work, business) : business
  const action = outcome === 'APPROVED' ? 'approve' : 'reject'
  recordDecision(work, { customer, verification: decided }, { action, note })
  return { customer: held, verification: decided }
}

function reasonsOf(packet: Packet, given: readonly unknown[]): readonly ErrorEntry[] {
  if (given.length > 0) return completeEntries(packet, given, { isRejection: true })
  return outsideOwners(packet).map(({ id }) =>
    entryOf({ resourceId: id, type: 'APPLICANT_REJECTED' }),
  )
}

const ownersOnly = (packet: Packet): Packet => ({
  ...packet,
  applicant: { ...packet.applicant, documents: [] },
  owners: outsideOwners(packet),
})

async function putOnHold(work: Work, business: Customer): Promise<Customer> {
  if (business.status === 'HOLD') return business
  const { tx, platform, now } = work
  const held = await moveCustomer(work, business, 'hold')
  const { id: customerId, status: statusBefore } = business
  insertHold(tx, platform.id, { customerId, statusBefore, heldAt: now })
  return held
}
