/** What lists have in common: they go on after a row, are narrowed to platforms, times and amounts, and are counted. */
import type { Id } from '../../../kernel/ids.ts'
import type { AmountFilter, Period, Place, WaitingPage } from '../../../kernel/page.ts'
import { sql, when, type Sql } from '../statement/sql.ts'
import type { Tx } from '../tx.ts'

/** `columns` are time and id, as the list is ordered. Nothing is said where there is no place, so an index may lead. */
export const afterPlace = (place: Place | null, columns: Sql): Sql =>
  place === null ? sql.empty : sql`and (${columns}) > (${place.at}::timestamptz, ${place.id}::uuid)`

/** The same of a list that has the newest first. */
export const beforePlace = (place: Place | null, columns: Sql): Sql =>
  place === null ? sql.empty : sql`and (${columns}) < (${place.at}::timestamptz, ${place.id}::uuid)`

export const ofPlatforms = (ids: readonly Id<'platform'>[] | null, column: Sql): Sql =>
  ids === null ? sql.empty : sql`and ${column} = any(${ids}::uuid[])`

export const inPeriod = ({ since, until }: Period, column: Sql): Sql[] => [
  ...when(since, (at) => sql`${column} >= ${at}`),
  ...when(until, (at) => sql`${column} < ${at}`),
]

/** No index has amounts, which would cost every write: the rows of the period are looked through, newest first. */
export const inRange = (
  range: AmountFilter | undefined,
  { amount, currency }: Readonly<{ amount: Sql; currency: Sql }>,
): Sql[] =>
  when(
    range,
    ({ currency: code, min, max }) =>
      sql`(${currency} = ${code} and ${amount} between ${min} and ${max})`,
  )

/** How many wait; counted no further than to where more tells nothing more. */
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
