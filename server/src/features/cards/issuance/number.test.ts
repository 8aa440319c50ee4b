import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inGroups, last4Of, passesLuhnCheck, withCheckDigit } from './number.ts'

const NUMBERS: readonly (readonly [string, boolean, string])[] = [
  ['4111111111111111', true, 'a well-known test number'],
  ['4242424242424242', true, 'another one'],
  ['5555555555554444', true, 'of another brand'],
  ['4111111111111112', false, 'its last digit is wrong'],
  ['4111111111111121', false, 'two digits changed places'],
  ['4111 1111 1111 1111', false, 'not digits alone'],
  ['', false, 'nothing'],
]

for (const [number, isSound, why] of NUMBERS) {
  test(`CARD-40 ${JSON.stringify(number)}: ${why}`, () => {
    assert.equal(passesLuhnCheck(number), isSound)
  })
}

test('CARD-40 the check digit of any fifteen digits makes sixteen that pass', () => {
  for (let n = 0; n < 200; n += 1) {
    const number = withCheckDigit(`400000${String(n * 4_999_979).padStart(9, '0')}`)
    assert.equal(number.length, 16)
    assert.ok(passesLuhnCheck(number), number)
  }
  assert.equal(withCheckDigit('411111111111111'), '4111111111111111')
})

test('CARD-36 shown in groups of four, known by the last four', () => {
  assert.equal(inGroups('4111111111111234'), '4111 1111 1111 1234')
  assert.equal(last4Of('4111111111111234'), '1234')
})
