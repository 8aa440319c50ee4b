import type { InternalEvents } from '../../../infra/internal-events.ts'
import type { Work } from '../../../infra/work.ts'
import { closeAccounts, lockAccountsOfOwner } from './store.ts'

/**
 * Locks the accounts of a customer that is to be deleted: a payment to or from one is then either seen by what decides
 * on the deletion, or finds the customer deleted (CUST-62). Refuses nothing.
 */
export async function holdExternalAccounts(
  { tx, platform }: Work,
  { customerId }: InternalEvents['customers.deletionAsked'],
): Promise<void> {
  await lockAccountsOfOwner(tx, platform.id, customerId)
}

/**
 * Closes a deleted customer's accounts to every use. They keep their status and stay readable; lists show them only
 * where that customer is named (CUST-69).
 */
export async function closeExternalAccounts(
  { tx, platform }: Work,
  { customerId }: InternalEvents['customers.deleting'],
): Promise<void> {
  await closeAccounts(tx, platform.id, customerId)
}
