import { failNotFound, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { lockAccount, savePrivacy, type AccountWithBalances } from './store.ts'

/** Turns a wallet's privacy on or off. Fails: REFERENCE_NOT_FOUND. */
export async function setPrivateEnabled(
  { tx, platform, now }: Work,
  { id, privateEnabled }: { id: Id<'internalAccount'>; privateEnabled: boolean },
): Promise<AccountWithBalances> {
  const account = (await lockAccount(tx, platform.id, id)) ?? failNotFound('internalAccount')
  await savePrivacy(tx, platform.id, { id, privateEnabled, at: now })
  return { ...account, privateEnabled, updatedAt: now }
}
