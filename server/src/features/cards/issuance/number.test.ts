import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inGroups, last4Of, withCheckDigit } from './number.ts'

const SOUND = [
  ['4111111111111111', 'a well-known test number'],
  ['4242424242424242', 'another one'],
  ['5555555555554444', 'of another brand'],
] as const

for (const [number, why] of SOUND) {
  test(`CARD-40 the check digit of ${number} is its last: ${why}`, () => {
    assert.equal(withCheckDigit(number.slice(0, -1)), number)
  })
}

test('CARD-40 two digits that change places change the check digit', () => {
  assert.notEqual(
    withCheckDigit('411111111111112').at(-1),
    withCheckDigit('411111111111121').at(-1),
  )
})

test('CARD-36 shown in groups of four, known by the last four', () => {
  assert.equal(inGroups('4111111111111234'), '4111 1111 1111 1234')
  assert.equal(last4Of('4111111111111234'), '1234')
})
