import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IFSC_PATTERN } from './ifsc.ts'

const CASES: readonly [string, boolean, string][] = [
  ['SBIN0005943', true, 'State Bank of India, the example of the Reserve Bank'],
  ['HDFC0000001', true, 'HDFC Bank'],
  ['KKBK0RTGSMI', true, 'letters in the branch'],
  ['SBIN1005943', false, 'the fifth character is a reserved zero'],
  ['SBI00005943', false, 'three letters'],
  ['SBIN000594', false, 'ten characters'],
  ['sbin0005943', false, 'lower case'],
]

for (const [text, expected, reason] of CASES) {
  test(`EACC-3 IFSC ${text}: ${reason}`, () => {
    assert.equal(new RegExp(IFSC_PATTERN).test(text), expected)
  })
}
