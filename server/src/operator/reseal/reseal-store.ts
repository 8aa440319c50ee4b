import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { SealedColumn } from './sealed-columns.ts'

/** Names and conditions of the table of columns, which is code. */
const raw = (text: string): Sql => ({ parts: [text], values: [] })

/** A value that another key than the newest protects, with what is needed to seal it again. */
export type StaleValue = Readonly<{
  key: readonly string[]
  sealed: readonly Buffer[]
  context: string
  read: Readonly<Record<string, string>>
}>

const asList = ({ column, isList }: SealedColumn): string => (isList ? column : `array[${column}]`)

/** In the order of the primary key, from behind `after`: what was done before is passed over in the index's order. */
export async function listStale(
  tx: Tx,
  column: SealedColumn,
  {
    header,
    after,
    limit,
  }: Readonly<{ header: Buffer; after: readonly string[] | undefined; limit: number }>,
): Promise<StaleValue[]> {
  const { table, key, where = 'true', context, index } = column
  const names = raw(key.map(({ name }) => name).join(', '))
  const isBehind = after
    ? sql`(${names}) > (${sql.join(
        key.map(({ type }, at) => sql`${after[at] ?? ''}::${raw(type)}`),
        ', ',
      )})`
    : sql`true`
  const reads = (index?.reads ?? []).map((name) => `'${name}', ${name}`).join(', ')
  return tx.many<StaleValue>(
    sql`select array[${raw(key.map(({ name }) => `${name}::text`).join(', '))}] as key,
          ${raw(asList(column))} as sealed, ${raw(context)} as context,
          jsonb_build_object(${raw(reads)}) as read
        from ${raw(table)}
        where ${raw(where)} and ${raw(column.column)} is not null and ${isBehind}
          and exists (select from unnest(${raw(asList(column))}) as value
            where substring(value from 1 for ${header.length}) <> ${header})
        order by ${names} limit ${limit}`,
  )
}

/** False where somebody has changed the value meanwhile: it is then sealed under the newest key, or found again. */
export async function replaceSealed(
  tx: Tx,
  column: SealedColumn,
  {
    stale,
    sealed,
    index,
  }: Readonly<{ stale: StaleValue; sealed: readonly Buffer[]; index: Buffer | undefined }>,
): Promise<boolean> {
  const { table, key, isList } = column
  const value = (list: readonly Buffer[]): Sql =>
    isList ? sql`${list}::bytea[]` : sql`${list[0]}::bytea`
  const isRow = key.map(
    ({ name, type }, at) => sql`${raw(name)} = ${stale.key[at] ?? ''}::${raw(type)}`,
  )
  const withIndex =
    index && column.index ? sql`, ${raw(column.index.column)} = ${index}` : sql.empty
  const changed = await tx.run(
    sql`update ${raw(table)} set ${raw(column.column)} = ${value(sealed)}${withIndex}
        where ${sql.and(isRow)} and ${raw(column.column)} = ${value(stale.sealed)}`,
  )
  return changed === 1
}

/** How many values of a column each key protects. The key's id stands in front of every value. */
export function countByKey(
  tx: Tx,
  column: SealedColumn,
): Promise<Readonly<{ keyId: string; count: number }>[]> {
  const { table, where = 'true' } = column
  return tx.many(
    sql`select convert_from(substring(value from 3 for get_byte(value, 1)), 'SQL_ASCII') as key_id,
          count(*)::integer as count
        from ${raw(table)} cross join lateral unnest(${raw(asList(column))}) as value
        where ${raw(where)} and ${raw(column.column)} is not null group by 1`,
  )
}
