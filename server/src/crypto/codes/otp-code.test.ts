import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newOtpCode } from './otp-code.ts'

test('CHAL-8 a code has the configured length and alphabet', () => {
  const cases = [
    [{}, /^\d{6}$/, 'six digits by default'],
    [{ otpLength: 4 }, /^\d{4}$/, 'shortest'],
    [{ otpLength: 12, alphanumeric: false }, /^\d{12}$/, 'longest'],
    [{ otpLength: 8, alphanumeric: true }, /^[2-9A-HJ-NP-Z]{8}$/, 'no 0 O 1 I'],
    [{ alphanumeric: true }, /^[2-9A-HJ-NP-Z]{6}$/, 'the length has a default of its own'],
  ] as const
  for (const [form, pattern, why] of cases) {
    for (let draw = 0; draw < 200; draw += 1) assert.match(newOtpCode(form), pattern, why)
  }
})

test('CHAL-8 every character of the alphabet is drawn, and codes differ', () => {
  const codes = Array.from({ length: 400 }, () => newOtpCode({ otpLength: 12, alphanumeric: true }))
  assert.equal(new Set(codes).size, codes.length)
  assert.equal(new Set(codes.join('')).size, 32)
  const digits = Array.from({ length: 400 }, () => newOtpCode()).join('')
  assert.equal(new Set(digits).size, 10)
})
