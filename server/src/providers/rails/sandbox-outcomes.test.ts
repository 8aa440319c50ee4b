import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advance } from '../../kernel/machine.ts'
import {
  incoming,
  outgoing,
  type OutgoingStatus,
} from '../../features/transactions/record/machine.ts'
import {
  isOfframpSuccessful,
  quotePayout,
  quotePull,
  transferIn,
  transferOut,
  type CollectionStep,
  type PayoutStep,
  type PullStep,
} from './sandbox-outcomes.ts'

/** Steps in words: `fail QUOTE_EXECUTION_FAILED at 0, refund TRANSACTION_FAILED COMPLETED`. */
function emitted(steps: readonly (PayoutStep | CollectionStep | PullStep)[]): string {
  return steps
    .map((step) => {
      const reason = 'reason' in step ? ` ${step.reason}` : ''
      const refund = 'refund' in step ? `, refund ${step.refund.reason} ${step.refund.ends}` : ''
      return `${step.event}${reason} at ${step.afterSeconds}${refund}`
    })
    .join('; ')
}

const SUFFIXES = [undefined, '001', '002', '003', '004', '005', '006', '007', '105', '999']

const PAYOUTS: Readonly<Record<string, string>> = {
  '002': 'fail QUOTE_EXECUTION_FAILED at 0, refund TRANSACTION_FAILED COMPLETED',
  '003': 'complete at 360',
  '004': 'fail COUNTERPARTY_POST_TX_FAILED at 0, refund TRANSACTION_FAILED COMPLETED',
  '005': 'complete at 0; return PAYOUT_RETURNED at 30, refund TRANSACTION_FAILED COMPLETED',
  '006': 'fail QUOTE_EXECUTION_FAILED at 0, refund USER_CANCELLATION COMPLETED',
  '007': 'fail COUNTERPARTY_POST_TX_FAILED at 0, refund TRANSACTION_FAILED FAILED',
}

const TRANSFERS_OUT: Readonly<Record<string, string>> = {
  '002': 'process at 0; fail QUOTE_EXECUTION_FAILED at 0, refund TRANSACTION_FAILED COMPLETED',
  '003': 'process at 0; fail ACCOUNT_INVALID at 0, refund TRANSACTION_FAILED COMPLETED',
  '004': 'process at 0; fail ACCOUNT_CANNOT_RECEIVE at 0, refund TRANSACTION_FAILED COMPLETED',
  '005': 'process at 30; fail QUOTE_EXECUTION_FAILED at 30, refund TIMEOUT COMPLETED',
}

const TRANSFERS_IN: Readonly<Record<string, string>> = {
  '002': 'fail COLLECTION_FAILED at 0',
  '003': 'fail COLLECTION_FAILED at 0',
  '004': 'fail COLLECTION_FAILED at 0',
  '005': 'fail COLLECTION_FAILED at 30',
}

const PULLS: Readonly<Record<string, string>> = {
  '002': 'fail QUOTE_EXECUTION_FAILED at 0',
  '003': 'fail QUOTE_EXECUTION_FAILED at 0',
  '004': 'fail QUOTE_EXECUTION_FAILED at 0',
  '005': 'fail QUOTE_EXECUTION_FAILED at 30',
}

for (const suffix of SUFFIXES) {
  const key = suffix ?? ''
  test(`section 9.3: the suffix ${suffix ?? 'none'} of an account decides how a payment from or to it ends`, () => {
    assert.equal(emitted(quotePayout(suffix)), PAYOUTS[key] ?? 'complete at 0')
    assert.equal(emitted(transferOut(suffix)), TRANSFERS_OUT[key] ?? 'process at 0; complete at 0')
    assert.equal(emitted(transferIn(suffix)), TRANSFERS_IN[key] ?? 'complete at 0')
    assert.equal(emitted(quotePull(suffix)), PULLS[key] ?? 'pull at 0')
  })

  test(`TXN-1 the steps of the suffix ${suffix ?? 'none'} are moves of the machine, to a final state`, () => {
    const walk = (from: OutgoingStatus, steps: readonly PayoutStep[]) =>
      steps.reduce<OutgoingStatus>((status, step) => advance(outgoing, status, step.event), from)
    assert.match(walk('PROCESSING', quotePayout(suffix)), /^(COMPLETED|FAILED)$/)
    assert.match(walk('PENDING', transferOut(suffix)), /^(COMPLETED|FAILED)$/)
    for (const step of transferIn(suffix)) {
      assert.match(advance(incoming, 'PENDING', step.event), /^(COMPLETED|FAILED)$/)
    }
  })
}

test('section 9.4: a default deposit account with the suffix 002, 004, 006 or 007 cannot be paid out to', () => {
  const failing = SUFFIXES.filter((suffix) => !isOfframpSuccessful(suffix))
  assert.deepEqual(failing, ['002', '004', '006', '007'])
})
