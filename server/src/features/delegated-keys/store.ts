import type { Id } from '../../kernel/ids.ts'
import { sql, when } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { DelegatedKey } from './delegated-key.ts'

type PlatformId = Id<'platform'>

const COLUMNS = sql`k.id, k.card_id, k.funding_source_id, k.account_id, k.public_key, k.nickname, k.status,
  k.created_at, k.updated_at`

export function insertKey(
  tx: Tx,
  platformId: PlatformId,
  { key, privateKey }: { key: DelegatedKey; privateKey: Buffer },
): void {
  tx.queueWrite(
    sql`insert into delegated_keys (platform_id, id, card_id, funding_source_id, account_id, public_key, private_key,
          nickname, status, created_at, updated_at)
        values (${platformId}, ${key.id}, ${key.cardId}, ${key.fundingSourceId}, ${key.accountId}, ${key.publicKey},
          ${privateKey}, ${key.nickname}, ${key.status}, ${key.createdAt}, ${key.updatedAt})`,
  )
}

export function findKey(
  tx: Tx,
  platformId: PlatformId,
  id: Id<'delegatedKey'>,
): Promise<DelegatedKey | undefined> {
  return tx.find<DelegatedKey>(
    sql`select ${COLUMNS} from delegated_keys k where k.platform_id = ${platformId} and k.id = ${id}`,
  )
}

export function lockKey(
  tx: Tx,
  platformId: PlatformId,
  id: Id<'delegatedKey'>,
): Promise<DelegatedKey | undefined> {
  return tx.maybe<DelegatedKey>(
    sql`select ${COLUMNS} from delegated_keys k where k.platform_id = ${platformId} and k.id = ${id}
        for no key update`,
  )
}

export async function hasActiveKey(
  tx: Tx,
  platformId: PlatformId,
  fundingSourceId: Id<'cardFundingSource'>,
): Promise<boolean> {
  const { found } = await tx.one<{ found: boolean }>(
    sql`select exists (select 1 from delegated_keys k where k.platform_id = ${platformId}
          and k.funding_source_id = ${fundingSourceId} and k.status = 'ACTIVE') as found`,
  )
  return found
}

export type KeyFilters = Readonly<{
  accountId: Id<'internalAccount'> | undefined
  fundingSourceId: Id<'cardFundingSource'> | undefined
}>

/** Lists keys of every status, newest first. */
export function listKeys(
  tx: Tx,
  platformId: PlatformId,
  { accountId, fundingSourceId }: KeyFilters,
): Promise<DelegatedKey[]> {
  const conditions = [
    sql`k.platform_id = ${platformId}`,
    ...when(accountId, (id) => sql`k.account_id = ${id}`),
    ...when(fundingSourceId, (id) => sql`k.funding_source_id = ${id}`),
  ]
  return tx.many<DelegatedKey>(
    sql`select ${COLUMNS} from delegated_keys k where ${sql.and(conditions)}
        order by k.created_at desc, k.id desc`,
  )
}

/** Revoking a key destroys its private half. */
export async function saveStatus(
  tx: Tx,
  platformId: PlatformId,
  { id, status, updatedAt }: Pick<DelegatedKey, 'id' | 'status' | 'updatedAt'>,
): Promise<void> {
  const destroyed = status === 'REVOKED' ? sql`, private_key = null` : sql.empty
  await tx.run(
    sql`update delegated_keys set status = ${status}, updated_at = ${updatedAt}${destroyed}
        where platform_id = ${platformId} and id = ${id}`,
  )
}

export function revokeKeysOf(
  tx: Tx,
  platformId: PlatformId,
  { fundingSourceIds, at }: { fundingSourceIds: readonly Id<'cardFundingSource'>[]; at: Date },
): void {
  tx.queueWrite(
    sql`update delegated_keys set status = 'REVOKED', updated_at = ${at}, private_key = null
        where platform_id = ${platformId} and funding_source_id = any(${fundingSourceIds}::uuid[])
          and status = 'ACTIVE'`,
  )
}
