import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AMOUNT_MAX } from '../../../kernel/money/money.ts'
import { allInRate } from '../prices/display-rate.ts'
import { DEFAULT_SERVICE_FEE, feesOf } from './fees.ts'
import { midRate } from '../prices/mid-rate.ts'
import { rateRow } from './rate-row.ts'
import { SANDBOX_PRICES } from '../prices/sandbox-prices.ts'

const prices = SANDBOX_PRICES
const ALL = { minimum: 1n, maximum: AMOUNT_MAX }

function rateOf(sending: string, receiving: string) {
  const rate = midRate({ sending, receiving, prices })
  assert.ok(rate)
  return rate
}

test('RATE-8 a row is what a SENDING quote would give, its rate all-in', () => {
  const rate = rateOf('USD', 'EUR')
  const fees = feesOf({ isCrossCurrency: true, service: DEFAULT_SERVICE_FEE })
  assert.deepEqual(rateRow({ sendingAmount: 10_000n, rate, fees, range: ALL }), {
    receivingAmount: 9_154n,
    fees: { fixed: 0n, total: 50n },
    exchangeRate: 1.092418615,
  })
  const decimals = allInRate({
    sending: { amount: 12_345n, currency: 'USD' },
    receiving: { amount: 18_424n, currency: 'JPY' },
  })
  assert.equal(decimals, 0.006700499349)
})

test('RATE-8 a row out of range answers zero and the bare rate, its fixed fee all the same', () => {
  const rate = rateOf('USD', 'EUR')
  const fees = feesOf({ isCrossCurrency: true, service: { fixed: 20n, bps: 50n } })
  for (const sendingAmount of [0n, 1n, 20n]) {
    assert.deepEqual(rateRow({ sendingAmount, rate, fees, range: ALL }), {
      receivingAmount: 0n,
      fees: { fixed: 20n, total: 0n },
      exchangeRate: 1.086956522,
    })
  }
})
