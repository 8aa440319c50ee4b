import { failNotFound, type Id } from '../../kernel/ids.ts'
import { advance } from '../../kernel/machine.ts'
import type { InternalEvents } from '../../infra/work/internal-events.ts'
import type { Work } from '../../infra/work/work.ts'
import { saveDelegatedKey } from '../cards/index.ts'
import { delegatedKey } from './machine.ts'
import { lockKey, revokeKeysOf, saveStatus } from './store.ts'

/** Ends an active key and destroys its private half (DKEY-6). Fails: REFERENCE_NOT_FOUND, INVALID_INPUT (not active). */
export async function revokeDelegatedKey(work: Work, id: Id<'delegatedKey'>): Promise<void> {
  const { tx, platform, now } = work
  const key = (await lockKey(tx, platform.id, id)) ?? failNotFound('delegatedKey')
  const status = advance(delegatedKey, key.status, 'revoke')
  await saveStatus(tx, platform.id, { id, status, updatedAt: now })
  const { fundingSourceId } = key
  await saveDelegatedKey(tx, platform.id, { fundingSourceId, isActive: false })
}

/** Revokes the keys of accounts that were unbound from a card (DKEY-8). */
export async function revokeKeysOfUnbound(
  { tx, platform, now }: Work,
  { fundingSourceIds }: InternalEvents['cards.accountsUnbound'],
): Promise<void> {
  revokeKeysOf(tx, platform.id, { fundingSourceIds, at: now })
}
