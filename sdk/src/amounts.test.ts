import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAmount, parseAmount } from './amounts.ts'

const USD = { code: 'USD', decimals: 2 }
const JPY = { code: 'JPY', decimals: 0 }
const USDC = { code: 'USDC', decimals: 6 }

const CASES = [
  { amount: 1_999, currency: USD, written: '19.99', because: 'cents' },
  { amount: 5, currency: USD, written: '0.05', because: 'less than one' },
  { amount: 0, currency: USD, written: '0.00', because: 'nothing' },
  { amount: -150, currency: USD, written: '-1.50', because: 'below zero' },
  { amount: 1_500, currency: JPY, written: '1500', because: 'no decimals' },
  { amount: 1, currency: USDC, written: '0.000001', because: 'six of them' },
  { amount: 9_000_000_000_000_000, currency: USD, written: '90000000000000.00', because: 'most' },
]

for (const { amount, currency, written, because } of CASES) {
  test(`${amount} ${currency.code} is ${written}: ${because}`, () => {
    assert.equal(formatAmount(amount, currency), `${written} ${currency.code}`)
    assert.equal(parseAmount(written, currency), amount)
  })
}

test('what people write shorter is understood', () => {
  assert.equal(parseAmount('19.9', USD), 1_990)
  assert.equal(parseAmount('19', USD), 1_900)
})

const REFUSED = ['', '1,99', '1.999', '.5', '1.', '1e3', ' 1', '0x10', '99999999999999999']

for (const text of REFUSED) {
  test(`${JSON.stringify(text)} is no amount`, () => {
    assert.throws(() => parseAmount(text, USD), RangeError)
  })
}

test('a fraction of the smallest unit cannot be shown', () => {
  assert.throws(() => formatAmount(19.99, USD), RangeError)
})
