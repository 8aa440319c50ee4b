import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UPI_VPA_PATTERN } from './upi-vpa.ts'

const CASES: readonly [string, boolean, string][] = [
  ['asha@okbank', true, 'user and handle'],
  ['asha.rao-1_x@ybl', true, 'marks in the user'],
  ['9876543210@upi', true, 'a phone number as user'],
  ['asha@ok.bank', false, 'a handle has no dot'],
  ['asha', false, 'no handle'],
  ['@okbank', false, 'no user'],
  ['asha rao@okbank', false, 'a blank'],
]

for (const [text, expected, reason] of CASES) {
  test(`EACC-3 virtual payment address ${text}: ${reason}`, () => {
    assert.equal(new RegExp(UPI_VPA_PATTERN).test(text), expected)
  })
}
