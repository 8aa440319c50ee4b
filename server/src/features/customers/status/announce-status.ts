import type { Work } from '../../../infra/work.ts'
import { emit } from '../../../webhooks/emit.ts'
import type { Customer } from '../customer.ts'
import { maskedCustomerToWire } from '../wire.ts'

/**
 * Tells the platform that a customer has entered PENDING, APPROVED or REJECTED (VER-30). The other statuses are not
 * announced. Refuses nothing.
 */
export function announceStatus(
  work: Pick<Work, 'platform' | 'now' | 'outbox' | 'keyring'>,
  customer: Customer,
): void {
  const { status, customerType } = customer
  if (status === 'UNVERIFIED' || status === 'HOLD') return
  const check = customerType === 'INDIVIDUAL' ? 'KYC' : 'KYB'
  emit(work, `CUSTOMER.${check}_${status}`, maskedCustomerToWire(work.keyring, customer))
}
