/** Parts of statements that lists share: order, place of the next page, filters and counts. */
import type { Id } from '../../kernel/ids.ts'
import {
  TOTAL_COUNT_MAX,
  type AmountFilter,
  type CreationPlace,
  type Period,
  type Place,
  type SortOrder,
  type WaitingPage,
} from '../../kernel/page.ts'
import { sql, when, type Sql } from './statement/sql.ts'
import type { Tx } from './tx.ts'

/** The order of a list by creation; ties are ordered by id. */
export const byCreation = (order: SortOrder = 'desc'): Sql =>
  order === 'asc' ? sql`created_at, id` : sql`created_at desc, id desc`

/** The condition on rows after a place of a list by creation; none for the first page. */
export const afterCreation = (after: CreationPlace | undefined, order: SortOrder = 'desc'): Sql[] =>
  when(after, ({ createdAt, id }) =>
    order === 'asc'
      ? sql`(created_at, id) > (${createdAt}::timestamptz, ${id}::uuid)`
      : sql`(created_at, id) < (${createdAt}::timestamptz, ${id}::uuid)`,
  )

/**
 * The condition on rows after a place, where `columns` are time and id. Empty for the first page, so that the planner can
 * use an index.
 */
export const afterPlace = (place: Place | null, columns: Sql): Sql =>
  place === null ? sql.empty : sql`and (${columns}) > (${place.at}::timestamptz, ${place.id}::uuid)`

/** The same for a list with the newest first. */
export const beforePlace = (place: Place | null, columns: Sql): Sql =>
  place === null ? sql.empty : sql`and (${columns}) < (${place.at}::timestamptz, ${place.id}::uuid)`

export const ofPlatforms = (ids: readonly Id<'platform'>[] | null, column: Sql): Sql =>
  ids === null ? sql.empty : sql`and ${column} = any(${ids}::uuid[])`

export const inPeriod = ({ since, until }: Period, column: Sql): Sql[] => [
  ...when(since, (at) => sql`${column} >= ${at}`),
  ...when(until, (at) => sql`${column} < ${at}`),
]

/** Amounts have no index, because it would cost every write: the rows of the period are scanned, newest first. */
export const inRange = (
  filter: AmountFilter | undefined,
  { amount, currency }: Readonly<{ amount: Sql; currency: Sql }>,
): Sql[] =>
  when(
    filter,
    ({ currency: code, min, max }) =>
      sql`(${currency} = ${code} and ${amount} between ${min} and ${max})`,
  )

/** Counts up to a limit, so that counting never costs more than a page (CORE-51). `rows`: a table and its conditions. */
export async function countCapped(tx: Tx, rows: Sql): Promise<number> {
  const { total } = await tx.one<{ total: number }>(
    sql`select count(*)::integer as total from (select 1 from ${rows} limit ${TOTAL_COUNT_MAX}) as counted`,
  )
  return total
}

/** Counts the rows of a waiting list of all platforms, up to `atMost`. */
export async function countWaiting(
  tx: Tx,
  waiting: (page: WaitingPage) => Sql,
  { atMost }: Readonly<{ atMost: number }>,
): Promise<number> {
  const page = waiting({ platformIds: null, after: null, limit: atMost })
  const { count } = await tx.one<{ count: number }>(
    sql`select count(*)::int as count from (${page}) as waiting`,
  )
  return count
}
