import { fail } from '../../../kernel/errors.ts'
import type { Work } from '../../../infra/work/work.ts'
import { lockReview, type Review } from './lock-review.ts'
import { moveVerification } from '../status/move-verification.ts'
import { recordDecision } from './record-decision.ts'

/**
 * Moves a verification in progress to manual review.
 * Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND, INVALID_STATE_TRANSITION.
 */
export async function escalateReview(work: Work, id: string): Promise<Review> {
  const review = await lockReview(work, id)
  const { customer, verification } = review
  if (!verification) fail('INVALID_STATE_TRANSITION', { from: customer.status })
  const moved = moveVerification(work, verification, { event: 'escalate' })
  recordDecision(work, review, { action: 'escalate', note: undefined })
  return { customer, verification: moved }
}
