import pg from 'pg'
import type { QueryArrayResult } from 'pg'

const OID = { int8: 20, int8Array: 1016, date: 1082, timestamptz: 1184, numeric: 1700 }

const parseArray = pg.types.getTypeParser(OID.int8Array, 'text') as (text: string) => string[]

const PARSERS = new Map<number, (text: string) => unknown>([
  [OID.int8, BigInt],
  [OID.int8Array, (text) => parseArray(text).map(BigInt)],
  [OID.date, (text) => text],
  [OID.numeric, (text) => text],
])

/** Amounts are int8 and become bigint; nothing of money is ever parsed as a float. */
export const typeParsers = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    PARSERS.get(oid) ??
    pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

const camelNames = new Map<string, string>()

function camel(name: string): string {
  let known = camelNames.get(name)
  if (known === undefined) {
    known = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    camelNames.set(name, known)
  }
  return known
}

export function toRows<R>(result: QueryArrayResult<unknown[]>): R[] {
  const keys = result.fields.map((field) => camel(field.name))
  return result.rows.map((values) => {
    const row: Record<string, unknown> = {}
    for (let index = 0; index < keys.length; index += 1) row[keys[index] as string] = values[index]
    return row as R
  })
}
