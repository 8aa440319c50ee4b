import { formatId } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { completeEntries } from './complete-entries.ts'
import { decideOwnerReview, type Decision } from '../owner-review/decide-owner-review.ts'
import { isOwnerReview, lockReview, type Review } from './lock-review.ts'
import { moveCustomer } from '../status/move-customer.ts'
import { moveVerification } from '../status/move-verification.ts'
import { openOwnerReview } from '../owner-review/review-owners.ts'
import { entryOf, readPacket } from '../submission/packet.ts'
import { recordDecision } from './record-decision.ts'
import type { ErrorEntry } from '../verification.ts'

/**
 * Approves or rejects, as the operator decides, a verification under review, a pending customer without one, or a
 * customer on hold. The decision is final. On a business it covers the owners in its snapshot; others are reviewed next
 * (KYB-12).
 * Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND, INVALID_INPUT, INVALID_STATE_TRANSITION.
 */
export async function decideReview(work: Work, id: string, decision: Decision): Promise<Review> {
  const { outcome, errors: given = [], note, owners } = decision
  const review = await lockReview(work, id)
  if (isOwnerReview(review)) return decideOwnerReview(work, review, decision)
  const errors = outcome === 'REJECTED' ? await reasonsOf(work, review, given) : []
  const decided = await conclude(work, review, { outcome, errors, owners })
  await openOwnerReview(work, decided.customer)
  recordDecision(work, review, { action: outcome === 'APPROVED' ? 'approve' : 'reject', note })
  return decided
}

async function reasonsOf(
  work: Work,
  { customer }: Review,
  given: readonly unknown[],
): Promise<readonly ErrorEntry[]> {
  if (given.length > 0) {
    return completeEntries(await readPacket(work, customer), given, { isRejection: true })
  }
  const resourceId = formatId('customer', customer.id)
  return [entryOf({ resourceId, type: 'APPLICANT_REJECTED' })]
}

type Conclusion = Pick<Decision, 'outcome'> &
  Readonly<{ errors: readonly ErrorEntry[]; owners: Decision['owners'] | undefined }>

async function conclude(
  work: Work,
  { customer, verification }: Review,
  { outcome, errors, owners }: Conclusion,
): Promise<Review> {
  const isClosed = customer.status === 'HOLD' && verification?.status === 'RESOLVE_ERRORS'
  const events = {
    APPROVED: isClosed ? 'closeAsApproved' : 'approve',
    REJECTED: isClosed ? 'closeAsRejected' : 'reject',
  } as const
  const moved =
    verification &&
    moveVerification(work, verification, {
      event: events[outcome],
      errors,
      reviewerEntries: [],
    })
  const event = outcome === 'APPROVED' ? 'approve' : 'reject'
  return { customer: await moveCustomer(work, customer, event, { owners }), verification: moved }
}
