import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isClabe } from './clabe.ts'

const CASES: readonly [string, boolean, string][] = [
  ['032180000118359719', true, 'the example of the Mexican bankers'],
  ['002010077777777771', true, 'the example of an encyclopedia'],
  ['032180000118359718', false, 'control digit changed'],
  ['023180000118359719', false, 'two digits swapped'],
  ['123456789012345678', false, 'a sample that many guides copy'],
  ['03218000011835971', false, 'seventeen digits'],
  ['03218000011835971x', false, 'not a digit'],
]

for (const [text, expected, reason] of CASES) {
  test(`EACC-6 CLABE ${text}: ${reason}`, () => {
    assert.equal(isClabe(text), expected)
  })
}
