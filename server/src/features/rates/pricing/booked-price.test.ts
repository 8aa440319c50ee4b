import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newId } from '../../../kernel/ids.ts'
import { AMOUNT_MAX } from '../../../kernel/money/money.ts'
import { transitOf } from '../../../ledger/chart.ts'
import { assertBalanced } from '../../../ledger/posting.ts'
import type { Journal } from '../../../ledger/posting.ts'
import { captureHold, placeHold, releaseHold } from '../../../ledger/recipes/holds.ts'
import {
  debitPayer,
  deliverInside,
  deliverOutside,
  receiveFunding,
  recordPull,
  returnDelivery,
} from '../../../ledger/recipes/payments.ts'
import { suspendRefund, refund, retryRefund } from '../../../ledger/recipes/refunds.ts'
import { midRate } from '../prices/mid-rate.ts'
import { price } from './price.ts'
import { SANDBOX_PRICES } from '../prices/sandbox-prices.ts'

const transactionId = newId('transaction')
const accountId = newId('internalAccount')
const platformAccountId = newId('internalAccount')
const destinationAccountId = newId('internalAccount')

const fee = fc.bigInt({ min: 0n, max: 500n })
const bps = fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 900n }))

/** Payments as price() makes them, of either lock side, with and without each fee, across and within currencies. */
const pricedPayment = fc
  .record({
    sending: fc.constantFrom('USD', 'EUR', 'BTC', 'USDC', 'JPY'),
    receiving: fc.constantFrom('USD', 'EUR', 'BTC', 'USDC', 'JPY'),
    fixed: fc.record({ service: fee, platform: fee }),
    bps: fc.record({ service: bps, platform: bps }),
    lock: fc.record({
      side: fc.constantFrom<'SENDING' | 'RECEIVING'>('SENDING', 'RECEIVING'),
      amount: fc.oneof(
        fc.bigInt({ min: 1_200n, max: 1_000_000n }),
        fc.bigInt({ min: 1n, max: AMOUNT_MAX }),
      ),
    }),
  })
  .map(({ sending, receiving, ...request }) => {
    const rate = midRate({ sending, receiving, prices: SANDBOX_PRICES })
    assert.ok(rate)
    return price({ ...request, rate })
  })
  .filter((priced) => priced.ok)

/** The balance a set of journals leaves on one account. */
function leftOn(account: string, journals: readonly Journal[]): bigint {
  return journals
    .flatMap((journal) => journal.postings)
    .filter((posting) => posting.account === account)
    .reduce((sum, posting) => sum + posting.amount, 0n)
}

const target = { kind: 'account', accountId } as const

test('LEDG-1 LEDG-5 every step of every priced payment balances, and TRANSIT ends at zero', () => {
  fc.assert(
    fc.property(pricedPayment, fc.bigInt({ min: 0n, max: 1_000n }), (priced, platformAvailable) => {
      const payment = { ...priced, transactionId, platformAccountId }
      const money = priced.sending
      const source = { transactionId, accountId, money }
      const outside = { transactionId, rail: 'ACH', money }
      const delivered = deliverOutside({ ...payment, rail: 'SEPA' })
      const returned = returnDelivery({ ...payment, rail: 'SEPA', platformAvailable })
      const journeys: readonly (readonly Journal[])[] = [
        [debitPayer(source), delivered],
        [debitPayer(source), deliverInside({ ...payment, destinationAccountId })],
        [debitPayer(source), refund({ transactionId, money, target })],
        [debitPayer(source), delivered, returned, refund({ transactionId, money, target })],
        [
          debitPayer(source),
          suspendRefund({ transactionId, money }),
          ...retryRefund({ transactionId, money, target }),
        ],
        [receiveFunding(outside), delivered],
        [
          recordPull(outside),
          refund({ transactionId, money, target: { kind: 'outside', rail: 'ACH' } }),
        ],
        [placeHold(source), captureHold(source), delivered],
        [placeHold(source), releaseHold(source)],
      ]
      for (const journals of journeys) {
        for (const journal of journals) {
          assertBalanced(journal)
          assert.ok(journal.postings.every((posting) => posting.amount !== 0n))
        }
        assert.equal(leftOn(transitOf(transactionId), journals), 0n)
      }
    }),
    { numRuns: 300 },
  )
})

test('FEE-6 after a return and a refund every balance is zero except the platform’s debt', () => {
  fc.assert(
    fc.property(pricedPayment, fc.bigInt({ min: 0n, max: 1_000n }), (priced, platformAvailable) => {
      const payment = { ...priced, transactionId, platformAccountId, rail: 'SEPA' }
      const money = priced.sending
      const journals = [
        debitPayer({ transactionId, accountId, money }),
        deliverOutside(payment),
        returnDelivery({ ...payment, platformAvailable }),
        refund({ transactionId, money, target }),
      ]
      const sums = new Map<string, bigint>()
      for (const { account, currency, amount } of journals.flatMap((journal) => journal.postings)) {
        const key = `${account} ${currency}`
        sums.set(key, (sums.get(key) ?? 0n) + amount)
      }
      const left = [...sums].filter(([, amount]) => amount !== 0n)
      const kept =
        priced.platformFees > platformAvailable ? priced.platformFees - platformAvailable : 0n
      const currency = money.currency
      const expected =
        kept === 0n
          ? []
          : [
              [`IA:${platformAccountId}:available ${currency}`, kept],
              [`RECEIVABLE:platform ${currency}`, -kept],
            ]
      assert.deepEqual(left, expected)
    }),
  )
})
