import type { Id } from '../../../kernel/ids.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'

export type FundingSource = Readonly<{
  id: Id<'cardFundingSource'>
  cardId: Id<'card'>
  accountId: Id<'internalAccount'>
}>

export async function listFundingSources(
  tx: Tx,
  platformId: Id<'platform'>,
  cardId: Id<'card'>,
): Promise<FundingSource[]> {
  return tx.many<FundingSource>(
    sql`select id, card_id, account_id from card_funding_sources
        where platform_id = ${platformId} and card_id = ${cardId} order by position`,
  )
}

const PLACED: Columns<FundingSource & Readonly<{ position: number }>> = {
  id: ['uuid', (source) => source.id],
  account_id: ['uuid', (source) => source.accountId],
  position: ['integer', (source) => source.position],
}

/** An account that stays listed keeps its row, and with the row its delegated key. */
export async function saveFundingSources(
  tx: Tx,
  platformId: Id<'platform'>,
  { cardId, sources }: { cardId: Id<'card'>; sources: readonly FundingSource[] },
): Promise<void> {
  const accountIds = sources.map(({ accountId }) => accountId)
  const placed = sources.map((source, index) => ({ ...source, position: index + 1 }))
  await tx.run(
    sql`delete from card_funding_sources where platform_id = ${platformId} and card_id = ${cardId}
          and account_id <> all(${accountIds}::uuid[])`,
  )
  await tx.run(
    sql`insert into card_funding_sources (platform_id, id, card_id, account_id, position)
        select ${platformId}, s.id, ${cardId}, s.account_id, s.position
        from ${given('s', PLACED, placed)}
        on conflict (platform_id, card_id, account_id) do update set position = excluded.position`,
  )
}

/** Records whether the source has an active delegated key. */
export async function saveDelegatedKey(
  tx: Tx,
  platformId: Id<'platform'>,
  { fundingSourceId, isActive }: { fundingSourceId: Id<'cardFundingSource'>; isActive: boolean },
): Promise<void> {
  await tx.run(
    sql`update card_funding_sources set has_delegated_key = ${isActive}
        where platform_id = ${platformId} and id = ${fundingSourceId}`,
  )
}

/** Removes the delegated keys of closed cards, and returns all sources of these cards. */
export async function dropDelegatedKeys(
  tx: Tx,
  platformId: Id<'platform'>,
  cardIds: readonly Id<'card'>[],
): Promise<Id<'cardFundingSource'>[]> {
  const ofCards = sql`platform_id = ${platformId} and card_id = any(${cardIds}::uuid[])`
  const [sources] = await Promise.all([
    tx.many<Pick<FundingSource, 'id'>>(sql`select id from card_funding_sources where ${ofCards}`),
    tx.run(
      sql`update card_funding_sources set has_delegated_key = false where ${ofCards} and has_delegated_key`,
    ),
  ])
  return sources.map(({ id }) => id)
}
