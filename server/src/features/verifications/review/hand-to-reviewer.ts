import { formatId, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { escalateReview } from './escalate-review.ts'
import { holdCustomer } from './hold-customer.ts'
import { lockReviewOf } from './lock-review.ts'

/**
 * Leaves a live customer to a person, for what a provider found: what is under review is decided by hand, an approved
 * customer is on hold, and after an alert a pending one as well (PROV-96, PROV-100). Refuses nothing.
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
