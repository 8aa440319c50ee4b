/** The version of a list: its newest row and event, by platform. */
import type { Id } from '../../../kernel/ids.ts'
import { sql, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { ofPlatforms } from '../../../infra/db/list-rows.ts'

/** Each is the first entry of an index. A change of a payment, card or deposit emits an event. */
const NEWEST = {
  transaction: sql`(select id::text from transactions where platform_id = p.id order by created_at desc, id desc limit 1)`,
  card: sql`(select id::text from cards where platform_id = p.id order by created_at desc, id desc limit 1)`,
  deposit: sql`(select id::text from deposits where platform_id = p.id order by created_at desc, id desc limit 1)`,
  order: sql`(select id::text from provider_orders where platform_id = p.id order by id desc limit 1)`,
  request: sql`(select id::text from request_log where platform_id = p.id order by id desc limit 1)`,
  event: sql`(select id::text from events where platform_id = p.id order by id desc limit 1)`,
} as const

type Newest = keyof typeof NEWEST

/** The lists that are watched, and what their rows come from. */
const WATCHED = {
  transactions: ['transaction', 'event'],
  quotes: ['transaction', 'event'],
  cards: ['card', 'event'],
  deposits: ['deposit', 'event'],
  orders: ['order', 'event'],
  events: ['event'],
  requests: ['request'],
} as const satisfies Readonly<Record<string, readonly Newest[]>>

export type LiveList = keyof typeof WATCHED

type NewestRow = Readonly<{ platformId: Id<'platform'> }> & Readonly<Record<Newest, string | null>>

/** One query serves all open lists of the process, and reads only the tables that they need. */
const listNewest = (
  tx: Tx,
  asked: ReadonlySet<Newest>,
  platformIds: readonly Id<'platform'>[] | null,
): Promise<NewestRow[]> => {
  const column = (name: Newest): Sql => (asked.has(name) ? NEWEST[name] : sql`null::text`)
  return tx.many<NewestRow>(
    sql`select p.id as platform_id, ${column('transaction')} as transaction, ${column('card')} as card,
          ${column('deposit')} as deposit, ${column('order')} as "order", ${column('request')} as request,
          ${column('event')} as event
        from platforms p where true ${ofPlatforms(platformIds, sql`p.id`)} order by p.id`,
  )
}

export type WatchedList = Readonly<{
  list: LiveList
  /** Null for all. */
  platformIds: readonly Id<'platform'>[] | null
}>

/** A text for each list, which is another one once it has changed. */
export async function readVersions(tx: Tx, watched: readonly WatchedList[]): Promise<string[]> {
  const asked = new Set<Newest>(watched.flatMap(({ list }) => WATCHED[list]))
  const isOfAll = watched.some(({ platformIds }) => platformIds === null)
  const platformIds = isOfAll ? null : watched.flatMap((one) => one.platformIds ?? [])
  const rows = await listNewest(tx, asked, platformIds && [...new Set(platformIds)])
  return watched.map(({ list, platformIds: own }) =>
    rows
      .filter(({ platformId }) => own === null || own.includes(platformId))
      .flatMap((row) => WATCHED[list].map((name) => row[name]))
      .join(' '),
  )
}
