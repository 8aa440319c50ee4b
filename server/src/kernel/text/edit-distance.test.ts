import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editDistance } from './edit-distance.ts'

const CASES: readonly [from: string, to: string, distance: number, why: string][] = [
  ['', '', 0, 'nothing to change'],
  ['', 'abc', 3, 'all inserted'],
  ['abc', '', 3, 'all deleted'],
  ['name', 'name', 0, 'the same'],
  ['nam', 'name', 1, 'one inserted'],
  ['names', 'name', 1, 'one deleted'],
  ['nome', 'name', 1, 'one replaced'],
  ['nmae', 'name', 1, 'two neighbours swapped'],
  ['ca', 'abc', 2, 'swapped, with one inserted between them'],
  ['kitten', 'sitting', 3, 'the example of every textbook'],
]

for (const [from, to, distance, why] of CASES) {
  test(`from "${from}" to "${to}" it is ${distance}: ${why}`, () => {
    assert.equal(editDistance(from, to), distance)
    assert.equal(editDistance(to, from), distance)
  })
}
