/** The newest of a kind across platforms, which only the operator may ask for. */
import type { Id } from '../../kernel/ids.ts'
import type { AmountFilter, Period } from '../../kernel/page.ts'
import { sql, when, type Sql } from '../../infra/db/statement/sql.ts'
import { inPeriod, inRange, ofPlatforms } from '../../infra/db/list-rows.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Transaction } from '../../features/transactions/index.ts'
import { findPlatformOf } from '../../infra/platforms.ts'

export type NewestPage = Readonly<{
  platformIds: readonly Id<'platform'>[] | null
  customerId: Id<'customer'> | null
  status: string | null
  period: Period
  /** Those older than this one. */
  before: string | null
  limit: number
}>

type Asked = Readonly<{ table: Sql; columns: Sql; conditions: readonly Sql[] }>

/** Reads the newest rows of each platform from its index, so that the whole table is not sorted. */
function newestOf(page: NewestPage, { table, columns, conditions }: Asked): Sql {
  const { platformIds, customerId, period, before, limit } = page
  const all = [
    sql`r.platform_id = p.id`,
    ...(customerId === null ? [] : [sql`r.customer_id = ${customerId}`]),
    ...inPeriod(period, sql`r.created_at`),
    ...(before === null
      ? []
      : [
          sql`(r.created_at, r.id) < (select b.created_at, b.id from platforms bp
            join ${table} b on b.platform_id = bp.id and b.id = ${before}::uuid)`,
        ]),
    ...conditions,
  ]
  return sql`select ${columns} from platforms p cross join lateral (
      select * from ${table} r where ${sql.and(all)} order by r.created_at desc, r.id desc limit ${limit}) r
    where true ${ofPlatforms(platformIds, sql`p.id`)}
    order by r.created_at desc, r.id desc limit ${limit}`
}

const withStatus = (column: Sql, status: string | null): readonly Sql[] =>
  status === null ? [] : [sql`${column} = ${status}`]

type Line<K extends 'card' | 'agent' | 'quote'> = Readonly<{
  platformId: Id<'platform'>
  id: Id<K>
  createdAt: Date
}>

export type CardLine = Line<'card'> &
  Readonly<{
    customerId: Id<'customer'>
    state: string
    brand: string | null
    last4: string | null
    currency: string
  }>

export const listNewestCards = (tx: Tx, page: NewestPage): Promise<CardLine[]> =>
  tx.many<CardLine>(
    newestOf(page, {
      table: sql`cards`,
      columns: sql`r.platform_id, r.id, r.created_at, r.customer_id, r.state, r.brand, r.last4, r.currency`,
      conditions: withStatus(sql`r.state`, page.status),
    }),
  )

export type AgentLine = Line<'agent'> &
  Readonly<{ customerId: Id<'customer'>; name: string; isPaused: boolean; pendingActions: number }>

export const listNewestAgents = (tx: Tx, page: NewestPage): Promise<AgentLine[]> =>
  tx.many<AgentLine>(
    newestOf(page, {
      table: sql`agents`,
      columns: sql`r.platform_id, r.id, r.created_at, r.customer_id, r.name, r.is_paused,
        (select count(*)::integer from agent_actions a where a.platform_id = r.platform_id and a.agent_id = r.id
           and a.status = 'PENDING_APPROVAL') as pending_actions`,
      conditions: [
        sql`r.deleted_at is null`,
        ...(page.status === null ? [] : [sql`r.is_paused = ${page.status === 'PAUSED'}`]),
      ],
    }),
  )

export type QuoteLine = Line<'quote'> &
  Readonly<{
    clockOffsetMs: bigint
    customerId: Id<'customer'> | null
    status: string
    sentAmount: bigint | null
    sentCurrency: string | null
    receivedAmount: bigint | null
    receivedCurrency: string | null
    source: Transaction['source'] | null
    destination: Transaction['destination'] | null
    expiresAt: Date
  }>

type QuotePage = NewestPage &
  Readonly<{ amount: AmountFilter | undefined; rail: string | undefined }>

/** What is sent or received. */
const ofQuotedAmount = (range: AmountFilter): Sql =>
  sql`(${sql.join(
    [
      ...inRange(range, { amount: sql`r.sent_amount`, currency: sql`r.sent_currency` }),
      ...inRange(range, { amount: sql`r.received_amount`, currency: sql`r.received_currency` }),
    ],
    ' or ',
  )})`

/** A quote and its transaction share their uuid. */
export const listNewestQuotes = (tx: Tx, page: QuotePage): Promise<QuoteLine[]> =>
  tx.many<QuoteLine>(
    newestOf(page, {
      table: sql`transactions`,
      columns: sql`r.platform_id, r.id, r.created_at, p.clock_offset_ms, r.customer_id, r.status, r.sent_amount,
        r.sent_currency, r.received_amount, r.received_currency, r.source, r.destination,
        (select q.expires_at from quotes q where q.platform_id = r.platform_id and q.id = r.id) as expires_at`,
      conditions: [
        sql`r.quote_id is not null`,
        ...withStatus(sql`r.status`, page.status),
        ...when(page.amount, ofQuotedAmount),
        ...when(page.rail, (rail) => sql`r.payment_rail = ${rail}`),
      ],
    }),
  )

type Owner = Promise<Id<'platform'> | undefined>

export const findPlatformOfAgent = (tx: Tx, id: Id<'agent'>): Owner =>
  findPlatformOf(tx, sql`agents`, id)

export const findPlatformOfQuote = (tx: Tx, id: Id<'quote'>): Owner =>
  findPlatformOf(tx, sql`quotes`, id)
