import { raw } from '../../infra/db/statement/raw.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { SealedColumn } from './sealed-columns.ts'

/** A value that the newest key does not protect, with what is needed to seal it. */
export type StaleValue = Readonly<{
  key: readonly string[]
  /** Null where it is in plain. */
  sealed: readonly Buffer[] | null
  plain: string | null
  context: string
  read: Readonly<Record<string, string>>
}>

const isSealed = ({ column, where = 'true' }: SealedColumn): string =>
  `(${where} and ${column} is not null)`

/** In SQL: the sealed values of a row; null where it holds none. */
function valuesOf(column: SealedColumn): string {
  const { column: name, isList, isJson } = column
  const bytes = isJson ? `decode(trim('"' from ${name}::text), 'base64')` : name
  return `case when ${isSealed(column)} then ${isList ? name : `array[${bytes}]`} end`
}

/** In SQL: the text that is to be sealed; null in rows that do not hold it in plain. */
const contentOf = ({ plain }: SealedColumn): string =>
  plain ? `case when ${plain.where} then ${plain.content} end` : 'null::text'

/** What is stale, in the order of the primary key from behind `after`: what was done before is passed over. */
export async function listStale(
  tx: Tx,
  column: SealedColumn,
  {
    header,
    after,
    limit,
  }: Readonly<{ header: Buffer; after: readonly string[] | undefined; limit: number }>,
): Promise<StaleValue[]> {
  const { table, key, context, beside, plain } = column
  const names = raw(key.map(({ name }) => name).join(', '))
  const isBehind = after
    ? sql`(${names}) > (${sql.join(
        key.map(({ type }, at) => sql`${after[at] ?? ''}::${raw(type)}`),
        ', ',
      )})`
    : sql`true`
  const reads = (beside?.reads ?? []).map((name) => `'${name}', ${name}`).join(', ')
  const isPlain = tx.keyring.sealsContactData && plain ? plain.where : 'false'
  return tx.many<StaleValue>(
    sql`select array[${raw(key.map(({ name }) => `${name}::text`).join(', '))}] as key,
          ${raw(valuesOf(column))} as sealed, ${raw(contentOf(column))} as plain, ${raw(context)} as context,
          jsonb_build_object(${raw(reads)}) as read
        from ${raw(table)}
        where ${isBehind} and (${raw(isPlain)}
          or exists (select from unnest(${raw(valuesOf(column))}) as value
            where substring(value from 1 for ${header.length}) <> ${header}))
        order by ${names} limit ${limit}`,
  )
}

export type FreshValue = Readonly<{
  sealed: readonly Buffer[]
  beside: readonly (Buffer | string | boolean | null)[]
}>

/** False where the row was changed meanwhile: it is then sealed under the newest key, or found again. */
export async function replaceSealed(
  tx: Tx,
  column: SealedColumn,
  { stale, fresh }: Readonly<{ stale: StaleValue; fresh: FreshValue }>,
): Promise<boolean> {
  const { table, key, isList, isJson, beside } = column
  const [first] = fresh.sealed
  const single = isJson ? sql`${`"${first?.toString('base64')}"`}` : sql`${first}::bytea`
  const isRow = key.map(
    ({ name, type }, at) => sql`${raw(name)} = ${stale.key[at] ?? ''}::${raw(type)}`,
  )
  const isUnchanged = stale.sealed
    ? sql`${raw(valuesOf(column))} = ${stale.sealed}::bytea[]`
    : sql`${raw(contentOf(column))} = ${stale.plain}`
  const sets = [
    sql`${raw(column.column)} = ${isList ? sql`${fresh.sealed}::bytea[]` : single}`,
    ...(beside?.columns ?? []).map((name, at) => sql`${raw(name)} = ${fresh.beside[at]}`),
  ]
  const changed = await tx.run(
    sql`update ${raw(table)} set ${sql.join(sets, ', ')} where ${sql.and([...isRow, isUnchanged])}`,
  )
  return changed === 1
}

/** How many values of a column each key protects. The key's id stands in front of every value. */
export function countByKey(
  tx: Tx,
  column: SealedColumn,
): Promise<Readonly<{ keyId: string; count: number }>[]> {
  return tx.many(
    sql`select convert_from(substring(value from 3 for get_byte(value, 1)), 'SQL_ASCII') as key_id,
          count(*)::integer as count
        from ${raw(column.table)} cross join lateral unnest(${raw(valuesOf(column))}) as value group by 1`,
  )
}
