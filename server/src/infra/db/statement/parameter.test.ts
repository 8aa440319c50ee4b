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

const IDS = [
  '01a1e9eb-5993-72b6-8e52-85d5269850ef',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
]
/** More than the room that lists are written into. */
const LONG_TEXTS = ['€'.repeat(100_000), 'x'.repeat(3_000_000), 'after them']

const cases: readonly (readonly [name: string, ask: Sql, expected: unknown])[] = [
  ['texts', sql`select ${TEXTS}::text[] as value`, TEXTS],
  ['bytes', sql`select ${BYTES}::bytea[] as value`, BYTES],
  ['moments', sql`select ${MOMENTS}::timestamptz[] as value`, MOMENTS],
  [
    'amounts',
    sql`select ${[-1n, 9_000_000_000_000_000n]}::bigint[] as value`,
    [-1n, 9_000_000_000_000_000n],
  ],
  [
    'the largest amounts',
    sql`select ${[2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n]}::bigint[] as value`,
    [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n],
  ],
  ['numbers', sql`select ${[0, -1, 2 ** 31 - 1]}::integer[] as value`, [0, -1, 2 ** 31 - 1]],
  ['ids', sql`select ${[...IDS, null]}::uuid[] as value`, [...IDS, null]],
  ['an id in capitals', sql`select ${[IDS[0]?.toUpperCase()]}::uuid[] as value`, [IDS[0]]],
  [
    'an id without hyphens',
    sql`select ${[IDS[0]?.replaceAll('-', '')]}::uuid[] as value`,
    [IDS[0]],
  ],
  ['long texts', sql`select ${LONG_TEXTS}::text[] as value`, LONG_TEXTS],
  [
    'lists of lists',
    sql`select ${[
      ['a', 'b'],
      ['c', '"'],
    ]}::text[] as value`,
    [
      ['a', 'b'],
      ['c', '"'],
    ],
  ],
  [
    'moments in a far year',
    sql`select ${[new Date('9999-12-31T00:00:00Z')]}::timestamptz[] as value`,
    [new Date('9999-12-31T00:00:00Z')],
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

const refused: readonly (readonly [name: string, ask: Sql, code: string])[] = [
  ['an id that is none', sql`select ${['01a1e9eb-5993-72b6-8e52-85d5269850eg']}::uuid[]`, '22P02'],
  [
    'a hyphen for a digit',
    sql`select ${['01a1e9eb55993-72b6-8e52-85d5269850ef']}::uuid[]`,
    '22P02',
  ],
  ['an amount beyond the largest', sql`select ${[2n ** 63n]}::bigint[]`, '22003'],
  ['a number beyond the largest', sql`select ${[2 ** 31]}::integer[]`, '22003'],
  ['a part of a number', sql`select ${[1.5]}::integer[]`, '22P02'],
  ['a text with a zero byte', sql`select ${['a\0b']}::text[]`, '22021'],
]

for (const [name, ask, code] of refused) {
  test(`a list with ${name} is refused as one value would be`, async () => {
    await assert.rejects(db.read.one(ask), { code })
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
