import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  cheapestNetworkOf,
  isNetwork,
  NETWORKS,
  networkFeeIn,
  networksOf,
  SANDBOX_NETWORK_FEES,
} from './networks.ts'
import type { NetworkName } from './networks.ts'
import { SANDBOX_PRICES } from '../prices/sandbox-prices.ts'

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
    const fee = NETWORKS[network].sandboxFee
    assert.equal(networkFeeIn({ network, currency, fee, prices }), expected)
  })
}

test('FEE-2 without a price only a free network, or gas paid in the currency itself, has a fee', () => {
  const none = new Map()
  const unpriced = { prices: none, currency: 'USDC' }
  assert.equal(networkFeeIn({ network: 'SOLANA', ...unpriced, fee: 1n }), undefined)
  assert.equal(networkFeeIn({ network: 'SOLANA', ...unpriced, fee: 0n }), 0n)
  const inSatoshi = { network: 'BITCOIN', currency: 'BTC', prices: none } as const
  assert.equal(networkFeeIn({ ...inSatoshi, fee: 1_000n }), 1_000n)
})

test('RATE-6 crypto is priced over its cheapest network', () => {
  const cheapest = (asset: string) =>
    cheapestNetworkOf({ asset, prices, fees: SANDBOX_NETWORK_FEES })
  assert.equal(cheapest('USDC'), 'SOLANA')
  assert.equal(cheapest('USDT'), 'PLASMA')
  assert.equal(cheapest('USDB'), 'SPARK')
  assert.equal(cheapest('BTC'), 'SPARK')
})

test('RATE-6 FEE-11 of the networks that have a fee and a price for it the cheapest is taken', () => {
  const cheapest = (fees: readonly (readonly [NetworkName, bigint])[], known = prices) =>
    cheapestNetworkOf({ asset: 'USDC', prices: known, fees: new Map(fees) })
  assert.equal(cheapest([]), undefined)
  assert.equal(cheapest([['ETHEREUM', 1n]]), 'ETHEREUM')
  const both = [
    ['SOLANA', 5_000n],
    ['BASE', 0n],
  ] as const
  assert.equal(cheapest(both), 'BASE')
  const withoutGas = new Map([...prices].filter(([code]) => code !== 'SOL'))
  const dear = [
    ['SOLANA', 5_000n],
    ['ETHEREUM', 500_000_000_000_000n],
  ] as const
  assert.equal(cheapest(dear, withoutGas), 'ETHEREUM')
})

test('FEE-8 a network carries only its assets, and fiat has none', () => {
  assert.deepEqual(networksOf('USDC'), ['SOLANA', 'ETHEREUM', 'BASE', 'POLYGON'])
  assert.deepEqual(networksOf('BTC'), ['SPARK', 'LIGHTNING', 'BITCOIN'])
  assert.deepEqual(networksOf('USD'), [])
  assert.equal(isNetwork('SOLANA'), true)
  assert.equal(isNetwork('toString'), false)
})
