import { fail, mustHaveNoErrors } from '../../../kernel/errors.ts'
import type { Work } from '../../../infra/work/work.ts'
import { completeEntries } from './complete-entries.ts'
import { isOwnerReview, lockReview, type Review } from './lock-review.ts'
import { moveCustomer } from '../status/move-customer.ts'
import { moveVerification } from '../status/move-verification.ts'
import { isBusinessField } from '../owner-review/review-owners.ts'
import { readPacket } from '../submission/packet.ts'
import { recordDecision } from './record-decision.ts'
import { toReviewerEntry } from './reviewer-entries.ts'
import type { ErrorEntry } from '../verification.ts'

/**
 * Returns a verification under review to the platform, with the errors to resolve (VER-21). The business of an owner
 * review keeps its status (KYB-13).
 * Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND, INVALID_INPUT, INVALID_STATE_TRANSITION.
 */
export async function returnReview(
  work: Work,
  id: string,
  { errors: given }: { errors: readonly unknown[] },
): Promise<Review> {
  const review = await lockReview(work, id)
  const { customer, verification } = review
  if (!verification) fail('INVALID_STATE_TRANSITION', { from: customer.status })
  if (given.length === 0) fail('INVALID_INPUT', { reason: 'ERRORS_REQUIRED' })
  const packet = await readPacket(work, customer)
  const errors = completeEntries(packet, given, { isRejection: false })
  if (isOwnerReview(review)) mustConcernOwners(review, errors)
  const moved = moveVerification(work, verification, {
    event: 'return',
    errors,
    reviewerEntries: errors.map((entry) => toReviewerEntry(work.keyring, packet, entry)),
  })
  recordDecision(work, review, { action: 'return', note: undefined })
  if (isOwnerReview(review)) return { customer, verification: moved }
  return { customer: await moveCustomer(work, customer, 'return'), verification: moved }
}

/** An owner review has no errors on fields of the business. Fails: INVALID_INPUT. */
function mustConcernOwners({ customer }: Review, errors: readonly ErrorEntry[]): void {
  const message = 'must be one of the owners, where an owner review is about a field'
  const wrong = errors.flatMap((entry, index) =>
    isBusinessField(customer, entry) ? [{ field: `errors.${index}.resourceId`, message }] : [],
  )
  mustHaveNoErrors(wrong)
}
