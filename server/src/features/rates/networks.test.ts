import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cheapestNetworkOf, isNetwork, networkFeeIn, networksOf } from './networks.ts'
import type { NetworkName } from './networks.ts'
import { SANDBOX_PRICES } from './sandbox-prices.ts'

const prices = SANDBOX_PRICES

const NETWORK_FEES: readonly (readonly [NetworkName, string, bigint, string])[] = [
  ['SOLANA', 'USDC', 750n, '0.00075 USD'],
  ['SOLANA', 'USD', 1n, '0.075 cents, rounded up'],
  ['SOLANA', 'EUR', 1n, '0.069 cents, rounded up'],
  ['SOLANA', 'JPY', 1n, '0.1125 yen, rounded up'],
  ['SOLANA', 'BTC', 1n, '0.625 satoshi, rounded up'],
  ['ETHEREUM', 'USDC', 1_500_000n, '1.50 USD'],
  ['ETHEREUM', 'USD', 150n, '1.50 USD, nothing to round'],
  ['BASE', 'USDC', 30_000n, '0.03 USD'],
  ['POLYGON', 'USDC', 1_000n, '0.001 USD'],
  ['TRON', 'USDT', 1_560_000n, '1.56 USD'],
  ['TRON', 'USD', 156n, '1.56 USD, nothing to round'],
  ['PLASMA', 'USDT', 0n, 'free'],
  ['SPARK', 'BTC', 0n, 'free'],
  ['LIGHTNING', 'BTC', 0n, 'free'],
  ['BITCOIN', 'BTC', 1_000n, 'told in satoshi'],
  ['BITCOIN', 'USD', 120n, '1.20 USD'],
]

for (const [network, currency, expected, because] of NETWORK_FEES) {
  test(`FEE-2 the fee of ${network} in ${currency} is ${expected}: ${because}`, () => {
    assert.equal(networkFeeIn({ network, currency, prices }), expected)
  })
}

test('FEE-2 without a price only a free network, or gas paid in the currency itself, has a fee', () => {
  const none = new Map()
  assert.equal(networkFeeIn({ network: 'SOLANA', currency: 'USDC', prices: none }), undefined)
  assert.equal(networkFeeIn({ network: 'PLASMA', currency: 'USDT', prices: none }), 0n)
  assert.equal(networkFeeIn({ network: 'BITCOIN', currency: 'BTC', prices: none }), 1_000n)
})

test('RATE-6 crypto is priced over its cheapest network', () => {
  assert.equal(cheapestNetworkOf({ asset: 'USDC', prices }), 'SOLANA')
  assert.equal(cheapestNetworkOf({ asset: 'USDT', prices }), 'PLASMA')
  assert.equal(cheapestNetworkOf({ asset: 'USDB', prices }), 'SPARK')
  assert.equal(cheapestNetworkOf({ asset: 'BTC', prices }), 'SPARK')
})

test('FEE-8 a network carries only its assets, and fiat has none', () => {
  assert.deepEqual(networksOf('USDC'), ['SOLANA', 'ETHEREUM', 'BASE', 'POLYGON'])
  assert.deepEqual(networksOf('BTC'), ['SPARK', 'LIGHTNING', 'BITCOIN'])
  assert.deepEqual(networksOf('USD'), [])
  assert.equal(isNetwork('SOLANA'), true)
  assert.equal(isNetwork('toString'), false)
})
