import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startKit } from '../../../test/kit/florin.ts'
import { bytesOf, jsonText, type ByteText } from '../../kernel/text/byte-text.ts'
import { sql } from '../db/statement/sql.ts'
import { differenceOf } from './event-difference.ts'

const kit = await startKit()
const { read } = kit.florin.deps.db

type Parts = readonly ByteText[]
const wholeOf = (parts: Parts): string => bytesOf(parts.join('') as ByteText).toString()

/** What the database makes of each difference. */
async function madeOf(pairs: readonly (readonly [base: Parts, own: Parts])[]) {
  const bases = pairs.map(([base]) => wholeOf(base))
  const differences = pairs.map(([base, own]) => bytesOf(differenceOf(base, own)).toString())
  const rows = await read.many<{ made: string }>(
    sql`select event_data(base, difference) as made
        from unnest(${bases}::text[], ${differences}::text[]) as u(base, difference)`,
  )
  return rows.map(({ made }) => made)
}

const texts = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(',"status":"', 'a\nb', '1 2 3', '😀€'),
  )
  .map((value) => jsonText(value))
const parts = fc.oneof(texts, fc.constant('' as ByteText))
/** Two lists that have some parts in common, of one length or another. */
const pairs = fc
  .tuple(fc.array(fc.tuple(parts, parts, fc.boolean())), fc.array(parts), fc.array(parts))
  .map(([both, baseEnd, ownEnd]) => {
    const base = [...both.map(([one]) => one), ...baseEnd]
    const own = [...both.map(([one, other, isSame]) => (isSame ? one : other)), ...ownEnd]
    return [base, own] as const
  })

test('HOOK-5 the database makes the same bytes of a difference, whatever the two have in common', async () => {
  const property = fc.asyncProperty(fc.array(pairs, { maxLength: 50 }), async (some) => {
    assert.deepEqual(
      await madeOf(some),
      some.map(([, own]) => wholeOf(own)),
    )
  })
  await fc.assert(property, { numRuns: 60 })
})

const [id, status, settled, name] = ['{"id":"1"', ',"status":"A"', ',"settled":"x"', ',"name":"€"}']
for (const [what, base, own, difference] of [
  ['the same', [id, status, name], [id, status, name], '0 36 0\n'],
  [
    'another value',
    [id, status, name],
    [id, ',"status":"BB"', name],
    '0 9 14 22 14 0\n,"status":"BB"',
  ],
  ['a part less', [id, settled, name], [id, '', name], '0 9 0 23 14 0\n'],
  ['a part more', [id, '', name], [id, settled, name], '0 9 14 9 14 0\n,"settled":"x"'],
  ['nothing in common', [id], [name], '0 0 14\n,"name":"€"}'],
] as const) {
  test(`HOOK-5 the difference of ${what} holds no more than that`, () => {
    const [from, to] = [base, own].map((all) =>
      all.map((part) => Buffer.from(part ?? '').toString('latin1') as ByteText),
    )
    assert.equal(bytesOf(differenceOf(from ?? [], to ?? [])).toString(), difference)
  })
}
