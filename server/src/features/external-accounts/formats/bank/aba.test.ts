import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAbaRoutingNumber } from './aba.ts'

const CASES: readonly [string, boolean, string][] = [
  ['021000021', true, 'JPMorgan Chase, New York'],
  ['011401533', true, "the example of the American Bankers Association's guide"],
  ['122105155', true, 'US Bank, Arizona'],
  ['123456789', false, 'a sample that many guides copy'],
  ['021000022', false, 'last digit changed'],
  ['210000021', false, 'two digits swapped'],
  ['000000000', false, 'the sum is right, but nobody has it'],
  ['02100002', false, 'eight digits'],
  ['0210000211', false, 'ten digits'],
  ['02100002a', false, 'not a digit'],
]

for (const [text, expected, reason] of CASES) {
  test(`EACC-6 routing number ${text}: ${reason}`, () => {
    assert.equal(isAbaRoutingNumber(text), expected)
  })
}
