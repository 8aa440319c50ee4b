import { newId } from '../../../kernel/ids.ts'
import { unreachable } from '../../../kernel/invariant.ts'
import type { Money } from '../../../kernel/money/money.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import { availableOf } from '../../../ledger/chart.ts'
import {
  debitPayer,
  deliverInside,
  deliverOutside,
  receiveFunding,
  recordPull,
  returnDelivery,
  type PartlyReturned,
} from '../../../ledger/recipes/payments.ts'
import { networkOf } from '../../external-accounts/index.ts'
import type { OutgoingFailureReason } from '../../../kernel/failure-reasons.ts'
import {
  type OutgoingEvent,
  moveOutgoing,
  emitIncoming,
  tracedDestination,
  newTransaction,
  type IncomingTransaction,
  type TransactionDestination,
} from '../../transactions/index.ts'
import { refundPayment, releaseDailyVolume } from './refund.ts'
import { repayDebt, withJournals, type PaymentState, type PaymentContext } from './state.ts'
import { ownerOfSide } from '../../payment-terms/index.ts'
import { orderLeg } from '../rail/order-leg.ts'
import { handOverJob, type PaymentStep } from '../rail/steps.ts'
import {
  balanceAfter,
  hasRoom,
  payoutRailOf,
  pricedPayment,
  pullRailOf,
  transitKeyOf,
  type Payment,
  payoutLegOf,
} from '../payment.ts'
import { REFUNDED, type RefundPlan } from '../../../providers/rails/sandbox-outcomes.ts'

/** Debits the internal account that pays (L2). */
export function takeFromAccount({ payment }: PaymentContext, state: PaymentState): PaymentState {
  const { paying, transaction } = payment
  if (paying.kind !== 'internal') return state
  const { id: transactionId, sent: money } = transaction
  return withJournals(state, debitPayer({ transactionId, accountId: paying.account.id, money }))
}

/** Books just-in-time funds that have arrived, of any amount (L3). */
export function takeFunds(
  state: PaymentState,
  { via, money }: { via: string; money: Money },
): PaymentState {
  return withJournals(
    state,
    receiveFunding({ transactionId: state.transaction.id, rail: via, money }),
  )
}

/** Takes one step of a payment whose lock the caller holds. Fails with the machine's refusal. */
export function takeStep(
  context: PaymentContext,
  state: PaymentState,
  step: PaymentStep,
): PaymentState {
  switch (step.event) {
    case 'process':
      return {
        ...state,
        transaction: moveOutgoing(context.eventContext, state.transaction, 'process'),
      }
    case 'pull':
      return pull(context, state)
    case 'handOver':
      handOver(context, state)
      return state
    case 'order':
      orderLeg(context, state, step.leg)
      return state
    case 'complete':
      return canBeDelivered(context, state)
        ? complete(context, state)
        : markFailed(context, state, UNDELIVERABLE)
    case 'return':
      return handleReturn(context, state, step)
    case 'fail':
      return markFailed(context, state, {
        event: step.event,
        reason: step.reason,
        refund: 'refund' in step ? step.refund : undefined,
      })
    default:
      return unreachable(step)
  }
}

export const takeSteps = (
  context: PaymentContext,
  state: PaymentState,
  steps: readonly PaymentStep[],
): PaymentState => steps.reduce((before, step) => takeStep(context, before, step), state)

/** Books the money that was pulled from an external account (L4). */
function pull(
  { payment: { paying, transaction } }: PaymentContext,
  state: PaymentState,
): PaymentState {
  if (paying.kind !== 'external') return state
  const { id: transactionId, sent: money } = transaction
  return withJournals(state, recordPull({ transactionId, rail: pullRailOf(paying), money }))
}

/** Queues the job that finds the receiver of a UMA address and pays it. */
function handOver({ eventContext }: PaymentContext, { transaction: { id } }: PaymentState): void {
  enqueue(eventContext, handOverJob, { transactionId: id }, { key: id })
}

const UNDELIVERABLE: Failure = {
  event: 'fail',
  reason: 'QUOTE_EXECUTION_FAILED',
  refund: REFUNDED,
}

/** False where the receiving account has no room: money that has come from outside is then refunded. */
export function canBeDelivered(
  { payment: { platformId, paying, receiving, transaction }, book }: PaymentContext,
  { journals }: PaymentState,
): boolean {
  const { received: money } = transaction
  // A payment between internal accounts is refused at the request instead.
  if (receiving.kind !== 'internal' || paying.kind === 'internal' || !money) return true
  return hasRoom(book, journals, { platformId, accountId: receiving.account.id, money })
}

/** Delivers the payment (L5, L6). Fees are earned now (FEE-5), and a receiver inside gets a transaction (TXN-3). */
function complete(context: PaymentContext, state: PaymentState): PaymentState {
  const { eventContext, payment } = context
  const { receiving, feeAccountId } = payment
  const priced = pricedPayment(payment)
  const journal =
    receiving.kind === 'internal'
      ? deliverInside({ ...priced, destinationAccountId: receiving.account.id })
      : deliverOutside({ ...priced, rail: payoutRailOf(receiving, state.transaction) })
  const transaction = moveOutgoing(eventContext, state.transaction, 'complete', {
    settledAt: eventContext.now,
    destination: settledDestination(context, state),
  })
  let done: PaymentState = { ...withJournals(state, journal), transaction }
  if (feeAccountId && priced.platformFees > 0n) {
    const { type, reference } = journal
    const money = { ...priced.sending, amount: priced.platformFees }
    const credit = { type: `${type}.fee`, reference }
    done = repayDebt(context, done, { credit, accountId: feeAccountId, money })
  }
  if (receiving.kind !== 'internal') return done
  const { id: accountId, customerId } = receiving.account
  if (customerId === null) {
    done = repayDebt(context, done, {
      credit: journal,
      accountId,
      money: priced.receiving,
    })
  }
  const received = receiptOf(context)
  if (!received) return done
  emitIncoming(eventContext, received)
  return { ...done, received: [...done.received, received] }
}

function settledDestination(
  { eventContext, payment }: PaymentContext,
  state: PaymentState,
): TransactionDestination {
  const { receiving } = payment
  const network = receiving.kind === 'external' ? networkOf(receiving.account) : undefined
  return tracedDestination(state.transaction, network, () => {
    const leg = payoutLegOf(payment)
    return leg && eventContext.ports.providerOf(leg.query)
  })
}

/** The incoming transaction of the receiver, unless payer and receiver are the same (TXN-3). */
function receiptOf({ eventContext, payment }: PaymentContext): IncomingTransaction | undefined {
  const { paying, receiving, transaction } = payment
  if (receiving.kind !== 'internal' || !transaction.received) return undefined
  const { customerId, platformCustomerId } = receiving.account
  const isOwn = (ownerOfSide(paying)?.id ?? null) === customerId
  // Pulled from the platform's bank on behalf of the customer, it is on the customer's own transaction already (TXN-20).
  if (isOwn || transaction.direction === 'CREDIT') return undefined
  return newTransaction<IncomingTransaction>({
    id: newId('transaction'),
    type: 'INCOMING',
    status: 'COMPLETED',
    customerId,
    platformCustomerId,
    source: transaction.source,
    destination: transaction.destination,
    sent: transaction.sent,
    received: transaction.received,
    quoteId: transaction.quoteId,
    description: transaction.description,
    settledAt: eventContext.now,
    createdAt: eventContext.now,
  })
}

export type Failure = Readonly<{
  event: Extract<OutgoingEvent, 'fail' | 'cancel'>
  reason: OutgoingFailureReason
  /** Undefined where nothing was debited yet. */
  refund: RefundPlan | undefined
}>

/** Fails the payment and refunds what was taken; a failed pull has taken nothing (TXN-16). */
export function markFailed(
  context: PaymentContext,
  state: PaymentState,
  { event, reason, refund }: Failure,
): PaymentState {
  const { eventContext, payment, book } = context
  const taken = balanceAfter(book, state.journals, transitKeyOf(payment))
  const isTaken = taken > 0n && refund !== undefined
  const before = isTaken
    ? state.transaction
    : releaseDailyVolume(state.transaction, eventContext.now)
  const transaction = moveOutgoing(eventContext, before, event, { failureReason: reason })
  const failed = { ...state, transaction }
  return isTaken ? refundPayment(context, failed, refund) : failed
}

type Return = Readonly<{
  reason: OutgoingFailureReason
  refund: RefundPlan
  returned?: PartlyReturned
}>

/** Books the return of a delivered payment by the receiving bank (L7). */
function handleReturn(
  context: PaymentContext,
  state: PaymentState,
  { reason, refund, returned }: Return,
): PaymentState {
  const { eventContext, payment } = context
  if (payment.receiving.kind !== 'external') return state
  const journal = returnDelivery({
    ...pricedPayment(payment),
    rail: payoutRailOf(payment.receiving, state.transaction),
    platformAvailable: feeBalance(context, state),
    ...(returned && { returned }),
  })
  const transaction = moveOutgoing(eventContext, state.transaction, 'return', {
    failureReason: reason,
  })
  return refundPayment(context, { ...withJournals(state, journal), transaction }, refund)
}

function feeBalance({ payment, book }: PaymentContext, state: PaymentState): bigint {
  const { platformId, feeAccountId, transaction }: Payment = payment
  if (!feeAccountId) return 0n
  const { currency } = transaction.sent
  return balanceAfter(book, state.journals, {
    platformId,
    account: availableOf(feeAccountId),
    currency,
  })
}
