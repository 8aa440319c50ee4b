import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import { changeAccountStatus } from './change-account-status.ts'
import { toWire, type WireInternalAccount } from './wire.ts'

/**
 * The operator stops an account: nothing new moves in or out. Movements already under way finish, refunds into it
 * included. Fails: REFERENCE_NOT_FOUND, INVALID_STATE_TRANSITION.
 */
export async function freezeAccount(
  work: Work,
  id: Id<'internalAccount'>,
): Promise<WireInternalAccount> {
  const account = await changeAccountStatus(work, id, 'freeze')
  return toWire(account, account)
}

/** The operator lets a frozen account move again. Fails: REFERENCE_NOT_FOUND, INVALID_STATE_TRANSITION. */
export async function unfreezeAccount(
  work: Work,
  id: Id<'internalAccount'>,
): Promise<WireInternalAccount> {
  const account = await changeAccountStatus(work, id, 'unfreeze')
  return toWire(account, account)
}
