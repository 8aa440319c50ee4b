import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'

test('SCA-14 ten recovery codes of the form XXXX-XXXX-XXXX, no two alike', () => {
  const codes = newRecoveryCodes()
  assert.equal(codes.length, 10)
  assert.equal(new Set(codes).size, 10)
  for (const code of codes) assert.match(code, /^[A-Z2-7]{4}-[A-Z2-7]{4}-[A-Z2-7]{4}$/)
  assert.equal(new Set([...codes, ...newRecoveryCodes()]).size, 20)
})

test('SCA-21 a recovery code and an app’s code differ in form', () => {
  assert.ok(newRecoveryCodes().every(isRecoveryCode))
  for (const text of [
    '123456',
    'ABCD-EFGH',
    'abcd-efgh-ijkl',
    'ABC1-EFGH-IJKL',
    'ABCD-EFGH-IJKL ',
    '',
  ]) {
    assert.equal(isRecoveryCode(text), false, text)
  }
})
