import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../kernel/ids.ts'
import { availableOf, heldOf, transitOf } from '../chart.ts'
import { assertBalanced } from '../posting.ts'
import type { Journal } from '../posting.ts'
import * as deposits from './deposits.ts'
import * as holds from './holds.ts'
import * as payments from './payments.ts'
import { repayReceivable } from './receivable.ts'
import * as refunds from './refunds.ts'
import { returnBalance } from './returns.ts'

const transactionId = newId('transaction')
const accountId = newId('internalAccount')
const platformAccountId = newId('internalAccount')
const destinationAccountId = newId('internalAccount')
const money = { amount: 1_000n, currency: 'USD' }

/** Real account names on the left, the spec's words on the right. */
const WORDS: readonly (readonly [string, string])[] = [
  [availableOf(accountId), 'IA:available'],
  [heldOf(accountId), 'IA:held'],
  [availableOf(platformAccountId), 'IA(platform)'],
  [availableOf(destinationAccountId), 'IA(destination)'],
  [transitOf(transactionId), 'TRANSIT'],
]

/** A journal in the words of section 8: `IA:available −1000 USD, TRANSIT +1000 USD`. */
function emitted({ postings }: Journal): string {
  const words = new Map(WORDS)
  return postings
    .map(({ account, currency, amount }) => {
      const sign = amount < 0n ? '−' : '+'
      const size = amount < 0n ? -amount : amount
      return `${words.get(account) ?? account} ${sign}${size} ${currency}`
    })
    .join(', ')
}

// The worked example USD→EUR S 1000 with 100 bps of ours, 50 and 30 bps of the platform's.
const payment = {
  transactionId,
  sending: money,
  receiving: { amount: 862n, currency: 'EUR' },
  serviceFees: 10n,
  platformFees: 53n,
  platformAccountId,
}
const rail = 'SEPA_INSTANT'
const free = { ...payment, serviceFees: 0n, platformFees: 0n, platformAccountId: undefined }
const same = { ...free, receiving: money }
const hold = { transactionId, accountId, money }
const deposit = { reference: transactionId, rail: 'ACH', money, accountId }
const coin = { amount: 12_345n, currency: 'USDC' }
const toAccount = { kind: 'account', accountId } as const
const toOutside = { kind: 'outside', rail: 'ACH' } as const
const returned = { ...payment, rail }

const TABLE: readonly (readonly [rule: string, what: string, made: Journal, expected: string])[] = [
  [
    'L20',
    'the balance of a customer who is gone is returned to its platform',
    returnBalance({ reference: transactionId, accountId, platformAccountId, money }),
    'IA:available −1000 USD, IA(platform) +1000 USD',
  ],
  [
    'L1',
    'a deposit is credited',
    deposits.creditDeposit(deposit),
    'WORLD:ACH −1000 USD, IA:available +1000 USD',
  ],
  [
    'L1',
    'a coin is credited in dollars and its rest stays in FX',
    deposits.creditConvertedDeposit({
      ...deposit,
      rail: 'SOLANA',
      money: coin,
      credited: { amount: 1n, currency: 'USD' },
    }),
    'WORLD:SOLANA −12345 USDC, FX +12345 USDC, FX −1 USD, IA:available +1 USD',
  ],
  [
    'L1',
    'dust of a coin credits nothing',
    deposits.creditConvertedDeposit({
      ...deposit,
      rail: 'SOLANA',
      money: coin,
      credited: { amount: 0n, currency: 'USD' },
    }),
    'WORLD:SOLANA −12345 USDC, FX +12345 USDC',
  ],
  [
    'L2',
    'a payer is debited',
    payments.debitPayer(hold),
    'IA:available −1000 USD, TRANSIT +1000 USD',
  ],
  [
    'L3',
    'funds arrive',
    payments.receiveFunding({ ...hold, rail: 'FEDNOW' }),
    'WORLD:FEDNOW −1000 USD, TRANSIT +1000 USD',
  ],
  [
    'L4',
    'a pull succeeded',
    payments.recordPull({ ...hold, rail: 'ACH' }),
    'WORLD:ACH −1000 USD, TRANSIT +1000 USD',
  ],
  [
    'L5',
    'delivered outside',
    payments.deliverOutside({ ...payment, rail }),
    'TRANSIT −1000 USD, REVENUE:fees +10 USD, IA(platform) +53 USD, FX +937 USD, FX −862 EUR, WORLD:SEPA_INSTANT +862 EUR',
  ],
  [
    'L5',
    'without fees their lines are left out',
    payments.deliverOutside({ ...free, rail }),
    'TRANSIT −1000 USD, FX +1000 USD, FX −862 EUR, WORLD:SEPA_INSTANT +862 EUR',
  ],
  [
    'L5',
    'within one currency FX cancels',
    payments.deliverOutside({ ...same, rail: 'ACH' }),
    'TRANSIT −1000 USD, WORLD:ACH +1000 USD',
  ],
  [
    'L5',
    'within one currency only the network fee remains',
    payments.deliverOutside({
      ...same,
      serviceFees: 10n,
      receiving: { amount: 990n, currency: 'USD' },
      rail: 'SOLANA',
    }),
    'TRANSIT −1000 USD, REVENUE:fees +10 USD, WORLD:SOLANA +990 USD',
  ],
  [
    'L6',
    'delivered to an internal account',
    payments.deliverInside({ ...payment, destinationAccountId }),
    'TRANSIT −1000 USD, REVENUE:fees +10 USD, IA(platform) +53 USD, FX +937 USD, FX −862 EUR, IA(destination) +862 EUR',
  ],
  [
    'L7',
    'returned, the platform gives all of its fee back',
    payments.returnDelivery({ ...returned, platformAvailable: 53n }),
    'WORLD:SEPA_INSTANT −862 EUR, FX +862 EUR, FX −937 USD, REVENUE:fees −10 USD, IA(platform) −53 USD, TRANSIT +1000 USD',
  ],
  [
    'L7',
    'returned, the platform gives what it has and owes the rest',
    payments.returnDelivery({ ...returned, platformAvailable: 20n }),
    'WORLD:SEPA_INSTANT −862 EUR, FX +862 EUR, FX −937 USD, REVENUE:fees −10 USD, IA(platform) −20 USD, RECEIVABLE:platform −33 USD, TRANSIT +1000 USD',
  ],
  [
    'L7',
    'returned, the platform has nothing and owes all',
    payments.returnDelivery({ ...returned, platformAvailable: 0n }),
    'WORLD:SEPA_INSTANT −862 EUR, FX +862 EUR, FX −937 USD, REVENUE:fees −10 USD, RECEIVABLE:platform −53 USD, TRANSIT +1000 USD',
  ],
  [
    'L8',
    'refunded to an account',
    refunds.refund({ ...hold, target: toAccount }),
    'TRANSIT −1000 USD, IA:available +1000 USD',
  ],
  [
    'L8',
    'refunded over the rail',
    refunds.refund({ ...hold, target: toOutside }),
    'TRANSIT −1000 USD, WORLD:ACH +1000 USD',
  ],
  [
    'L8f',
    'a refund failed',
    refunds.suspendRefund(hold),
    'TRANSIT −1000 USD, SUSPENSE:refund_failed +1000 USD',
  ],
  ['L9', 'an amount is held', holds.placeHold(hold), 'IA:available −1000 USD, IA:held +1000 USD'],
  ['L10', 'a hold is captured', holds.captureHold(hold), 'IA:held −1000 USD, TRANSIT +1000 USD'],
  [
    'L11',
    'a hold is released',
    holds.releaseHold(hold),
    'IA:held −1000 USD, IA:available +1000 USD',
  ],
  [
    'L12',
    'a deposit is held for review',
    deposits.holdDeposit(deposit),
    'WORLD:ACH −1000 USD, IA:held +1000 USD',
  ],
  [
    'L12',
    'a deposit is cleared',
    deposits.clearDeposit(deposit),
    'IA:held −1000 USD, IA:available +1000 USD',
  ],
  [
    'L12',
    'a deposit is refused',
    deposits.refuseDeposit(deposit),
    'IA:held −1000 USD, WORLD:ACH +1000 USD',
  ],
  [
    'L13',
    'an incoming payment on its way out',
    deposits.receiveForPayout({ ...hold, rail: 'UMA' }),
    'WORLD:UMA −1000 USD, TRANSIT +1000 USD',
  ],
  [
    'L15',
    'a deposit without an owner',
    deposits.parkDeposit(deposit),
    'WORLD:ACH −1000 USD, SUSPENSE:unattributed +1000 USD',
  ],
  [
    'L15',
    'a deposit is sent back',
    deposits.sendBackDeposit(deposit),
    'SUSPENSE:unattributed −1000 USD, WORLD:ACH +1000 USD',
  ],
]

for (const [rule, what, made, expected] of TABLE) {
  test(`LEDG-1 ${rule} ${what}`, () => {
    assert.equal(emitted(made), expected)
    assert.equal(made.reference, transactionId)
    assertBalanced(made)
  })
}

test('LEDG-1 L8f a retried refund undoes the failure, then refunds', () => {
  const journals = refunds.retryRefund({ ...hold, target: toAccount })
  assert.deepEqual(journals.map(emitted), [
    'SUSPENSE:refund_failed −1000 USD, TRANSIT +1000 USD',
    'TRANSIT −1000 USD, IA:available +1000 USD',
  ])
})

test("LEDG-1 L15 an attributed deposit leaves the house and reaches its owner's book", () => {
  assert.equal(
    emitted(deposits.handOverDeposit(deposit)),
    'SUSPENSE:unattributed −1000 USD, WORLD:ACH +1000 USD',
  )
  assert.equal(
    emitted(deposits.creditDeposit(deposit)),
    'WORLD:ACH −1000 USD, IA:available +1000 USD',
  )
})

const REPAID: readonly (readonly [owed: bigint, expected: string, because: string])[] = [
  [0n, '', 'nothing is owed'],
  [33n, 'IA(platform) −33 USD, RECEIVABLE:platform +33 USD', 'the credit covers it'],
  [1_000n, 'IA(platform) −1000 USD, RECEIVABLE:platform +1000 USD', 'the credit covers it just'],
  [1_001n, 'IA(platform) −1000 USD, RECEIVABLE:platform +1000 USD', 'the rest stays owed'],
]

for (const [owed, expected, because] of REPAID) {
  test(`FEE-6 L14 of a credit of 1000 with ${owed} owed: ${because}`, () => {
    const credit = { type: 'deposit.credited', reference: transactionId }
    const made = repayReceivable({ credit, platformAccountId, credited: money, owed })
    assert.equal(made ? emitted(made) : '', expected)
  })
}

test('L14 two credits of one transaction repay under two names', () => {
  const credited = { platformAccountId, credited: money, owed: 5n }
  const names = ['payment.delivered', 'refund.completed'].map(
    (type) => repayReceivable({ ...credited, credit: { type, reference: transactionId } })?.type,
  )
  assert.equal(new Set(names).size, 2)
})

test('LEDG-1 no two steps of one transaction share a type', () => {
  const [retried] = refunds.retryRefund({ ...hold, target: toAccount })
  const steps = [
    deposits.creditDeposit(deposit),
    deposits.holdDeposit(deposit),
    deposits.clearDeposit(deposit),
    deposits.refuseDeposit(deposit),
    deposits.receiveForPayout({ ...hold, rail }),
    deposits.parkDeposit(deposit),
    deposits.handOverDeposit(deposit),
    deposits.sendBackDeposit(deposit),
    holds.placeHold(hold),
    holds.captureHold(hold),
    holds.releaseHold(hold),
    payments.debitPayer(hold),
    payments.receiveFunding({ ...hold, rail }),
    payments.recordPull({ ...hold, rail }),
    payments.deliverOutside({ ...payment, rail }),
    payments.returnDelivery({ ...returned, platformAvailable: 0n }),
    refunds.refund({ ...hold, target: toAccount }),
    refunds.suspendRefund(hold),
    retried,
  ]
  assert.equal(new Set(steps.map((step) => step.type)).size, steps.length)
})

test('a movement of nothing or less is a bug', () => {
  for (const amount of [0n, -1n]) {
    const backwards = { ...hold, money: { amount, currency: 'USD' } }
    assert.throws(() => payments.debitPayer(backwards), { name: 'InvariantError' })
  }
})

test('FEE-7 a platform fee without an account, and fees that leave nothing, are bugs', () => {
  const homeless = { ...payment, platformAccountId: undefined, rail }
  assert.throws(() => payments.deliverOutside(homeless), { name: 'InvariantError' })
  const eaten = { ...payment, serviceFees: 947n, rail }
  assert.throws(() => payments.deliverOutside(eaten), { name: 'InvariantError' })
})
