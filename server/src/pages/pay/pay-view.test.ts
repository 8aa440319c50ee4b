import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountOf, moneyText } from './pay-view.ts'

const TYPED: readonly (readonly [typed: string, expected: bigint | undefined, because: string])[] =
  [
    ['50000', 5_000_000n, 'whole units'],
    ['50,000', 5_000_000n, 'thousands are parted by commas'],
    [' 1250.5 ', 125_050n, 'one digit is tenths'],
    ['0.01', 1n, 'the smallest unit'],
    ['0', 0n, 'a number, though none to pay'],
    ['1.005', undefined, 'less than the smallest unit'],
    ['1,00', undefined, 'a comma that parts no thousands'],
    ['-5', undefined, 'less than nothing'],
    ['1e3', undefined, 'no plain number'],
    ['', undefined, 'nothing'],
  ]

for (const [typed, expected, because] of TYPED) {
  test(`chapter 30, section 6: "${typed}" of COP is ${expected}: ${because}`, () => {
    assert.equal(amountOf(typed, 'COP'), expected)
  })
}

test('an amount is shown with its thousands parted and its currency named', () => {
  assert.equal(moneyText({ amount: 123_456_789n, currency: 'COP' }), '1,234,567.89 COP')
  assert.equal(moneyText({ amount: 5n, currency: 'COP' }), '0.05 COP')
  assert.equal(moneyText({ amount: 1500n, currency: 'JPY' }), '1,500 JPY')
})
