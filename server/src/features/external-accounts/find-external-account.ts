import { failNotFound, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import type { ExternalAccount, Reach } from './external-account.ts'
import { openAccount, type SealedAccount } from './sealed-account.ts'
import { findAccount, lockAccount } from './store.ts'

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

/** The same. Fails: REFERENCE_NOT_FOUND. */
export async function mustLockExternalAccount(
  work: Reading,
  id: Id<'externalAccount'>,
  reach: Reach = 'all',
): Promise<ExternalAccount> {
  return (await lockExternalAccount(work, id, reach)) ?? failNotFound('externalAccount')
}
