import { newUuid } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { decideOutsideOwners, type OwnerDecisions } from '../../beneficial-owners/index.ts'
import { completeEntries } from '../review/complete-entries.ts'
import { putOnHold } from '../review/hold-customer.ts'
import type { OwnerReview, Review } from '../review/lock-review.ts'
import { moveVerification } from '../status/move-verification.ts'
import { entryOf, outsideOwners, readPacket, type Packet } from '../submission/packet.ts'
import { recordDecision } from '../review/record-decision.ts'
import { takeSnapshot } from '../submission/snapshot.ts'
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
 * Applies the operator's decision on owners outside coverage (KYB-13). An approval does not change the business, a
 * rejection puts it on hold. Fails: INVALID_INPUT, INVALID_STATE_TRANSITION.
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
  // The snapshot stores the basis of the decision and locks its documents (DOC-12, VER-25).
  takeSnapshot(work, ownersOnly(packet), { id: snapshotId, verificationId: verification.id })
  const business = await decideOutsideOwners(work, customer, outcome)
  const mustHold = outcome === 'REJECTED' && business.status !== 'HOLD'
  const held = mustHold ? await putOnHold(work, business) : business
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
