import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { closeAccounts, lockAccountsOfOwner } from './store.ts'

/**
 * Locks the accounts of a customer that is to be deleted: a concurrent payment to or from one either blocks the
 * deletion or finds the customer deleted (CUST-62). Refuses nothing.
 */
export async function lockExternalAccountsOfCustomer(
  { tx, platform }: Work,
  { customerId }: InternalEvents['customers.deletionRequested'],
): Promise<void> {
  await lockAccountsOfOwner(tx, platform.id, customerId)
}

/**
 * Closes a deleted customer's accounts to every use. They keep their status and stay readable; only lists by that
 * customer's id show them (CUST-69).
 */
export async function closeExternalAccounts(
  { tx, platform }: Work,
  { customerId }: InternalEvents['customers.deleting'],
): Promise<void> {
  await closeAccounts(tx, platform.id, customerId)
}
