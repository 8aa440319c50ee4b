import { failNotFound, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { mustHaveLiveOwner } from '../../customers/index.ts'
import type { ExternalAccount, Reach } from '../external-account.ts'
import { openAccount, type SealedAccount } from './sealing.ts'
import { findAccount, findAnyAccount, lockAccountForUse, lockAccount } from './store.ts'

type Reading = Pick<Work, 'tx' | 'platform' | 'keyring'>

const opened = (
  { keyring }: Reading,
  sealed: SealedAccount | undefined,
): ExternalAccount | undefined => sealed && openAccount(keyring, sealed)

/** Finds an account that is in reach and not deleted. */
export async function findExternalAccount(
  work: Reading,
  id: Id<'externalAccount'>,
  reach: Reach = 'all',
): Promise<ExternalAccount | undefined> {
  return opened(work, await findAccount(work.tx, work.platform.id, { id, reach }))
}

/** As findExternalAccount, deleted ones included. */
export async function findAnyExternalAccount(
  work: Reading,
  id: Id<'externalAccount'>,
): Promise<ExternalAccount | undefined> {
  return opened(work, await findAnyAccount(work.tx, work.platform.id, id))
}

/** As findExternalAccount. Fails: REFERENCE_NOT_FOUND. */
export async function mustFindExternalAccount(
  work: Reading,
  id: Id<'externalAccount'>,
  reach: Reach = 'all',
): Promise<ExternalAccount> {
  return (await findExternalAccount(work, id, reach)) ?? failNotFound('externalAccount')
}

/** As findExternalAccount, with the row locked until the transaction ends. */
export async function lockExternalAccount(
  work: Reading,
  id: Id<'externalAccount'>,
  reach: Reach = 'all',
): Promise<ExternalAccount | undefined> {
  return opened(work, await lockAccount(work.tx, work.platform.id, { id, reach }))
}

/** Locks an account that a request changes (CUST-69). Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND. */
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
 * Locks an account for new use: its owner is not deleted, and cannot be until the transaction ends.
 * Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND.
 */
export async function mustLockAccountForUse(
  work: Reading,
  id: Id<'externalAccount'>,
): Promise<ExternalAccount> {
  const found = opened(work, await lockAccountForUse(work.tx, work.platform.id, id))
  const account = found ?? failNotFound('externalAccount')
  mustHaveLiveOwner(account)
  return account
}
