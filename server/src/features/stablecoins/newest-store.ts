import { sql, type Sql } from '../../infra/db/sql.ts'

/** The last row shown of a list that begins with the newest. */
export type Place = Readonly<{ createdAt: string; id: string }>

export type PageOfNewest = Readonly<{ after: Place | undefined; fetch: number }>

/** What comes behind it, for lists ordered by `created_at desc, id desc`. */
export function behind(after: Place | undefined): Sql[] {
  return after ? [sql`(created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`] : []
}
