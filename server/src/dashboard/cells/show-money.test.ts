import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMoney, showMoney } from './show-money.ts'

const ROWS = [
  [123_450n, 'USD', '1,234.50 USD', 'cents'],
  [5n, 'USD', '0.05 USD', 'less than one'],
  [0n, 'EUR', '0.00 EUR', 'nothing'],
  [99_900n, 'USD', '999.00 USD', 'nothing to group yet'],
  [1_234_567n, 'JPY', '1,234,567 JPY', 'no decimals'],
  [100_000_000n, 'BTC', '1.00000000 BTC', 'decimals are not grouped'],
  [-123_456_789n, 'USD', '−1,234,567.89 USD', 'owed'],
  [9_007_199_254_740_993n, 'USD', '90,071,992,547,409.93 USD', 'more than a float holds'],
] as const

for (const [amount, currency, shown, because] of ROWS) {
  test(`CORE-6 ${amount} of ${currency} are shown as ${shown}: ${because}`, () => {
    assert.equal(showMoney({ amount, currency }), shown)
  })
}

test('CORE-6 an amount is read as commands and as the API write it', () => {
  const five = { amount: 5n, currency: 'USD' }
  assert.deepEqual(readMoney({ amount: 5, currency: 'USD', rail: 'ACH' }), five)
  assert.deepEqual(readMoney({ amount: 5, currency: { code: 'USD', decimals: 2 } }), five)
  for (const other of [undefined, null, 5, {}, { amount: 5 }, { currency: 'USD' }]) {
    assert.equal(readMoney(other), undefined)
  }
})
