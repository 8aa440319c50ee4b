import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { sql, type Sql } from './sql.ts'

const kit = await startOwnKit()
const { db } = kit.florin.deps

const TEXTS = [
  '',
  'plain',
  'NULL',
  'null',
  '{a,b}',
  'a"b',
  'a\\b',
  '\\"',
  'ä€😀',
  'a\nb\t',
  'a"\n\\',
  '\\"😀',
  '"\u2028\u007f',
  ' x ',
  "'",
]
const BYTES = [Buffer.from([0, 1, 92, 34, 255]), Buffer.alloc(0)]
const MOMENTS = [new Date('2026-02-28T23:59:59.999Z'), new Date('1969-12-31T00:00:00.001Z')]

const cases: readonly (readonly [name: string, ask: Sql, expected: unknown])[] = [
  ['texts', sql`select ${TEXTS}::text[] as value`, TEXTS],
  ['bytes', sql`select ${BYTES}::bytea[] as value`, BYTES],
  ['moments', sql`select ${MOMENTS}::timestamptz[] as value`, MOMENTS],
  [
    'amounts',
    sql`select ${[-1n, 9_000_000_000_000_000n]}::bigint[] as value`,
    [-1n, 9_000_000_000_000_000n],
  ],
  ['switches', sql`select ${[true, false]}::boolean[] as value`, [true, false]],
  ['missing ones', sql`select ${['a', null, undefined]}::text[] as value`, ['a', null, null]],
  [
    'objects',
    sql`select ${[sql.json({ a: ['"', '\\'] })]}::jsonb[] as value`,
    [{ a: ['"', '\\'] }],
  ],
  ['none', sql`select ${[]}::text[] as value`, []],
  ['a date', sql`select ${MOMENTS[0]}::timestamptz as value`, MOMENTS[0]],
  ['an amount', sql`select ${7n}::bigint as value`, 7n],
  ['a number', sql`select ${1.5}::float8 as value`, 1.5],
  ['a switch', sql`select ${false}::boolean as value`, false],
  ['an object', sql`select ${{ a: 1 }}::jsonb as value`, { a: 1 }],
  ['nothing', sql`select ${undefined}::text as value`, null],
]

for (const [name, ask, expected] of cases) {
  test(`a statement is given ${name} as they are`, async () => {
    assert.deepEqual((await db.read.one<{ value: unknown }>(ask)).value, expected)
  })
}

test('each text and each byte of a list is as it would be alone', async () => {
  for (const value of [...TEXTS, ...BYTES]) {
    const type = sql`${value}`
    const row = await db.read.one<{ value: unknown }>(
      typeof value === 'string'
        ? sql`select ${type}::text as value`
        : sql`select ${type}::bytea as value`,
    )
    assert.deepEqual(row.value, value)
  }
})
