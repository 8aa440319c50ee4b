import { magicValues, type MagicPlace } from '../../kernel/text/magic-value.ts'
import type {
  IncomingFailureReason,
  OutgoingFailureReason,
  RefundReason,
} from '../../kernel/failure-reasons.ts'

/**
 * What the sandbox makes of a payment (chapter 31, section 9.3), as timed steps from t0, the moment it was accepted.
 * Steps of one time happen in the order of the list. None of this exists in PRODUCTION.
 */
type Timed = Readonly<{ afterSeconds: number }>

/** A failure after a debit starts its refund at the same instant, and the refund ends there too. */
export type RefundPlan = Readonly<{ reason: RefundReason; ends: 'COMPLETED' | 'FAILED' }>

/** Steps of money that was taken: events of the outgoing machine. */
export type PayoutStep = Timed &
  Readonly<
    | { event: 'process' }
    | { event: 'complete' }
    | { event: 'fail'; reason: OutgoingFailureReason; refund: RefundPlan }
    | { event: 'return'; reason: OutgoingFailureReason; refund: RefundPlan }
  >

/** Steps of a transfer-in: no money moves before it completes, so nothing is refunded. */
export type CollectionStep = Timed &
  Readonly<{ event: 'complete' } | { event: 'fail'; reason: IncomingFailureReason }>

/** Steps of the source of a pulling quote; once pulled, the destination decides. A failed pull took nothing. */
export type PullStep = Timed &
  Readonly<{ event: 'pull' } | { event: 'fail'; reason: OutgoingFailureReason }>

export const REFUNDED: RefundPlan = { reason: 'TRANSACTION_FAILED', ends: 'COMPLETED' }

const PAID: readonly PayoutStep[] = [{ afterSeconds: 0, event: 'complete' }]

export const PAID_LATE: readonly PayoutStep[] = [{ afterSeconds: 360, event: 'complete' }]

export function failedAtOnce(
  reason: OutgoingFailureReason,
  refund: RefundPlan = REFUNDED,
): readonly PayoutStep[] {
  return [{ afterSeconds: 0, event: 'fail', reason, refund }]
}

const QUOTE_PAYOUTS: ReadonlyMap<string, readonly PayoutStep[]> = new Map([
  ['002', failedAtOnce('QUOTE_EXECUTION_FAILED')],
  ['003', PAID_LATE],
  ['004', failedAtOnce('COUNTERPARTY_POST_TX_FAILED')],
  [
    '005',
    [...PAID, { afterSeconds: 30, event: 'return', reason: 'PAYOUT_RETURNED', refund: REFUNDED }],
  ],
  [
    '006',
    failedAtOnce('QUOTE_EXECUTION_FAILED', { reason: 'USER_CANCELLATION', ends: 'COMPLETED' }),
  ],
  [
    '007',
    failedAtOnce('COUNTERPARTY_POST_TX_FAILED', { reason: 'TRANSACTION_FAILED', ends: 'FAILED' }),
  ],
])

/** A quote's payout to an external account with this suffix; internal destinations have none and succeed. */
export function quotePayout(suffix: string | undefined): readonly PayoutStep[] {
  return QUOTE_PAYOUTS.get(suffix ?? '') ?? PAID
}

const PROCESSED: PayoutStep = { afterSeconds: 0, event: 'process' }

const TRANSFERS_OUT: ReadonlyMap<string, readonly PayoutStep[]> = new Map([
  ['002', [PROCESSED, ...failedAtOnce('QUOTE_EXECUTION_FAILED')]],
  ['003', [PROCESSED, ...failedAtOnce('ACCOUNT_INVALID')]],
  ['004', [PROCESSED, ...failedAtOnce('ACCOUNT_CANNOT_RECEIVE')]],
  [
    '005',
    [
      // PENDING until it times out; PROCESSING is passed through, as every failure after a debit does.
      { afterSeconds: 30, event: 'process' },
      {
        afterSeconds: 30,
        event: 'fail',
        reason: 'QUOTE_EXECUTION_FAILED',
        refund: { reason: 'TIMEOUT', ends: 'COMPLETED' },
      },
    ],
  ],
])

/** A transfer-out, which begins PENDING, to an external account with this suffix. */
export function transferOut(suffix: string | undefined): readonly PayoutStep[] {
  return TRANSFERS_OUT.get(suffix ?? '') ?? [PROCESSED, ...PAID]
}

/** What becomes of a pull from an external account with this suffix, and when. */
const PULL_FAILS_AFTER_SECONDS: ReadonlyMap<string, number> = new Map([
  ['002', 0],
  ['003', 0],
  ['004', 0],
  ['005', 30],
])

/** A transfer-in from an external account with this suffix. */
export function transferIn(suffix: string | undefined): readonly CollectionStep[] {
  const afterSeconds = PULL_FAILS_AFTER_SECONDS.get(suffix ?? '')
  return afterSeconds === undefined
    ? [{ afterSeconds: 0, event: 'complete' }]
    : [{ afterSeconds, event: 'fail', reason: 'COLLECTION_FAILED' }]
}

/** The source of a pulling quote with this suffix. */
export function quotePull(suffix: string | undefined): readonly PullStep[] {
  const afterSeconds = PULL_FAILS_AFTER_SECONDS.get(suffix ?? '')
  return afterSeconds === undefined
    ? [{ afterSeconds: 0, event: 'pull' }]
    : [{ afterSeconds, event: 'fail', reason: 'QUOTE_EXECUTION_FAILED' }]
}

const OFFRAMP_FAILS: ReadonlySet<string> = new Set(['002', '004', '006', '007'])

/** Section 9.4: whether an incoming UMA payment reaches the default deposit account with this suffix. */
export function isOfframpSuccessful(suffix: string | undefined): boolean {
  return !OFFRAMP_FAILS.has(suffix ?? '')
}

type Step = PayoutStep | CollectionStep | PullStep

function stepText(step: Step): string {
  const when = step.afterSeconds > 0 ? ` after ${step.afterSeconds} s` : ''
  if (!('reason' in step)) return `COMPLETED${when}`
  const refund = 'refund' in step ? `, refund ${step.refund.ends}: ${step.refund.reason}` : ''
  return `FAILED${when}: ${step.reason}${refund}`
}

/** What becomes of a payment, in words. */
export const courseText = (steps: readonly Step[]): string =>
  steps
    .filter(({ event }) => event !== 'process')
    .map(stepText)
    .join('; ')

const paying = (object: string, operation: string): MagicPlace => ({
  object: `external account, ${object}`,
  field: 'identifier: account number, IBAN, address …; before the @',
  operation,
})

const pulls = [...PULL_FAILS_AFTER_SECONDS.keys()]

export const MAGIC_PAYMENTS = [
  ...magicValues(paying('paid by a quote', 'executeQuote'), QUOTE_PAYOUTS, courseText),
  ...magicValues(
    paying('pulled from by a quote', 'executeQuote'),
    pulls.map((suffix) => [suffix, quotePull(suffix)] as const),
    courseText,
  ),
  ...magicValues(paying('paid by a transfer', 'createTransferOut'), TRANSFERS_OUT, courseText),
  ...magicValues(
    paying('pulled from by a transfer', 'createTransferIn'),
    pulls.map((suffix) => [suffix, transferIn(suffix)] as const),
    courseText,
  ),
  ...magicValues(
    paying('default for UMA deposits', 'sandboxReceive'),
    [...OFFRAMP_FAILS].map((suffix) => [suffix, 'FAILED: OFFRAMP_FAILED'] as const),
    (effect) => effect,
  ),
]
