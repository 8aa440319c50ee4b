import { failNotFound, parseId, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { lockCustomer, type BusinessCustomer, type Customer } from '../../customers/index.ts'
import { mustFindVerification } from '../find-verification.ts'
import { findOpenVerification } from '../store.ts'
import type { Verification } from '../verification.ts'

/** The subject of a decision: a customer, and its verification if there is one. */
export type Review = Readonly<{ customer: Customer; verification: Verification | undefined }>

/** A review of owners outside coverage; only a rejection changes the status of the business (KYB-13). */
export type OwnerReview = Readonly<{ customer: BusinessCustomer; verification: Verification }>

export const isOwnerReview = (review: Review): review is OwnerReview =>
  review.verification?.isOwnerReview === true && review.customer.customerType === 'BUSINESS'

/**
 * Finds the review of a `Verification:…` or `Customer:…` id and locks the customer, so that of two racing decisions the
 * second sees the first (VER-20).
 * Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND.
 */
export async function lockReview(work: Work, id: string): Promise<Review> {
  const verificationId = parseId('verification', id)
  if (verificationId) {
    const { customerId } = await mustFindVerification(work, verificationId)
    const customer = await lockCustomer(work, customerId)
    return { customer, verification: await mustFindVerification(work, verificationId) }
  }
  return lockReviewOf(work, parseId('customer', id) ?? failNotFound('verification'))
}

export async function lockReviewOf(work: Work, customerId: Id<'customer'>): Promise<Review> {
  const customer = await lockCustomer(work, customerId)
  const verification = await findOpenVerification(work.tx, work.platform.id, customerId)
  return { customer, verification }
}
