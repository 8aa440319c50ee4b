import { fail } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { isOwnerReview, lockReviewOf, type OwnerReview, type Review } from './lock-review.ts'
import type { VerificationEvent } from '../status/machine.ts'
import { moveCustomer } from '../status/move-customer.ts'
import { moveVerification } from '../status/move-verification.ts'
import {
  evaluateOwnerReview,
  isBusinessField,
  openOwnerReview,
} from '../owner-review/review-owners.ts'
import { recordDecision } from './record-decision.ts'
import { findHold } from '../store.ts'
import type { Verification } from '../verification.ts'

/** The event of an open verification when a hold ends (VER-23); undefined does not move it. */
const EVENTS: Readonly<
  Record<
    'APPROVED' | 'PENDING',
    Readonly<Partial<Record<Verification['status'], VerificationEvent>>>
  >
> = {
  APPROVED: {
    RESOLVE_ERRORS: 'closeAsApproved',
    IN_PROGRESS: 'approve',
    PENDING_MANUAL_REVIEW: 'approve',
  },
  PENDING: { RESOLVE_ERRORS: 'resume', IN_PROGRESS: 'escalate' },
}

/**
 * Ends a hold and restores the customer's former status.
 * Fails: USER_NOT_FOUND, INVALID_STATE_TRANSITION.
 */
export async function releaseCustomer(
  work: Work,
  customerId: Id<'customer'>,
  { note }: Readonly<{ note?: string | undefined }> = {},
): Promise<Review> {
  const { tx, platform } = work
  const review = await lockReviewOf(work, customerId)
  const { customer, verification } = review
  const hold = await findHold(tx, platform.id, customerId)
  if (!hold) fail('INVALID_STATE_TRANSITION', { from: customer.status })
  const to = hold.statusBefore === 'APPROVED' ? 'APPROVED' : 'PENDING'
  const released = to === 'APPROVED' ? 'releaseAsApproved' : 'releaseAsPending'
  recordDecision(work, review, { action: 'release', note })
  if (isOwnerReview(review)) return releaseWithOwnerReview(work, review, released)
  const event = verification && EVENTS[to][verification.status]
  const moved =
    verification && event
      ? moveVerification(work, verification, { event, errors: [], reviewerEntries: [] })
      : verification
  const after = await moveCustomer(work, customer, released)
  await openOwnerReview(work, after)
  return { customer: after, verification: moved }
}

/** An owner review stays open, without the entries of the hold on fields of the business (VER-23). */
async function releaseWithOwnerReview(
  work: Work,
  { customer, verification }: OwnerReview,
  event: 'releaseAsApproved' | 'releaseAsPending',
): Promise<Review> {
  const after = await moveCustomer(work, customer, event)
  const reviewerEntries = verification.reviewerEntries.filter(
    ({ entry }) => !isBusinessField(customer, entry),
  )
  const open = { ...verification, reviewerEntries }
  return { customer: after, verification: await evaluateOwnerReview(work, after, open) }
}
