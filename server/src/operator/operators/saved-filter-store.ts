import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'

/** A list with its filters, as one person keeps it. */
export type SavedFilter = Readonly<{ section: string; name: string; query: string }>

type Owned = Readonly<{ person: string }>

export const listSavedFilters = (
  tx: Tx,
  { person, section }: Owned & Readonly<{ section: string | null }>,
): Promise<SavedFilter[]> =>
  tx.many<SavedFilter>(
    sql`select section, name, query from saved_filters
        where person = ${person} and (${section}::text is null or section = ${section})
        order by section, name`,
  )

/** Replaces one of the same name. Answers false where the person has too many already. */
export async function saveFilter(
  tx: Tx,
  { person, section, name, query }: SavedFilter & Owned,
  { at, atMost }: Readonly<{ at: Date; atMost: number }>,
): Promise<boolean> {
  const saved = await tx.run(
    sql`insert into saved_filters (person, section, name, query, saved_at)
        select ${person}, ${section}, ${name}, ${query}, ${at}
        where (select count(*) from saved_filters where person = ${person}
          and (section, name) <> (${section}, ${name})) < ${atMost}
        on conflict (person, section, name) do update set query = excluded.query, saved_at = excluded.saved_at`,
  )
  return saved === 1
}

export async function deleteFilter(
  tx: Tx,
  { person, section, name }: Omit<SavedFilter, 'query'> & Owned,
): Promise<boolean> {
  const deleted = await tx.run(
    sql`delete from saved_filters where person = ${person} and section = ${section} and name = ${name}`,
  )
  return deleted === 1
}
