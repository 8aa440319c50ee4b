import { formatId, newId } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { minOf, type Money } from '../../../kernel/money/money.ts'
import { orderRefund, refundQuery } from '../rail/order-leg.ts'
import { isCrypto } from '../../../kernel/money/currency.ts'
import {
  suspendRefund,
  suspendReturned,
  refund,
  retryRefund,
  type RefundTarget,
} from '../../../ledger/recipes/refunds.ts'
import { volumeDayOf } from '../../rates/index.ts'
import {
  moveRefund,
  startRefund,
  emitIncoming,
  refundTargetOf,
  type FundedBy,
  newTransaction,
  type IncomingTransaction,
  type OutgoingTransaction,
} from '../../transactions/index.ts'
import {
  repayDebt,
  runPayment,
  withJournals,
  type PaymentState,
  type PaymentContext,
} from './state.ts'
import { ownerOfSide } from '../../payment-terms/index.ts'
import { balanceAfter, hasRoom, pullRailOf, transitKeyOf, type Payment } from '../payment.ts'
import type { RefundPlan } from '../../../providers/rails/sandbox-outcomes.ts'

/** A refund on the day of the debit takes the payment out of that day's volume (LIM-4). */
export function releaseDailyVolume(
  transaction: OutgoingTransaction,
  now: Date,
): OutgoingTransaction {
  return transaction.volumeDay === volumeDayOf(now)
    ? { ...transaction, volumeDay: null }
    : transaction
}

function fundedBy({ paying, transaction, refundAccountId, refundsPlatform }: Payment): FundedBy {
  if (refundsPlatform) {
    invariant(refundAccountId, 'A platform has an account in the currency that it paid.')
    return { kind: 'internalAccount', accountId: refundAccountId }
  }
  if (paying.kind === 'internal') return { kind: 'internalAccount', accountId: paying.account.id }
  if (paying.kind === 'external') return { kind: 'pull', rail: pullRailOf(paying) }
  if (isCrypto(paying.currency)) {
    invariant(refundAccountId, 'There is an account that coins go back to.')
    return { kind: 'realtimeCrypto', ownerAccountId: refundAccountId }
  }
  const { source } = transaction
  const rail = source.sourceType === 'REALTIME_FUNDING' ? source.paymentRail : undefined
  invariant(rail, 'Fiat that has arrived came over a rail.')
  return { kind: 'realtimeFiat', rail }
}

/** Refunds the exact amount that was taken, fees included (FEE-6, TXN-6). */
export function refundPayment(
  context: PaymentContext,
  state: PaymentState,
  plan: RefundPlan,
): PaymentState {
  const transaction = startRefund(context.eventContext, state.transaction, plan.reason)
  const target = refundTargetOf(fundedBy(context.payment))
  const started = repayPlatform(context, { ...state, transaction })
  // A refund over a rail ends when its provider reports it.
  if (target.kind !== 'outside' || isSentBySandbox(context, target.rail)) {
    return endRefund(context, started, plan.ends)
  }
  orderRefund(context, started, target.rail)
  return started
}

/** The platform gets back what it has borne, as far as there is money in transit (PROV-67). */
function repayPlatform(context: PaymentContext, state: PaymentState): PaymentState {
  const { payment, book } = context
  const { borne, transaction } = payment
  if (!borne) return state
  const { accountId } = borne
  const left = balanceAfter(book, state.journals, transitKeyOf(payment))
  const money = {
    amount: minOf(borne.amount, left),
    currency: transaction.sent.currency,
  }
  const target = { kind: 'account', accountId } as const
  const credit = {
    ...refund({ transactionId: transaction.id, money, target }),
    type: 'refund.borne',
  }
  return repayDebt(context, withJournals(state, credit), { credit, accountId, money })
}

const isSentBySandbox = ({ eventContext, payment }: PaymentContext, rail: string): boolean =>
  eventContext.ports.providerOf(refundQuery(payment, rail))?.kind === 'sandbox'

export function endRefund(
  context: PaymentContext,
  state: PaymentState,
  ends: RefundPlan['ends'],
): PaymentState {
  const { eventContext, payment, book } = context
  const { transaction } = state
  const { id: transactionId, sent } = transaction
  const amount = balanceAfter(book, state.journals, transitKeyOf(payment))
  const money = { amount, currency: sent.currency }
  const target = refundTargetOf(fundedBy(payment))
  if (ends === 'FAILED' || !fitsAccount(context, state, { target, money })) {
    const failed = withJournals(state, suspendRefund({ transactionId, money }))
    return { ...failed, transaction: moveRefund(eventContext, transaction, 'fail') }
  }
  const journal = refund({ transactionId, money, target })
  const returned = { ...state, transaction: moveRefund(eventContext, transaction, 'complete') }
  return afterRefund(context, withJournals(returned, journal), { target, credit: journal, money })
}

/** A refund that does not fit into its account goes to suspense, where the operator retries it (TXN-7). */
const fitsAccount = (
  { payment: { platformId }, book }: PaymentContext,
  { journals }: PaymentState,
  { target, money }: Omit<RefundCredit, 'credit'>,
): boolean =>
  target.kind !== 'account' ||
  hasRoom(book, journals, { platformId, accountId: target.accountId, money })

type ReturnedRefund = Readonly<{
  rail: string
  /** Returned now. */
  money: Money
  /** Returned now and earlier. */
  total: bigint
  isWhole: boolean
}>

/**
 * Books a refund that was returned after it had arrived outside: it goes to suspense for the operator, and a whole
 * return fails the refund (PROV-55, V1).
 */
export function takeReturnedRefund(
  work: Work,
  transaction: OutgoingTransaction,
  { isWhole, ...back }: ReturnedRefund,
): Promise<OutgoingTransaction> {
  const suspended = suspendReturned({ transactionId: transaction.id, ...back })
  return runPayment(work, transaction, (_context, state) => {
    const taken = withJournals(state, suspended)
    return isWhole ? { ...taken, transaction: moveRefund(work, transaction, 'return') } : taken
  })
}

/** Retries a failed refund at the operator's command, from suspense to its target (L8f undone, L8). */
export function retryEndedRefund(
  work: Work,
  transaction: OutgoingTransaction,
  money: Money,
): Promise<OutgoingTransaction> {
  return runPayment(work, transaction, (context, state) => {
    const target = refundTargetOf(fundedBy(context.payment))
    const moved = { ...state, transaction: moveRefund(work, transaction, 'retry') }
    const [taken, credit] = retryRefund({ transactionId: transaction.id, money, target })
    return afterRefund(context, withJournals(moved, taken, credit), { target, credit, money })
  })
}

type AccountTarget = Extract<RefundTarget, { kind: 'account' }>

type RefundCredit = Readonly<{
  target: RefundTarget
  credit: ReturnType<typeof refund>
  money: Money
}>

function afterRefund(
  context: PaymentContext,
  state: PaymentState,
  { target, credit, money }: RefundCredit,
): PaymentState {
  const { paying, refundsPlatform } = context.payment
  const owner = refundsPlatform ? undefined : ownerOfSide(paying)
  const back = {
    ...state,
    transaction: releaseDailyVolume(state.transaction, context.eventContext.now),
  }
  if (target.kind !== 'account') return back
  const isDeposit = paying.kind === 'realtime' && !refundsPlatform
  const seen = isDeposit ? withDeposit(context, back, { target, money }) : back
  return owner ? seen : repayDebt(context, seen, { credit, accountId: target.accountId, money })
}

/** Just-in-time coins are refunded to an account that did not send them, so its owner sees a deposit (TXN-4). */
function withDeposit(
  { eventContext, payment: { paying } }: PaymentContext,
  state: PaymentState,
  { target, money }: Readonly<{ target: AccountTarget; money: Money }>,
): PaymentState {
  const owner = ownerOfSide(paying)
  const { source, quoteId } = state.transaction
  const deposit = newTransaction<IncomingTransaction>({
    id: newId('transaction'),
    type: 'INCOMING',
    status: 'COMPLETED',
    customerId: owner?.id ?? null,
    platformCustomerId: owner?.platformCustomerId ?? null,
    source,
    destination: {
      destinationType: 'ACCOUNT',
      accountId: formatId('internalAccount', target.accountId),
      currency: money.currency,
    },
    sent: money,
    received: money,
    quoteId,
    settledAt: eventContext.now,
    createdAt: eventContext.now,
  })
  emitIncoming(eventContext, deposit)
  return { ...state, received: [...state.received, deposit] }
}
