import { failFields } from '../../../kernel/errors.ts'
import { failNotFound, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { findCustomer } from '../../customers/index.ts'
import { findAccount } from '../../internal-accounts/index.ts'
import type { Credential, Session } from '../credentials/auth-method.ts'
import { findCredential } from '../credentials/store.ts'
import { findSession } from '../sessions/store.ts'
import type { Wallet } from './wallet.ts'
import { lockWallet } from './store.ts'

/**
 * Locks the wallet of an account. Fails: REFERENCE_NOT_FOUND; INVALID_INPUT on `field` if the account exists but is
 * no wallet (CRED-5).
 */
export async function mustLockWallet(
  work: Work,
  accountId: Id<'internalAccount'>,
  field: string,
): Promise<Wallet> {
  const { tx, platform } = work
  const wallet = await lockWallet(tx, platform.id, accountId)
  if (wallet) return wallet
  const account = await findAccount(tx, platform.id, accountId)
  if (account === undefined || account.type === 'EMBEDDED_WALLET') {
    return failNotFound('internalAccount')
  }
  const owner = account.customerId === null ? null : await findCustomer(work, account.customerId)
  if (owner?.isDeleted) failNotFound('internalAccount')
  return failFields([{ field, message: 'must be an EMBEDDED_WALLET account' }])
}

/** Locks the wallet of a credential, which is read again under the lock. Fails: REFERENCE_NOT_FOUND. */
export async function mustLockCredential(
  { tx, platform }: Work,
  id: Id<'authMethod'>,
): Promise<{ wallet: Wallet; credential: Credential }> {
  const known = (await findCredential(tx, platform.id, id)) ?? failNotFound('authMethod')
  const [wallet, credential] = await Promise.all([
    lockWallet(tx, platform.id, known.accountId),
    findCredential(tx, platform.id, id),
  ])
  return wallet && credential ? { wallet, credential } : failNotFound('authMethod')
}

/** Locks the wallet of a session, ended or not, which is read again under the lock. Fails: REFERENCE_NOT_FOUND. */
export async function mustLockSession(
  { tx, platform }: Work,
  id: Id<'session'>,
): Promise<{ wallet: Wallet; session: Session }> {
  const known = (await findSession(tx, platform.id, id)) ?? failNotFound('session')
  const [wallet, session] = await Promise.all([
    lockWallet(tx, platform.id, known.accountId),
    findSession(tx, platform.id, id),
  ])
  return wallet && session ? { wallet, session } : failNotFound('session')
}
