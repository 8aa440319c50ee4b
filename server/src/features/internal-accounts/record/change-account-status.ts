import { failNotFound, type Id } from '../../../kernel/ids.ts'
import { advance, nextState } from '../../../kernel/machine.ts'
import type { Work } from '../../../infra/work/work.ts'
import { emit } from '../../../webhooks/emit.ts'
import { internalAccount, type InternalAccountEvent } from './machine.ts'
import {
  lockAccount,
  lockCustomerAccounts,
  saveStatuses,
  type AccountWithBalances,
} from './store.ts'
import { toWire, type WireInternalAccount } from './wire.ts'

/**
 * Moves an account to the next state and emits it.
 * Fails: REFERENCE_NOT_FOUND, INVALID_STATE_TRANSITION.
 */
export async function changeAccountStatus(
  work: Work,
  id: Id<'internalAccount'>,
  event: InternalAccountEvent,
): Promise<AccountWithBalances> {
  const { tx, platform, now } = work
  const account = (await lockAccount(tx, platform.id, id)) ?? failNotFound('internalAccount')
  const status = advance(internalAccount, account.status, event)
  await saveStatuses(tx, platform.id, { ids: [id], status, at: now })
  const changed = { ...account, status, updatedAt: now }
  emit(work, 'INTERNAL_ACCOUNT.STATUS_UPDATED', toWire(changed, changed))
  return changed
}

/**
 * Freezes an account: no new payment moves in or out. Payments under way finish, refunds into the account included.
 * Fails: REFERENCE_NOT_FOUND, INVALID_STATE_TRANSITION.
 */
export async function freezeAccount(
  work: Work,
  id: Id<'internalAccount'>,
): Promise<WireInternalAccount> {
  const account = await changeAccountStatus(work, id, 'freeze')
  return toWire(account, account)
}

/** Freezes every active account of a customer (PROV-100). Refuses nothing. */
export async function freezeCustomerAccounts(
  work: Work,
  customerId: Id<'customer'>,
): Promise<void> {
  const { tx, platform, now } = work
  const accounts = await lockCustomerAccounts(tx, platform.id, customerId)
  const frozen = accounts.flatMap((account) => {
    const status = nextState(internalAccount, account.status, 'freeze')
    return status === undefined ? [] : [{ ...account, status, updatedAt: now }]
  })
  if (frozen.length === 0) return
  const ids = frozen.map(({ id }) => id)
  await saveStatuses(tx, platform.id, { ids, status: 'FROZEN', at: now })
  for (const account of frozen) {
    emit(work, 'INTERNAL_ACCOUNT.STATUS_UPDATED', toWire(account, account))
  }
}

/** Unfreezes a frozen account. Fails: REFERENCE_NOT_FOUND, INVALID_STATE_TRANSITION. */
export async function unfreezeAccount(
  work: Work,
  id: Id<'internalAccount'>,
): Promise<WireInternalAccount> {
  const account = await changeAccountStatus(work, id, 'unfreeze')
  return toWire(account, account)
}
