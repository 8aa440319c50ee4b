import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DEFAULT_SERVICE_FEE, feesOf } from '../pricing/fees.ts'
import { midRate } from '../prices/mid-rate.ts'
import { networkFeeIn, NETWORKS } from './networks.ts'
import type { NetworkName } from './networks.ts'
import { price } from '../pricing/price.ts'
import { SANDBOX_PRICES } from '../prices/sandbox-prices.ts'
import { withdrawalFee } from './withdrawal-fee.ts'

const prices = SANDBOX_PRICES

function rateOf(sending: string, receiving: string) {
  const rate = midRate({ sending, receiving, prices })
  assert.ok(rate)
  return rate
}

test('FEE-1 FEE-2 FEE-3 fees across currencies add up, within one only network and application stay', () => {
  const asked = {
    service: { fixed: 7n, bps: 50n },
    platform: { fixed: 50n, bps: 30n },
    networkFee: 750n,
    applicationFee: 3n,
  }
  assert.deepEqual(feesOf({ ...asked, isCrossCurrency: true }), {
    fixed: { service: 760n, platform: 50n },
    bps: { service: 50n, platform: 30n },
  })
  assert.deepEqual(feesOf({ ...asked, isCrossCurrency: false }), {
    fixed: { service: 753n, platform: 0n },
    bps: { service: 0n, platform: 0n },
  })
  assert.deepEqual(feesOf({ isCrossCurrency: true, service: DEFAULT_SERVICE_FEE }), {
    fixed: { service: 0n, platform: 0n },
    bps: { service: 50n, platform: 0n },
  })
})

const SOLANA = {
  currency: 'USDC',
  network: 'SOLANA',
  networkFee: { fee: 5_000n, cost: 750n },
} as const

test('FEE-9 a withdrawal of 1 USDC over Solana costs 750 and delivers 999250', () => {
  const estimate = { ...SOLANA, amount: 1_000_000n }
  assert.deepEqual(withdrawalFee({ ...estimate, applicationFee: 0n }), {
    ok: true,
    networkFee: 5_000n,
    networkFeeAsset: 'SOL',
    applicationFee: 0n,
    totalFee: 750n,
    netAmount: 999_250n,
  })
  const dearer = withdrawalFee({ ...estimate, applicationFee: 100n })
  assert.ok(dearer.ok && dearer.totalFee === 850n && dearer.netAmount === 999_150n)
})

test('FEE-9 nothing is estimated where nothing would arrive', () => {
  const estimate = { ...SOLANA, applicationFee: 0n }
  assert.equal(withdrawalFee({ ...estimate, amount: 751n }).ok, true)
  assert.deepEqual(withdrawalFee({ ...estimate, amount: 750n }), {
    ok: false,
    code: 'AMOUNT_OUT_OF_RANGE',
    details: { minimum: 751, currency: 'USDC' },
  })
})

test('FEE-9 a same-currency payout of the amount charges exactly the estimate', () => {
  const network = fc.constantFrom<[NetworkName, string]>(
    ['SOLANA', 'USDC'],
    ['TRON', 'USDT'],
    ['BITCOIN', 'BTC'],
    ['SPARK', 'USDB'],
  )
  const amounts = fc.bigInt({ min: 1n, max: 10_000_000n })
  const applicationFees = fc.bigInt({ min: 0n, max: 1_000n })
  fc.assert(
    fc.property(network, amounts, applicationFees, ([name, currency], amount, applicationFee) => {
      const fee = NETWORKS[name].sandboxFee
      const networkFee = networkFeeIn({ network: name, currency, fee, prices })
      assert.ok(networkFee !== undefined)
      const fees = feesOf({
        isCrossCurrency: false,
        service: DEFAULT_SERVICE_FEE,
        networkFee,
        applicationFee,
      })
      const lock = { side: 'SENDING', amount } as const
      const paid = price({ ...fees, lock, rate: rateOf(currency, currency) })
      const estimate = withdrawalFee({
        amount,
        currency,
        network: name,
        networkFee: { fee, cost: networkFee },
        applicationFee,
      })
      assert.equal(paid.ok, estimate.ok)
      if (!paid.ok || !estimate.ok) return
      assert.equal(paid.fees, estimate.totalFee)
      assert.equal(paid.receiving.amount, estimate.netAmount)
    }),
  )
})
