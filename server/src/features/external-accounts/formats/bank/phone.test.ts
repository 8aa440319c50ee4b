import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CallingCode } from './phone.ts'
import { barePhone, hasCallingCode, phonePatternOf } from './phone.ts'

const KENYA: CallingCode = { code: '254', digits: [9, 9] }
const BOTSWANA: CallingCode = { code: '267', digits: [7, 8] }
const EGYPT: CallingCode = { code: '20' }

const CASES: readonly [string, CallingCode, boolean, string][] = [
  ['+254712345678', KENYA, true, 'nine national digits'],
  ['+25471234567', KENYA, false, 'eight national digits'],
  ['+2547123456789', KENYA, false, 'ten national digits'],
  ['+255712345678', KENYA, false, "the neighbour's calling code"],
  ['254712345678', KENYA, false, 'no plus'],
  ['+2677123456', BOTSWANA, true, 'seven national digits'],
  ['+26771234567', BOTSWANA, true, 'eight national digits'],
  ['+267712345678', BOTSWANA, false, 'nine national digits'],
  ['+201001234567', EGYPT, true, 'no rule for the length'],
  ['+20', EGYPT, false, 'nothing after the calling code'],
]

for (const [phone, callingCode, expected, reason] of CASES) {
  test(`EACC-3 ${phone} under +${callingCode.code}: ${reason}`, () => {
    assert.equal(hasCallingCode(phone, callingCode), expected)
  })
}

test('EACC-3 the pattern of a calling code reads as the contract writes it', () => {
  assert.equal(phonePatternOf(KENYA), '^\\+254[0-9]{9}$')
  assert.equal(phonePatternOf({ code: '62', digits: [9, 12] }), '^\\+62[0-9]{9,12}$')
})

test('EACC-4 marks that people write between digits are dropped', () => {
  assert.equal(barePhone(' +1 (415) 555-01.00/ '), '+14155550100')
})
