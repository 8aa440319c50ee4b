import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CURRENCIES } from '../../../kernel/money/currency.ts'
import { parseFraction } from '../../../kernel/money/fraction.ts'
import { displayRate, estimatedRate } from './display-rate.ts'
import { midRate } from './mid-rate.ts'
import { NETWORKS } from '../networks/networks.ts'
import { SANDBOX_PRICES } from './sandbox-prices.ts'

const prices = SANDBOX_PRICES

function rateOf(sending: string, receiving: string) {
  const rate = midRate({ sending, receiving, prices })
  assert.ok(rate)
  return rate
}

test('every currency of the catalogue and every gas asset has a sandbox price', () => {
  const gasAssets = Object.values(NETWORKS).map((network) => network.feeAsset)
  for (const code of [...CURRENCIES.map((currency) => currency.code), ...gasAssets]) {
    assert.ok(prices.has(code), code)
  }
})

test('the sandbox prices are exact decimals, of bitcoin and gas in USD per unit', () => {
  assert.deepEqual(prices.get('AED'), parseFraction('3.6725'))
  assert.deepEqual(prices.get('BTC'), { numerator: 1n, denominator: 120_000n })
  assert.deepEqual(prices.get('TRX'), parseFraction('100/12'))
  assert.deepEqual(prices.get('POL'), { numerator: 2n, denominator: 1n })
})

test('RATE-1 the mid rate counts receiving minor units per sending minor unit', () => {
  assert.deepEqual(rateOf('USD', 'EUR'), {
    from: 'USD',
    to: 'EUR',
    numerator: 23n,
    denominator: 25n,
  })
  assert.deepEqual(rateOf('USD', 'JPY'), { from: 'USD', to: 'JPY', numerator: 3n, denominator: 2n })
  assert.deepEqual(rateOf('USD', 'BTC'), {
    from: 'USD',
    to: 'BTC',
    numerator: 25n,
    denominator: 3n,
  })
  assert.deepEqual(rateOf('USDC', 'USD'), {
    from: 'USDC',
    to: 'USD',
    numerator: 1n,
    denominator: 10_000n,
  })
})

test('RATE-11 a pair without a price has no rate, equal currencies need none', () => {
  const none = new Map()
  assert.equal(midRate({ sending: 'USD', receiving: 'EUR', prices: none }), undefined)
  const one = midRate({ sending: 'USD', receiving: 'USD', prices: none })
  assert.deepEqual(one, { from: 'USD', to: 'USD', numerator: 1n, denominator: 1n })
})

test('RATE-4 the display rate is sending per receiving, UMA-3 the estimate receiving per sending', () => {
  assert.equal(displayRate(rateOf('USD', 'EUR')), 1.086956522)
  assert.equal(estimatedRate(rateOf('USD', 'EUR')), 0.92)
  assert.equal(displayRate(rateOf('VND', 'BTC')), 2_976_000_000)
  assert.equal(displayRate(rateOf('USD', 'USD')), 1)
  assert.equal(estimatedRate(rateOf('USDC', 'JPY')), 150)
})
