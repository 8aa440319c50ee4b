import { failNotFound, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import { mustHaveLiveOwner } from '../../customers/index.ts'
import type { ExternalAccount, Reach } from '../external-account.ts'
import { openAccount, type SealedAccount } from './sealing.ts'
import { findAccount, holdAccount, lockAccount } from './store.ts'

type Reading = Pick<Work, 'tx' | 'platform' | 'keyring'>

const opened = (
  { keyring }: Reading,
  sealed: SealedAccount | undefined,
): ExternalAccount | undefined => sealed && openAccount(keyring, sealed)

/** A live account that the caller reaches; undefined where there is none with this id. */
export async function findExternalAccount(
  work: Reading,
  id: Id<'externalAccount'>,
  reach: Reach = 'all',
): Promise<ExternalAccount | undefined> {
  return opened(work, await findAccount(work.tx, work.platform.id, { id, reach }))
}

/** The same. Fails: REFERENCE_NOT_FOUND. */
export async function mustFindExternalAccount(
  work: Reading,
  id: Id<'externalAccount'>,
  reach: Reach = 'all',
): Promise<ExternalAccount> {
  return (await findExternalAccount(work, id, reach)) ?? failNotFound('externalAccount')
}

/** A live account, its row locked until the transaction ends; undefined where it is gone. */
export async function lockExternalAccount(
  work: Reading,
  id: Id<'externalAccount'>,
  reach: Reach = 'all',
): Promise<ExternalAccount | undefined> {
  return opened(work, await lockAccount(work.tx, work.platform.id, { id, reach }))
}

/** The same, for a change that somebody asks for (CUST-69). Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND. */
export async function mustLockExternalAccount(
  work: Reading,
  id: Id<'externalAccount'>,
  reach: Reach = 'all',
): Promise<ExternalAccount> {
  const account = (await lockExternalAccount(work, id, reach)) ?? failNotFound('externalAccount')
  mustHaveLiveOwner(account)
  return account
}

/**
 * An account that something new is to use: its owner is not deleted, and cannot be until the transaction ends.
 * Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND.
 */
export async function mustHoldExternalAccount(
  work: Reading,
  id: Id<'externalAccount'>,
): Promise<ExternalAccount> {
  const found = opened(work, await holdAccount(work.tx, work.platform.id, id))
  const account = found ?? failNotFound('externalAccount')
  mustHaveLiveOwner(account)
  return account
}
