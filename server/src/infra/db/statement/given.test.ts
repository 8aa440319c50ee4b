import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { given, type Columns } from './given.ts'
import { sql, toStatement } from './sql.ts'

const kit = await startOwnKit()
const { db } = kit.florin.deps

type Row = Readonly<{ name: string; amount: bigint | null }>
const COLUMNS = {
  name: ['text', (row: Row) => row.name],
  amount: ['bigint', (row: Row) => row.amount],
} as const

const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, n) => ({ name: `n${n}`, amount: n % 2 ? null : BigInt(n) }))

for (const plainMax of [0, 1, 3]) {
  for (const count of [0, 1, 2, 3, 4]) {
    test(`${count} rows, plain up to ${plainMax}, are a table in their order`, async () => {
      const rows = rowsOf(count)
      const table = given('t', COLUMNS, rows, { plainMax })
      assert.deepEqual(await db.read.many(sql`select name, amount from ${table}`), rows)
    })
  }
}

for (const rows of [
  [1, 2, 3].map((n) => ({ name: `n${n}`, amount: null })),
  [1n, 2n, null].map((amount) => ({ name: null, amount })),
  [1, 2].map(() => ({ name: null, amount: null })),
]) {
  const shown = rows.map(({ name, amount }) => `${name} ${amount}`).join(', ')
  test(`columns that hold nothing are a table too: ${shown}`, async () => {
    const columns: Columns<(typeof rows)[number]> = {
      name: ['text', (row) => row.name],
      amount: ['bigint', (row) => row.amount],
    }
    const found = await db.read.many(sql`select name, amount from ${given('t', columns, rows)}`)
    assert.deepEqual(found, rows)
  })
}

test('the statement is the same for any number of rows, but for the few that are sent plain', () => {
  const nameFor = (count: number): string =>
    toStatement(sql`select * from ${given('t', COLUMNS, rowsOf(count))}`).name
  assert.equal(nameFor(2), nameFor(200))
  assert.equal(nameFor(0), nameFor(2))
  assert.notEqual(nameFor(1), nameFor(2))
  assert.equal(nameFor(1), nameFor(1))
})

test('the same columns under another name are another table', () => {
  const [first, second] = ['t', 'u'].map((name) => toStatement(given(name, COLUMNS, rowsOf(2))))
  assert.equal(first?.text, '(select unnest($1::text[]) as name, unnest($2::bigint[]) as amount) t')
  assert.equal(
    second?.text,
    '(select unnest($1::text[]) as name, unnest($2::bigint[]) as amount) u',
  )
})
