import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CURRENCIES } from '../../../kernel/money/currency.ts'
import { DEFAULT_SERVICE_FEE, feesOf } from './fees.ts'
import { midRate } from '../prices/mid-rate.ts'
import { price } from './price.ts'
import { rateDetails } from './rate-details.ts'
import { SANDBOX_PRICES } from '../prices/sandbox-prices.ts'

const prices = SANDBOX_PRICES

function rateOf(sending: string, receiving: string) {
  const rate = midRate({ sending, receiving, prices })
  assert.ok(rate)
  return rate
}

test('FEE-10 rateDetails show the price through the millisatoshi', () => {
  const rate = rateOf('USD', 'EUR')
  const fees = feesOf({ isCrossCurrency: true, service: { fixed: 3n, bps: 50n } })
  const priced = price({ ...fees, lock: { side: 'SENDING', amount: 100_003n }, rate })
  assert.ok(priced.ok)
  assert.deepEqual(rateDetails({ price: priced, rate, fees, prices }), {
    // One cent is 25/3 satoshi, 8333.33 millisatoshi; half a percent of it is the fee.
    serviceApiMultiplier: 8291.66666666667,
    counterpartyMultiplier: 0.0001104,
    counterpartyFixedFee: 0,
    serviceApiFixedFee: 3,
    serviceApiVariableFeeRate: 0.005,
    serviceApiVariableFeeAmount: 500,
  })
})

test('FEE-10 the product of the multipliers is the rate after the fee, within 1e-9', () => {
  const codes = CURRENCIES.map((currency) => currency.code)
  const code = fc.constantFrom(...codes)
  const bps = fc.bigInt({ min: 0n, max: 9_999n })
  fc.assert(
    fc.property(code, code, bps, (sending, receiving, serviceBps) => {
      const rate = rateOf(sending, receiving)
      const fees = feesOf({ isCrossCurrency: true, service: { fixed: 0n, bps: serviceBps } })
      const zero = { amount: 0n, currency: sending }
      const shown = rateDetails({
        price: {
          sending: zero,
          receiving: zero,
          fees: 0n,
          serviceFees: 0n,
          platformFees: 0n,
          serviceVariableFee: 0n,
          net: 0n,
        },
        rate,
        fees,
        prices,
      })
      assert.ok(shown && shown.serviceApiMultiplier > 0 && shown.counterpartyMultiplier > 0)
      const product = shown.serviceApiMultiplier * shown.counterpartyMultiplier
      const exact = Number(rate.numerator) / Number(rate.denominator)
      const expected = exact * (1 - Number(serviceBps) / 10_000)
      assert.ok(Math.abs(product / expected - 1) < 1e-9)
    }),
    { numRuns: 500 },
  )
})

test('FEE-10 without a price of bitcoin there are no rateDetails', () => {
  const rate = rateOf('USD', 'EUR')
  const fees = feesOf({ isCrossCurrency: true, service: DEFAULT_SERVICE_FEE })
  const priced = price({ ...fees, lock: { side: 'SENDING', amount: 1_000n }, rate })
  assert.ok(priced.ok)
  const fiat = new Map([...prices].filter(([code]) => code !== 'BTC'))
  assert.equal(rateDetails({ price: priced, rate, fees, prices: fiat }), undefined)
})
