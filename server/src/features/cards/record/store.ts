import type { Id } from '../../../kernel/ids.ts'
import type { PageByCreation, SortOrder } from '../../../kernel/page.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { RESOURCE_KEY } from '../../../infra/db/statement/resource-key.ts'
import { afterCreation, byCreation, countCapped } from '../../../infra/db/list-rows.ts'
import { sql, when, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { findPlatformOf } from '../../../infra/platforms.ts'
import type { Card, Provisioned } from './card.ts'
import type { CardState } from './machine.ts'

/** A card as a row: the provisioned fields are nullable columns. */
type CardRow = Omit<Card, 'provisioned'> & {
  readonly [K in keyof Provisioned]: Provisioned[K] | null
}

const FUNDING = sql`array(
    select f.account_id from card_funding_sources f
    where f.platform_id = c.platform_id and f.card_id = c.id order by f.position
  ) as funding_account_ids`

const COLUMNS = sql`c.id, c.provider_id, c.customer_id, c.platform_card_id, c.state, c.state_reason, c.state_version, c.currency,
  c.max_spend_per_transaction, c.brand, c.last4, c.exp_month, c.exp_year, c.processor_ref, c.issuer_ref, c.created_at,
  c.updated_at, ${FUNDING}`

function fromRow(row: CardRow): Card {
  const { brand, last4, expMonth, expYear, processorRef, issuerRef, ...card } = row
  const isProvisioned = brand !== null
  return {
    ...card,
    provisioned: isProvisioned
      ? ({ brand, last4, expMonth, expYear, processorRef, issuerRef } as Provisioned)
      : null,
  }
}

export async function insertCard(tx: Tx, platformId: Id<'platform'>, card: Card): Promise<void> {
  await tx.run(
    sql`insert into cards (platform_id, id, provider_id, customer_id, platform_card_id, state, currency,
          max_spend_per_transaction, created_at, updated_at)
        values (${platformId}, ${card.id}, ${card.providerId}, ${card.customerId}, ${card.platformCardId}, ${card.state},
          ${card.currency}, ${card.maxSpendPerTransaction}, ${card.createdAt}, ${card.updatedAt})`,
  )
}

/** The key, and every column that may change; funding sources are in another table. */
const CHANGED: Columns<Card> = {
  id: ['uuid', ({ id }) => id],
  state: ['text', ({ state }) => state],
  state_reason: ['text', ({ stateReason }) => stateReason],
  state_version: ['integer', ({ stateVersion }) => stateVersion],
  max_spend_per_transaction: ['bigint', (card) => card.maxSpendPerTransaction],
  brand: ['text', ({ provisioned }) => provisioned?.brand ?? null],
  last4: ['text', ({ provisioned }) => provisioned?.last4 ?? null],
  exp_month: ['smallint', ({ provisioned }) => provisioned?.expMonth ?? null],
  exp_year: ['smallint', ({ provisioned }) => provisioned?.expYear ?? null],
  processor_ref: ['text', ({ provisioned }) => provisioned?.processorRef ?? null],
  issuer_ref: ['text', ({ provisioned }) => provisioned?.issuerRef ?? null],
  updated_at: ['timestamptz', ({ updatedAt }) => updatedAt],
}

export async function saveCards(
  tx: Tx,
  platformId: Id<'platform'>,
  cards: readonly Card[],
): Promise<void> {
  await tx.run(
    sql`update cards c set state = n.state, state_reason = n.state_reason, state_version = n.state_version,
          max_spend_per_transaction = n.max_spend_per_transaction, brand = n.brand, last4 = n.last4,
          exp_month = n.exp_month, exp_year = n.exp_year, processor_ref = n.processor_ref,
          issuer_ref = n.issuer_ref, updated_at = n.updated_at
        from ${given('n', CHANGED, cards)}
        where c.platform_id = ${platformId} and c.id = n.id`,
  )
}

export async function findCardRow(
  tx: Tx,
  platformId: Id<'platform'>,
  id: Id<'card'>,
): Promise<Card | undefined> {
  const row = await tx.find<CardRow>(
    sql`select ${COLUMNS} from cards c where c.platform_id = ${platformId} and c.id = ${id}`,
  )
  return row && fromRow(row)
}

/** The lock is taken first, so that the funding sources are those of the transaction that held it before. */
export async function lockCardRow(
  tx: Tx,
  platformId: Id<'platform'>,
  id: Id<'card'>,
): Promise<Card | undefined> {
  const [, card] = await Promise.all([
    tx.maybe(
      sql`select c.id from cards c where c.platform_id = ${platformId} and c.id = ${id} for no key update`,
    ),
    findCardRow(tx, platformId, id),
  ])
  return card
}

/** A customer's cards that are not closed, locked in id order. */
export async function lockOpenCardsOf(
  tx: Tx,
  platformId: Id<'platform'>,
  customerId: Id<'customer'>,
): Promise<Card[]> {
  const open = sql`c.platform_id = ${platformId} and c.customer_id = ${customerId} and c.state <> 'CLOSED'`
  const [, rows] = await Promise.all([
    tx.many(sql`select c.id from cards c where ${open} order by c.id for no key update`),
    tx.many<CardRow>(sql`select ${COLUMNS} from cards c where ${open} order by c.id`),
  ])
  return rows.map(fromRow)
}

export type CardKey = Readonly<{ platformId: Id<'platform'>; id: Id<'card'> }>

export type CardSnapshot = Card &
  Readonly<{
    platformId: Id<'platform'>
    /** The funding sources with an active delegated key. */
    delegatedAccountIds: readonly Id<'internalAccount'>[]
  }>

/** Locks cards of any platforms for share: state, limit and sources do not change until the transaction ends. */
export async function lockCardsForShare(tx: Tx, keys: readonly CardKey[]): Promise<CardSnapshot[]> {
  const requested = given('k', RESOURCE_KEY, keys)
  const [, rows] = await Promise.all([
    tx.many(
      sql`select c.id from cards c join ${requested} using (platform_id, id)
          order by c.platform_id, c.id for share of c`,
    ),
    tx.many<CardRow & Pick<CardSnapshot, 'platformId' | 'delegatedAccountIds'>>(
      sql`select c.platform_id, ${COLUMNS}, array(
            select f.account_id from card_funding_sources f
            where f.platform_id = c.platform_id and f.card_id = c.id and f.has_delegated_key
          ) as delegated_account_ids
          from cards c join ${requested} using (platform_id, id)`,
    ),
  ])
  return rows.map(({ platformId, delegatedAccountIds, ...row }) => ({
    ...fromRow(row),
    platformId,
    delegatedAccountIds,
  }))
}

/** The first funding source of each card, as a table `k(platform_id, id)` of accounts. */
export const firstFundingAccounts = (cards: readonly CardKey[]): Sql =>
  sql`(select f.platform_id, f.id from ${given('c', RESOURCE_KEY, cards)} cross join lateral (
         select s.platform_id, s.account_id as id from card_funding_sources s
         where s.platform_id = c.platform_id and s.card_id = c.id order by s.position limit 1) f) k`

/** Whether another card of the provider has this processor reference. */
export async function isProcessorRefTaken(
  tx: Tx,
  providerId: Id<'provider'>,
  processorRef: string,
): Promise<boolean> {
  const found = await tx.find(
    sql`select from cards where provider_id = ${providerId} and processor_ref = ${processorRef}`,
  )
  return found !== undefined
}

export const findPlatformOfCard = (tx: Tx, id: Id<'card'>) => findPlatformOf(tx, sql`cards`, id)

export type CardFilters = Readonly<{
  customerId: Id<'customer'> | undefined
  accountId: Id<'internalAccount'> | undefined
  platformCardId: string | undefined
  state: CardState | undefined
  now: Date
}>

/** An expired card is not listed as usable, also while the job that closes it is late (CARD-13). */
const inState = (state: CardState, now: Date): Sql => {
  const stored = sql`c.state = ${sql.word(state)}`
  if (state !== 'ACTIVE' && state !== 'FROZEN') return stored
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + 1]
  return sql`${stored} and (c.exp_year, c.exp_month) >= (${year}, ${month})`
}

const matching = (platformId: Id<'platform'>, filters: CardFilters): Sql[] => [
  sql`c.platform_id = ${platformId}`,
  ...when(filters.customerId, (id) => sql`c.customer_id = ${id}`),
  ...when(filters.platformCardId, (id) => sql`c.platform_card_id = ${id}`),
  ...when(filters.state, (state) => inState(state, filters.now)),
  ...when(
    filters.accountId,
    (id) => sql`exists (select 1 from card_funding_sources f
      where f.platform_id = c.platform_id and f.account_id = ${id} and f.card_id = c.id)`,
  ),
]

export type CardPage = PageByCreation & Readonly<{ filters: CardFilters; sortOrder: SortOrder }>

export async function listCardRows(
  tx: Tx,
  platformId: Id<'platform'>,
  { filters, sortOrder, after, fetch }: CardPage,
): Promise<Card[]> {
  const conditions = [...matching(platformId, filters), ...afterCreation(after, sortOrder)]
  const rows = await tx.many<CardRow>(
    sql`select ${COLUMNS} from cards c where ${sql.and(conditions)}
        order by ${byCreation(sortOrder)} limit ${fetch}`,
  )
  return rows.map(fromRow)
}

export const countCards = (
  tx: Tx,
  platformId: Id<'platform'>,
  filters: CardFilters,
): Promise<number> => countCapped(tx, sql`cards c where ${sql.and(matching(platformId, filters))}`)
