import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { closeFlags } from './flags.ts'
import { lockReviewOf, type Review } from '../review/lock-review.ts'
import { recordDecision } from '../review/record-decision.ts'

/** Takes the providers' findings about a customer off the review list; nothing else changes. Fails: USER_NOT_FOUND. */
export async function dismissFlags(
  work: Work,
  customerId: Id<'customer'>,
  { note }: Readonly<{ note: string | undefined }>,
): Promise<Review> {
  const review = await lockReviewOf(work, customerId)
  await closeFlags(work, customerId, { note })
  recordDecision(work, review, { action: 'dismiss', note })
  return review
}
