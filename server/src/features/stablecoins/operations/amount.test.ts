import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimateDelivery, parseCoinAmount, toCents } from './amount.ts'

const AMOUNTS: readonly [string, number, bigint | undefined, string][] = [
  ['10000', 6, 10_000n, 'one cent'],
  ['0010000', 6, 10_000n, 'leading zeros say nothing'],
  ['10001', 6, undefined, 'a cent and a bit'],
  ['1', 6, undefined, 'less than a cent'],
  ['0', 6, undefined, 'zero'],
  ['0000', 6, undefined, 'still zero'],
  ['9223372036854770000', 6, 9_223_372_036_854_770_000n, 'the most whole cents below 2^63'],
  ['9223372036854775807', 2, 9_223_372_036_854_775_807n, '2^63 - 1'],
  ['9223372036854775808', 2, undefined, '2^63'],
  ['9999999999999999999', 2, undefined, 'as many digits, but more'],
  [`1${'0'.repeat(100_000)}`, 6, undefined, 'digits without end'],
  [`${'0'.repeat(100_000)}10000`, 6, 10_000n, 'zeros without end'],
  ['1', 2, 1n, 'a coin of two decimals counts in cents'],
  ['7', 0, 7n, 'a coin of no decimals is always whole cents'],
  ['1', 3, undefined, 'a tenth of a cent'],
  ['10', 3, 10n, 'ten of them'],
]

for (const [digits, decimals, amount, why] of AMOUNTS) {
  const shown = digits.length > 30 ? `${digits.slice(0, 5)}…` : digits
  test(`STBL-10 ${shown} of ${decimals} decimals is ${amount ?? 'no amount'}: ${why}`, () => {
    assert.equal(parseCoinAmount(digits, decimals), amount)
  })
}

const CENTS: readonly [bigint, number, bigint][] = [
  [2_500_000n, 6, 250n],
  [10_000n, 6, 1n],
  [250n, 2, 250n],
  [25n, 1, 250n],
  [7n, 0, 700n],
  [9_223_372_036_854_770_000n, 6, 922_337_203_685_477n],
]

for (const [amount, decimals, cents] of CENTS) {
  test(`STBL-20 ${amount} of ${decimals} decimals are ${cents} cents`, () => {
    assert.equal(toCents(amount, decimals), cents)
  })
}

const TIMINGS = [
  ['WIRE', 'same day'],
  ['ACH_CREDIT', '1-3 business days'],
  ['SAME_DAY_ACH_CREDIT', 'same business day'],
  ['RTP_CREDIT', 'within minutes'],
] as const

for (const [rail, timing] of TIMINGS) {
  test(`STBL-20 money by ${rail} arrives ${timing}`, () => {
    const coin = { baseCurrency: 'USD', decimals: 6 }
    assert.deepEqual(estimateDelivery(coin, { amount: 2_500_000n, rail }), {
      rail,
      currency: 'USD',
      amount: '250',
      timing,
    })
  })
}
