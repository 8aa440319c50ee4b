import { fail } from '../../kernel/errors.ts'
import { failNotFound, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import type { Customer } from './customer.ts'
import { listAsDeleted } from './listing-store.ts'
import { lockCustomerRow, markDeleted } from './store.ts'

/**
 * Deletes a customer for good; what happened with it stays readable. Whatever only it could use ends by reaction, in
 * the same transaction (CUST-63), and a reaction refuses while there is money left (CUST-62).
 * Fails: USER_NOT_FOUND, CUSTOMER_DELETED, CONFLICT.
 */
export async function deleteCustomer(work: Work, id: Id<'customer'>): Promise<Customer> {
  const { tx, platform, now } = work
  const before = (await lockCustomerRow(tx, platform.id, id)) ?? failNotFound('customer')
  if (before.isDeleted) fail('CUSTOMER_DELETED')
  await work.react('customers.deleting', { customerId: id })
  const customer: Customer = { ...before, isDeleted: true, updatedAt: now }
  markDeleted(tx, platform.id, customer)
  listAsDeleted(tx, platform.id, customer)
  return customer
}
