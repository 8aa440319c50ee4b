import { failFields } from '../../../kernel/errors.ts'
import { failNotFound, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import { findCustomer } from '../../customers/index.ts'
import { findAccount } from '../../internal-accounts/index.ts'
import type { Credential, Session } from '../credentials/auth-method.ts'
import { findCredential } from '../credentials/store.ts'
import { findSession } from '../sessions/store.ts'
import type { Wallet } from './wallet.ts'
import { lockWallet } from './store.ts'

/**
 * The wallet of an account, locked. Fails: REFERENCE_NOT_FOUND; INVALID_INPUT on `field` where the account is there
 * but no wallet (CRED-5).
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

/** A credential with its wallet locked: found twice, since it may be gone once the lock is granted. */
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

/** The same for a session, ended or not. */
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
