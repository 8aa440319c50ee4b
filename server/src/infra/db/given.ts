import type { Sql } from './sql.ts'

/** The columns of rows that a statement is given: the type of each, and what a row has in it. */
export type Columns<Row> = Readonly<
  Record<string, readonly [type: string, valueOf: (row: Row) => unknown]>
>

const texts = new WeakMap<object, Map<string, readonly string[]>>()

/**
 * Rows as a table in a statement's `from`: `given('k', KEY, keys)` reads as `… k(platform_id, account)`. They are sent
 * as one array per column, so that the statement is the same for any number of them. Up to `plainMax` are sent as plain
 * values instead: unpacking arrays costs the server more than writing a row or two.
 */
export function given<Row>(
  name: string,
  columns: Columns<Row>,
  rows: readonly Row[],
  { plainMax } = { plainMax: 1 },
): Sql {
  const isPlain = rows.length > 0 && rows.length <= plainMax
  const values = Object.values(columns)
  return {
    parts: textOf(name, columns, isPlain ? rows.length : 0),
    values: isPlain
      ? rows.flatMap((row) => values.map(([, valueOf]) => valueOf(row)))
      : values.map(([, valueOf]) => rows.map(valueOf)),
  }
}

/** The text around the values, made once per table and number of plain rows. */
function textOf<Row>(name: string, columns: Columns<Row>, plainRows: number): readonly string[] {
  const known = texts.get(columns) ?? new Map<string, readonly string[]>()
  texts.set(columns, known)
  const key = `${name} ${plainRows}`
  const text = known.get(key) ?? (plainRows > 0 ? plainText : arrayText)(name, columns, plainRows)
  known.set(key, text)
  return text
}

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

function arrayText<Row>(name: string, columns: Columns<Row>): readonly string[] {
  const gaps = Object.values(columns).map(([type]) => `::${type}[], `)
  const last = gaps.pop()?.replace(/, $/, ')') ?? ''
  return ['unnest(', ...gaps, `${last}${aliasOf(name, columns)}`]
}
