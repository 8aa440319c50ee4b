import { formatId, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { escalateReview } from './escalate-review.ts'
import { holdCustomer } from './hold-customer.ts'
import { lockReviewOf } from './lock-review.ts'

/**
 * Hands a live customer to an operator after a provider's finding: escalates its verification, and puts an approved
 * customer on hold, after an alert also a pending one (PROV-96, PROV-100). Refuses nothing.
 */
export async function handToReviewer(
  work: Work,
  customerId: Id<'customer'>,
  { isAlert }: Readonly<{ isAlert: boolean }>,
): Promise<void> {
  const { customer, verification } = await lockReviewOf(work, customerId)
  const isHeld = customer.status === 'APPROVED' || (isAlert && customer.status === 'PENDING')
  if (isHeld) await holdCustomer(work, customerId, {})
  if (verification?.status === 'IN_PROGRESS' && customer.status === 'PENDING' && !isHeld) {
    await escalateReview(work, formatId('verification', verification.id))
  }
}
