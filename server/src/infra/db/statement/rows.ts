import pg from 'pg'
import type { FieldDef } from 'pg'

const OID = { int8: 20, int8Array: 1016, date: 1082, timestamptz: 1184, numeric: 1700 }

const parseArray = pg.types.getTypeParser(OID.int8Array, 'text') as (text: string) => string[]

const PARSERS = new Map<number, (text: string) => unknown>([
  [OID.int8, BigInt],
  [OID.int8Array, (text) => parseArray(text).map(BigInt)],
  [OID.date, (text) => text],
  [OID.numeric, (text) => text],
])

/** Amounts are int8 and become bigint; nothing of money is ever parsed as a float. */
const parserOf = (oid: number): ((text: string) => unknown) =>
  PARSERS.get(oid) ?? pg.types.getTypeParser(oid, 'text')

const camelNames = new Map<string, string>()

export function camel(name: string): string {
  let known = camelNames.get(name)
  if (known === undefined) {
    known = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    camelNames.set(name, known)
  }
  return known
}

export type Columns = readonly Readonly<{ key: string; parse: (text: string) => unknown }>[]

export const toColumns = (fields: readonly FieldDef[]): Columns =>
  fields.map(({ name, dataTypeID }) => ({ key: camel(name), parse: parserOf(dataTypeID) }))

export function readRow(columns: Columns, values: readonly (string | null)[]): unknown {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index += 1) {
    const { key, parse } = columns[index] as Columns[number]
    const value = values[index] ?? null
    row[key] = value === null ? null : parse(value)
  }
  return row
}
