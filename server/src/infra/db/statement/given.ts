import type { Sql } from './sql.ts'

/** The columns of rows that are passed to a statement: their types, and how each is read from a row. */
export type Columns<Row> = Readonly<
  Record<string, readonly [type: string, valueOf: (row: Row) => unknown]>
>

/** Computed once per table: the readers of values, and the texts around them. */
type Known = Readonly<{
  readers: readonly ((row: unknown) => unknown)[]
  /** By the table's name, then by the number of plain rows, 0 for arrays. */
  texts: Map<string, (readonly string[])[]>
}>
const known = new WeakMap<object, Known>()

function knownOf<Row>(columns: Columns<Row>): Known {
  const readers = () => Object.values(columns as Columns<unknown>).map(([, valueOf]) => valueOf)
  const found = known.get(columns) ?? { readers: readers(), texts: new Map() }
  known.set(columns, found)
  return found
}

/**
 * Passes rows as a table in a statement's `from`: `given('k', KEY, keys)` reads as `… k(platform_id, account)`. They are
 * sent as one array per column, so that the statement is the same for any number of rows. Up to `plainMax` rows are sent
 * as plain values instead, since unpacking arrays costs the server more than writing a row or two.
 */
export function given<Row>(
  name: string,
  columns: Columns<Row>,
  rows: readonly Row[],
  { plainMax } = { plainMax: 1 },
): Sql {
  const plainRows = rows.length <= plainMax ? rows.length : 0
  const { readers, texts } = knownOf(columns)
  const ofName = texts.get(name) ?? []
  if (ofName.length === 0) texts.set(name, ofName)
  const parts = (ofName[plainRows] ??= (plainRows > 0 ? plainText : arrayText)(
    name,
    columns,
    plainRows,
  ))
  if (plainRows === 0)
    return { parts, values: readers.map((read, at) => listOf(rows.map(read), at)) }
  const values: unknown[] = []
  for (const row of rows) for (const read of readers) values.push(read(row))
  return { parts, values }
}

/** The server fills shorter lists with nulls, so of the columns behind the first those without a value are sent empty. */
const listOf = (values: readonly unknown[], at: number): readonly unknown[] =>
  at > 0 && values.every((value) => value === null || value === undefined) ? [] : values

const aliasOf = (name: string, columns: object): string =>
  ` ${name}(${Object.keys(columns).join(', ')})`

function plainText<Row>(name: string, columns: Columns<Row>, rows: number): readonly string[] {
  const types = Object.values(columns).map(([type]) => type)
  const gaps = Array.from({ length: rows }, () => types).flatMap((row, at) =>
    row.map((type, n) => `::${type}${n < types.length - 1 ? ', ' : at < rows - 1 ? '), (' : ''}`),
  )
  const end = `${gaps.pop() ?? ''}))${aliasOf(name, columns)}`
  return ['(values (', ...gaps, end]
}

/** Each list in the select list: in `from`, the server would store the values of each list before it reads them. */
function arrayText<Row>(name: string, columns: Columns<Row>): readonly string[] {
  const gaps = Object.entries(columns).map(
    ([column, [type]], at, all) =>
      `::${type}[]) as ${column}${at < all.length - 1 ? ', unnest(' : `) ${name}`}`,
  )
  return ['(select unnest(', ...gaps]
}
