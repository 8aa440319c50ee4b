import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SORT_CODE_PATTERN, bareSortCode } from './sort-code.ts'

const CASES: readonly [string, boolean, string][] = [
  ['601613', true, 'as the rails want it'],
  ['60-16-13', true, 'as people write it'],
  ['60 16 13', true, 'with blanks'],
  ['60161', false, 'five digits'],
  ['60/16/13', false, 'slashes are nobody’s custom'],
]

for (const [text, expected, reason] of CASES) {
  test(`EACC-4 sort code ${text}: ${reason}`, () => {
    assert.equal(new RegExp(SORT_CODE_PATTERN).test(bareSortCode(text)), expected)
  })
}
