import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAbaRoutingNumber, isClabe, SORT_CODE_PATTERN, bareSortCode } from './national-number.ts'

const ROUTING_NUMBERS: readonly [string, boolean, string][] = [
  ['021000021', true, 'JPMorgan Chase, New York'],
  ['011401533', true, "the example of the American Bankers Association's guide"],
  ['122105155', true, 'US Bank, Arizona'],
  ['123456789', false, 'a sample that many guides copy'],
  ['021000022', false, 'last digit changed'],
  ['210000021', false, 'two digits swapped'],
  ['000000000', false, 'the sum is right, but it is never issued'],
  ['02100002', false, 'eight digits'],
  ['0210000211', false, 'ten digits'],
  ['02100002a', false, 'not a digit'],
]

for (const [text, expected, reason] of ROUTING_NUMBERS) {
  test(`EACC-6 routing number ${text}: ${reason}`, () => {
    assert.equal(isAbaRoutingNumber(text), expected)
  })
}

const CLABES: readonly [string, boolean, string][] = [
  ['032180000118359719', true, 'the example of the Mexican bankers'],
  ['002010077777777771', true, 'the example of an encyclopedia'],
  ['032180000118359718', false, 'control digit changed'],
  ['023180000118359719', false, 'two digits swapped'],
  ['123456789012345678', false, 'a sample that many guides copy'],
  ['03218000011835971', false, 'seventeen digits'],
  ['03218000011835971x', false, 'not a digit'],
]

for (const [text, expected, reason] of CLABES) {
  test(`EACC-6 CLABE ${text}: ${reason}`, () => {
    assert.equal(isClabe(text), expected)
  })
}

const SORT_CODES: readonly [string, boolean, string][] = [
  ['601613', true, 'as rails accept it'],
  ['60-16-13', true, 'as people write it'],
  ['60 16 13', true, 'with blanks'],
  ['60161', false, 'five digits'],
  ['60/16/13', false, 'slashes are not a separator'],
]

for (const [text, expected, reason] of SORT_CODES) {
  test(`EACC-4 sort code ${text}: ${reason}`, () => {
    assert.equal(new RegExp(SORT_CODE_PATTERN).test(bareSortCode(text)), expected)
  })
}
