import { TOTAL_COUNT_MAX, type CreationPlace, type SortOrder } from '../../kernel/page.ts'
import { sql, when, type Sql } from './statement/sql.ts'
import type { Tx } from './tx.ts'

/** Of a list by creation: ties are ordered by id. */
export const byCreation = (order: SortOrder = 'desc'): Sql =>
  order === 'asc' ? sql`created_at, id` : sql`created_at desc, id desc`

/** The condition on rows that come after a place of a list by creation; none at its start. */
export const afterPlace = (after: CreationPlace | undefined, order: SortOrder = 'desc'): Sql[] =>
  when(after, ({ createdAt, id }) =>
    order === 'asc'
      ? sql`(created_at, id) > (${createdAt}::timestamptz, ${id}::uuid)`
      : sql`(created_at, id) < (${createdAt}::timestamptz, ${id}::uuid)`,
  )

/** Counts up to a limit, so that it never costs more than a page is worth (CORE-51). `rows`: a table and its conditions. */
export async function countCapped(tx: Tx, rows: Sql): Promise<number> {
  const { total } = await tx.one<{ total: number }>(
    sql`select count(*)::integer as total from (select 1 from ${rows} limit ${TOTAL_COUNT_MAX}) as counted`,
  )
  return total
}
