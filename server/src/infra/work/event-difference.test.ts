import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startKit } from '../../../test/kit/florin.ts'
import { bytesOf, jsonText } from '../../kernel/text/byte-text.ts'
import { sql } from '../db/statement/sql.ts'
import { differenceOf } from './event-difference.ts'

const kit = await startKit()
const { read } = kit.florin.deps.db

/** What the database makes of each difference. */
async function madeOf(pairs: readonly (readonly [base: unknown, own: unknown])[]) {
  const texts = pairs.map(([base, own]) => [jsonText(base), jsonText(own)] as const)
  const bases = texts.map(([base]) => bytesOf(base).toString())
  const differences = texts.map(([base, own]) => bytesOf(differenceOf(base, own)).toString())
  const rows = await read.many<{ made: string }>(
    sql`select event_data(base, difference) as made
        from unnest(${bases}::text[], ${differences}::text[]) as u(base, difference)`,
  )
  return rows.map(({ made }) => made)
}

const names = fc.constantFrom('id', 'status', 'settledAt', 'name', 'amount', ',"', '€', '\n')
const values = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer(),
  fc.constantFrom(null, true, ',"status":"', 'a\nb', '1 2 3', '😀'),
)
const members = fc.array(fc.tuple(names, fc.oneof(values, fc.dictionary(names, values))), {
  maxLength: 12,
})
/** Two objects that have many members in common, in one order or another. */
const pairs = fc
  .tuple(members, members, members)
  .map(
    ([one, both, other]) =>
      [Object.fromEntries([...one, ...both]), Object.fromEntries([...both, ...other])] as const,
  )

test('HOOK-5 the database makes the same bytes of a difference, whatever the two have in common', async () => {
  const property = fc.asyncProperty(fc.array(pairs, { maxLength: 50 }), async (some) => {
    assert.deepEqual(
      await madeOf(some),
      some.map(([, own]) => JSON.stringify(own)),
    )
  })
  await fc.assert(property, { numRuns: 60 })
})

const PAYMENT = {
  id: 'Transaction:01a1f0e5-0ab5-7078-8be3-832ca6950776',
  customerId: 'Customer:01a1f0e4-d06b-7286-9824-b2f1d91dadbb',
  createdAt: '2026-11-18T23:01:44.757Z',
  updatedAt: '2026-11-18T23:01:44.757Z',
  status: 'PROCESSING',
  source: { sourceType: 'ACCOUNT', currency: 'USD' },
  receivedAmount: { amount: 91, currency: { code: 'EUR', symbol: '€' } },
}
const { createdAt, updatedAt, ...rest } = PAYMENT
const SETTLED = { ...rest, settledAt: createdAt, createdAt, updatedAt, status: 'COMPLETED' }

for (const [what, base, own, inserted] of [
  ['the same', PAYMENT, PAYMENT, ''],
  ['another value', { ...PAYMENT, status: 'COMPLETED' }, PAYMENT, ',"status":"PROCESSING"'],
  ['a member less at the end', { ...PAYMENT, settledAt: 'x' }, PAYMENT, ',"symbol":"€"}}}'],
  ['nothing in common', { a: 1 }, { b: 2 }, '{"b":2}'],
] as const) {
  test(`HOOK-5 the difference of ${what} holds no more than that`, () => {
    const difference = differenceOf(jsonText(base), jsonText(own))
    const [, added] = bytesOf(difference).toString().split('\n')
    assert.equal(added, inserted)
  })
}

test('HOOK-5 members in another order are copied one by one', async () => {
  const difference = differenceOf(jsonText(SETTLED), jsonText(PAYMENT))
  assert.ok(difference.length < jsonText(PAYMENT).length / 2, difference)
  assert.deepEqual(await madeOf([[SETTLED, PAYMENT]]), [JSON.stringify(PAYMENT)])
})
