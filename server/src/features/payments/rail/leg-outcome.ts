/** What happens when a leg was made or failed, as the operator or the provider that carries it says. */
import { fail } from '../../../kernel/errors.ts'
import type { OutgoingFailureReason, RefundReason } from '../../../kernel/failure-reasons.ts'
import { formatId, type Id } from '../../../kernel/ids.ts'
import { dropJobs } from '../../../infra/jobs/drop-jobs.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { PartlyReturned } from '../../../ledger/recipes/payments.ts'
import { loseFunds } from '../../../ledger/recipes/providers.ts'
import { REFUNDED, type RefundPlan } from '../../../providers/rails/sandbox-outcomes.ts'
import { lockAccountsForShare } from '../../internal-accounts/index.ts'
import {
  accountIdOfSide,
  mustLockTransaction,
  recordLeg,
  type LegOutcome,
  type OutgoingTransaction,
  type OutsideNames,
  type Transaction,
} from '../../transactions/index.ts'
import { isCollection } from '../money/collection.ts'
import { endRefund } from '../money/refund.ts'
import { runPayment, withJournals, type PaymentContext, type PaymentState } from '../money/state.ts'
import { takeStep, takeSteps } from '../money/take-step.ts'
import { balanceAfter, railOrderOf, transitKeyOf } from '../payment.ts'
import { isBeingRefunded, isUnderWay, isWithReceiver, nextLeg } from './next-leg.ts'
import { awaitsScreening } from './screening.ts'
import { runCollection, spendDestination } from './settle.ts'
import { settleTransactionJob, stepsOf, type PaymentStep } from './steps.ts'

type Settled = Readonly<{ outcome: LegOutcome; names: OutsideNames }>

/** Locks the payment and records the outcome of its next leg; callers refuse where it has none. */
async function lockAndRecord(
  work: Work,
  id: Id<'transaction'>,
  settled: Settled,
): Promise<Transaction> {
  const { tx, platform } = work
  const transaction = await mustLockTransaction(work, id)
  await work.react('transactions.settling', { transactionId: id })
  if (awaitsScreening(transaction)) fail('CONFLICT', { reason: 'HELD_BY_PROVIDER' })
  if (transaction.type === 'OUTGOING' && (await isWithReceiver(work, transaction))) {
    fail('CONFLICT', { reason: 'AWAITS_RECEIVER' })
  }
  dropJobs(tx, settleTransactionJob, [{ platformId: platform.id, key: id }])
  const { type, status } = transaction
  const isReturned = type === 'OUTGOING' && status === 'COMPLETED' && settled.outcome === 'FAILED'
  const leg = (await nextLeg(work, transaction)) ?? (isReturned ? 'RETURN' : undefined)
  return leg === undefined ? transaction : recordLeg(work, transaction, { leg, ...settled })
}

const failSettled = ({ status, refund }: Transaction): never =>
  fail('CONFLICT', { status, ...(refund && { refundStatus: refund.status }) })

const stepNow = (event: 'process' | 'pull' | 'complete' | 'handOver'): PaymentStep => ({
  afterSeconds: 0,
  event,
})

/**
 * Confirms the next leg: the pull, payout, transfer-in or refund. A pull for an internal account is delivered at once.
 * Fails: TRANSACTION_NOT_FOUND, INVALID_INPUT on the outside identifier (TXN-19), CONFLICT where no leg waits, an
 * invoice was paid already, or the receiving account is closed.
 */
export async function confirmLeg(
  work: Work,
  id: Id<'transaction'>,
  names: OutsideNames = {},
): Promise<Transaction> {
  const transaction = await lockAndRecord(work, id, { outcome: 'CONFIRMED', names })
  if (transaction.type === 'INCOMING') {
    if (transaction.status !== 'PENDING' || !isCollection(transaction)) {
      return failSettled(transaction)
    }
    await mustNotBeClosed(work, transaction)
    return runCollection(work, transaction, { afterSeconds: 0, event: 'complete' })
  }
  if (transaction.refund?.status === 'PENDING') {
    return runPayment(work, transaction, (context, state) => endRefund(context, state, 'COMPLETED'))
  }
  if (!isUnderWay(transaction)) return failSettled(transaction)
  if (await isBeingRefunded(work, transaction)) fail('CONFLICT', { reason: 'IS_GIVEN_BACK' })
  await mustNotBeClosed(work, transaction)
  const confirmed = await runPayment(
    work,
    transaction,
    (context, state) => takeSteps(context, state, confirmedSteps(context)),
    { mayRefund: false },
  )
  const isPaidTwice = confirmed.status === 'COMPLETED' && !(await spendDestination(work, confirmed))
  return isPaidTwice ? fail('CONFLICT', { reason: 'INVOICE_SPENT' }) : confirmed
}

/**
 * A closed account takes refunds but no new money, which its owner could never move; a frozen one takes payments under
 * way. Fails: CONFLICT, so that the operator sends the money back and fails the leg.
 */
async function mustNotBeClosed(
  { tx, platform }: Work,
  { destination }: Transaction,
): Promise<void> {
  const id = accountIdOfSide('internalAccount', destination)
  if (!id) return
  const [account] = await lockAccountsForShare(tx, [{ platformId: platform.id, id }])
  if (account?.status !== 'CLOSED') return
  fail('CONFLICT', { accountId: formatId('internalAccount', id), accountStatus: account.status })
}

function confirmedSteps({ eventContext, payment, book }: PaymentContext): PaymentStep[] {
  const { paying, receiving, transaction } = payment
  if (transaction.status === 'PENDING') return [stepNow('process'), stepNow('complete')]
  const taken = balanceAfter(book, [], transitKeyOf(payment))
  const isPulled = taken > 0n
  // Another amount arrived than the quote asked for: it is about to be refunded, so there is no payout.
  if (isPulled && taken !== transaction.sent.amount)
    fail('CONFLICT', { reason: 'FUNDING_AMOUNT_MISMATCH' })
  if (paying.kind !== 'external' || isPulled) return [stepNow('complete')]
  if (receiving.kind === 'uma') return [stepNow('pull'), stepNow('handOver')]
  if (receiving.kind === 'internal') return [stepNow('pull'), stepNow('complete')]
  const order = { ...railOrderOf(payment, 'quote'), pull: undefined }
  const [next] = stepsOf({ ports: eventContext.ports, order })
  return next?.event === 'order' ? [stepNow('pull'), next] : [stepNow('pull')]
}

export type LegFailure = Readonly<{
  reason: OutgoingFailureReason
  names?: OutsideNames
  /** The reason of the refund, where it differs from the failure. */
  refundReason?: RefundReason
  /** Earlier partial returns of the payout, which the payer has been credited. */
  returned?: PartlyReturned | undefined
  /** The platform has borne the payment, so it gets the refund. */
  refundsPlatform?: boolean
  /** The part that the platform has borne. */
  borne?: bigint
}>

/**
 * Fails the next leg: a payment under way fails and is refunded, a completed payout is returned, a pending refund
 * fails.
 * Fails: TRANSACTION_NOT_FOUND, INVALID_INPUT, CONFLICT where no leg can fail.
 */
export async function markLegFailed(
  work: Work,
  id: Id<'transaction'>,
  { reason, names = {}, refundReason, returned, ...platformShare }: LegFailure,
): Promise<Transaction> {
  const transaction = await lockAndRecord(work, id, { outcome: 'FAILED', names })
  if (transaction.type === 'INCOMING') {
    if (transaction.status !== 'PENDING' || !isCollection(transaction)) {
      return failSettled(transaction)
    }
    const failed = { afterSeconds: 0, event: 'fail', reason: 'COLLECTION_FAILED' } as const
    return runCollection(work, transaction, failed)
  }
  if (transaction.refund?.status === 'PENDING') {
    return runPayment(work, transaction, (context, state) => endRefund(context, state, 'FAILED'))
  }
  const refund = { ...REFUNDED, ...(refundReason && { reason: refundReason }) }
  return runPayment(
    work,
    transaction,
    (context, state) => takeFailure(context, state, { reason, refund, returned }),
    platformShare,
  )
}

function takeFailure(
  context: PaymentContext,
  state: PaymentState,
  { reason, refund, returned }: Pick<LegFailure, 'reason' | 'returned'> & { refund: RefundPlan },
): PaymentState {
  const { transaction, receiving } = context.payment
  const failure = { afterSeconds: 0, reason, refund } as const
  if (isUnderWay(transaction)) {
    const begun =
      transaction.status === 'PENDING' ? takeStep(context, state, stepNow('process')) : state
    return takeStep(context, begun, { ...failure, event: 'fail' })
  }
  if (transaction.status === 'COMPLETED' && receiving.kind === 'external') {
    const cause = { ...failure, reason: 'PAYOUT_RETURNED', event: 'return' } as const
    return takeStep(context, state, { ...cause, ...(returned && { returned }) })
  }
  return failSettled(transaction)
}

/** Fails a payment whose money was taken back outside, so that its payer gets no refund (PROV-67). */
export async function markUnfunded(
  work: Work,
  transaction: OutgoingTransaction,
  rail: string,
): Promise<void> {
  const { id: transactionId, sent: money } = transaction
  const failure = { afterSeconds: 0, event: 'fail', reason: 'QUOTE_EXECUTION_FAILED' } as const
  await runPayment(
    work,
    transaction,
    (context, state) =>
      withJournals(takeStep(context, state, failure), loseFunds({ transactionId, rail, money })),
    { mayRefund: false },
  )
}
