import { sql, type Sql } from '../../infra/db/statement/sql.ts'

/** The last row of the previous page of a list, newest first. */
export type Place = Readonly<{ createdAt: string; id: string }>

export type PageOfNewest = Readonly<{ after: Place | undefined; fetch: number }>

/** The rows after it in a list ordered by `created_at desc, id desc`. */
export function behind(after: Place | undefined): Sql[] {
  return after ? [sql`(created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`] : []
}
