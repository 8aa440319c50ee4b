import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IFSC_PATTERN, UPI_VPA_PATTERN } from './india.ts'

const BRANCH_CODES: readonly [string, boolean, string][] = [
  ['SBIN0005943', true, 'State Bank of India, the example of the Reserve Bank'],
  ['HDFC0000001', true, 'HDFC Bank'],
  ['KKBK0RTGSMI', true, 'letters in the branch'],
  ['SBIN1005943', false, 'the fifth character is a reserved zero'],
  ['SBI00005943', false, 'three letters'],
  ['SBIN000594', false, 'ten characters'],
  ['sbin0005943', false, 'lower case'],
]

for (const [text, expected, reason] of BRANCH_CODES) {
  test(`EACC-3 IFSC ${text}: ${reason}`, () => {
    assert.equal(new RegExp(IFSC_PATTERN).test(text), expected)
  })
}

const PAYMENT_ADDRESSES: readonly [string, boolean, string][] = [
  ['asha@okbank', true, 'user and handle'],
  ['asha.rao-1_x@ybl', true, 'marks in the user'],
  ['9876543210@upi', true, 'a phone number as user'],
  ['asha@ok.bank', false, 'a handle has no dot'],
  ['asha', false, 'no handle'],
  ['@okbank', false, 'no user'],
  ['asha rao@okbank', false, 'a blank'],
]

for (const [text, expected, reason] of PAYMENT_ADDRESSES) {
  test(`EACC-3 virtual payment address ${text}: ${reason}`, () => {
    assert.equal(new RegExp(UPI_VPA_PATTERN).test(text), expected)
  })
}
