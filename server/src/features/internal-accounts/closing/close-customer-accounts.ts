import { fail } from '../../../kernel/errors.ts'
import { formatId, type Id } from '../../../kernel/ids.ts'
import { nextState } from '../../../kernel/machine.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { emit } from '../../../webhooks/emit.ts'
import { internalAccount } from '../record/machine.ts'
import { lockCustomerAccounts, saveClosed } from '../record/store.ts'
import { toWire } from '../record/wire.ts'

const hasMoney = ({ available, held }: { available: bigint; held: bigint }): boolean =>
  available + held !== 0n

/**
 * Locks a customer's accounts before the customer and any of its balances, in the same order as a payment, so that the
 * two cannot deadlock. Refuses nothing.
 */
export async function lockAccountsOfCustomer(
  { tx, platform }: Work,
  { customerId }: Readonly<{ customerId: Id<'customer'> }>,
): Promise<void> {
  await lockCustomerAccounts(tx, platform.id, customerId)
}

/** Money on a customer's accounts, held or not, prevents its deletion (CUST-62). */
export async function addBalanceObstacle(
  { tx, platform }: Work,
  { customerId, obstacles }: InternalEvents['customers.deletionChecked'],
): Promise<void> {
  const accounts = await lockCustomerAccounts(tx, platform.id, customerId)
  const accountIds = accounts.filter(hasMoney).map(({ id }) => formatId('internalAccount', id))
  if (accountIds.length > 0) obstacles.push({ reason: 'BALANCE', accountIds })
}

/** A customer cannot drop a currency in which it has money (CUST-56). Fails: CONFLICT, `details.currency` naming it. */
export async function refuseRemovalWithMoney(
  work: Work,
  { customerId, currencies }: InternalEvents['customers.currenciesRemoved'],
): Promise<void> {
  const accounts = await lockCustomerAccounts(work.tx, work.platform.id, customerId)
  const funded = accounts.find(
    (account) => currencies.includes(account.currency) && hasMoney(account),
  )
  if (funded) fail('CONFLICT', { currency: funded.currency })
}

/** Closes the accounts of a customer that is being deleted (CUST-63). Refuses nothing. */
export async function closeCustomerAccounts(
  work: Work,
  { customerId }: InternalEvents['customers.deleting'],
): Promise<void> {
  const { tx, platform, now } = work
  const accounts = await lockCustomerAccounts(tx, platform.id, customerId)
  const closed = accounts.flatMap((account) => {
    const status = nextState(internalAccount, account.status, 'customerDeleted')
    return status === undefined
      ? []
      : [{ ...account, status, isOwnerDeleted: true, updatedAt: now }]
  })
  await saveClosed(tx, platform.id, { customerId, ids: closed.map(({ id }) => id), at: now })
  for (const account of closed) {
    emit(work, 'INTERNAL_ACCOUNT.STATUS_UPDATED', toWire(account, account))
  }
}

/**
 * Closes an account that a deleted customer gets for a refund only (TXN-8), without an event: the account is in no list
 * (IACC-6).
 */
export async function closeRefundAccount(
  { tx, platform, now }: Work,
  { customerId, id }: Readonly<{ customerId: Id<'customer'>; id: Id<'internalAccount'> }>,
): Promise<void> {
  await saveClosed(tx, platform.id, { customerId, ids: [id], at: now })
}
