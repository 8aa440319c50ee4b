import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInvitationCode, newInvitationCode } from './invitation-code.ts'

test('INV-4 codes have 20 characters of an alphabet of 32, and no two are equal', () => {
  const codes = Array.from({ length: 2000 }, newInvitationCode)
  assert.equal(new Set(codes).size, codes.length)
  assert.ok(codes.every((code) => /^[a-z0-9]{20}$/.test(code) && isInvitationCode(code)))
  assert.equal(new Set(codes.join('')).size, 32, 'every sign occurs: five bits each, 100 in all')
})

const NO_CODES = [
  '',
  'short',
  'UPPERCASEUPPERCASE',
  'a'.repeat(65),
  'a b c d e f g h i j',
  'ab\u0000cdefghijklmnopq',
]
for (const text of NO_CODES) {
  test(`INV-5 ${JSON.stringify(text)} is the code of no invitation`, () => {
    assert.equal(isInvitationCode(text), false)
  })
}
