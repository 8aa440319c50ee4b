import { formatId, newId } from '../../../kernel/ids.ts'
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
import { repaying, withJournals, type PaymentState, type PaymentContext } from './state.ts'
import { ownerOfSide } from '../../payment-terms/index.ts'
import { balanceAfter, hasRoom, pullRailOf, transitKeyOf, type Payment } from '../payment.ts'
import type { RefundPlan } from '../../../providers/rails/sandbox-outcomes.ts'

/** LIM-4: what is given back on the day it was debited no longer counts in that day's volume. */
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

/** What is under way is given back: the exact amount that was taken, fees included (FEE-6, TXN-6). */
export function refundPayment(
  context: PaymentContext,
  state: PaymentState,
  plan: RefundPlan,
): PaymentState {
  const transaction = startRefund(context.eventContext, state.transaction, plan.reason)
  const target = refundTargetOf(fundedBy(context.payment))
  const started = repayPlatform(context, { ...state, transaction })
  // What goes back over a rail is done when its sender says so.
  if (target.kind !== 'outside' || isSentBySandbox(context, target.rail)) {
    return endRefund(context, started, plan.ends)
  }
  orderRefund(context, started, target.rail)
  return started
}

/** What the platform has paid of a payment goes back to it, as far as there is something to go back (PROV-67). */
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
  return repaying(context, withJournals(state, credit), { credit, accountId, money })
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
  if (ends === 'FAILED' || !fits(context, state, { target, money })) {
    const failed = withJournals(state, suspendRefund({ transactionId, money }))
    return { ...failed, transaction: moveRefund(eventContext, transaction, 'fail') }
  }
  const journal = refund({ transactionId, money, target })
  const returned = { ...state, transaction: moveRefund(eventContext, transaction, 'complete') }
  return landed(context, withJournals(returned, journal), { target, credit: journal, money })
}

/** What a full account has no room for waits in suspense, where the operator retries it (TXN-7). */
const fits = (
  { payment: { platformId }, book }: PaymentContext,
  { journals }: PaymentState,
  { target, money }: Omit<Landing, 'credit'>,
): boolean =>
  target.kind !== 'account' ||
  hasRoom(book, journals, { platformId, accountId: target.accountId, money })

type ReturnedRefund = Readonly<{
  rail: string
  /** What came back now. */
  money: Money
  /** With what came back earlier. */
  total: bigint
  isWhole: boolean
}>

/**
 * A refund that had arrived outside came back: it waits for the operator, and all of it is a refund that failed
 * (PROV-55, V1).
 */
export function takeReturnedRefund(
  { eventContext }: PaymentContext,
  state: PaymentState,
  { isWhole, ...back }: ReturnedRefund,
): PaymentState {
  const { transaction } = state
  const taken = withJournals(state, suspendReturned({ transactionId: transaction.id, ...back }))
  if (!isWhole) return taken
  return { ...taken, transaction: moveRefund(eventContext, transaction, 'return') }
}

/** The operator's second try: what lies in suspense goes back to where it belongs (L8f undone, L8). */
export function retryEndedRefund(
  context: PaymentContext,
  state: PaymentState,
  money: Money,
): PaymentState {
  const { eventContext, payment } = context
  const { transaction } = state
  const { id: transactionId } = transaction
  const target = refundTargetOf(fundedBy(payment))
  const moved = { ...state, transaction: moveRefund(eventContext, transaction, 'retry') }
  const [taken, returned] = retryRefund({ transactionId, money, target })
  return landed(context, withJournals(moved, taken, returned), { target, credit: returned, money })
}

type AccountTarget = Extract<RefundTarget, { kind: 'account' }>

type Landing = Readonly<{
  target: RefundTarget
  credit: ReturnType<typeof refund>
  money: Money
}>

function landed(
  context: PaymentContext,
  state: PaymentState,
  { target, credit, money }: Landing,
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
  return owner ? seen : repaying(context, seen, { credit, accountId: target.accountId, money })
}

/** Just-in-time coins come back to an account that never sent them: to its owner they are a deposit (TXN-4). */
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
