/**
 * The money step of a payment out, the only place where its money is held or debited. Checking the daily volume, moving
 * the money and adding to the volume in this order keeps the limits among the commands of a batch.
 */
import { mustPass } from '../../../kernel/errors.ts'
import type { Money } from '../../../kernel/money/money.ts'
import type { RegisteredProvider } from '../../../kernel/ports.ts'
import type { RailOrder } from '../../../providers/rails/rails.ts'
import type { Batch, BatchState } from '../../../ledger/batch.ts'
import { addDailyVolume, checkDailyVolume } from '../../rates/index.ts'
import type { OutgoingFailureReason } from '../../../kernel/failure-reasons.ts'
import { captureFromAccount, holdPayment } from './hold.ts'
import {
  emitOutgoing,
  moveOutgoing,
  type EventContext,
  type IncomingTransaction,
  type OutgoingTransaction,
} from '../../transactions/index.ts'
import { beginPayment, type PaymentState, type PaymentContext } from './state.ts'
import { orderScreening, stepsBeforeScreening, screenerOf } from '../rail/screening.ts'
import { enqueueSteps, planSteps, type PaymentStep } from '../rail/steps.ts'
import type { PaymentTerms } from '../../payment-terms/index.ts'
import { railOrderOf, type Payment } from '../payment.ts'
import { failedAtOnce } from '../../../providers/rails/sandbox-outcomes.ts'
import { takeFromAccount, takeFunds, canBeDelivered, takeSteps } from './take-step.ts'

type Moving = Readonly<{ eventContext: EventContext; payment: Payment; batch: Batch }>

export type MoneyMove<A = undefined> = Readonly<{
  kind: RailOrder['kind']
  terms: Pick<PaymentTerms, 'corridor' | 'terms' | 'prices'>
  /** The payment is created now, so its first event is emitted. */
  isNew?: boolean
  /** Requests the customer's authorization, until which the money is only held (L9). */
  authorize?: () => A
  /** The money was held, and added to the volume, when its authorization was requested (L10). */
  isHeld?: boolean
  /** Just-in-time or pushed funds that have arrived; with a problem they are refunded, as they cannot be refused. */
  funds?: Readonly<{ via: string; money: Money; problem: OutgoingFailureReason | undefined }>
}>

export type MovedMoney<A = undefined> = Readonly<{
  /** The state at acceptance, which the API answers (QUOTE-17). */
  accepted: OutgoingTransaction
  /** The state after the steps that happened at once. */
  transaction: OutgoingTransaction
  received: readonly IncomingTransaction[]
  /** A queued job is due now; the sandbox runs it before it answers. */
  isDueNow: boolean
  authorization: A
}>

/**
 * Checks the daily volume, holds or debits the money, adds it to the volume, and records the transaction for the batch.
 * Fails: DAILY_VOLUME_LIMIT_EXCEEDED, as `authorize` does, INSUFFICIENT_BALANCE, AMOUNT_OUT_OF_RANGE; nothing is posted
 * then.
 */
export function moveMoney<A = undefined>(
  { eventContext, payment, batch }: Moving,
  move: MoneyMove<A>,
): MovedMoney<A> {
  const { book, state } = batch
  const { authorize, terms, funds } = move
  const before = payment.transaction
  const debit = { ...terms, sending: before.sent, now: eventContext.now }
  const isDebit = countsInVolume(payment, move)
  const refusal = isDebit ? checkDailyVolume(state, debit) : undefined
  if (!funds) mustPass(refusal)
  const problem = funds?.problem ?? (refusal && 'LIMIT_EXCEEDED')
  const isCounted = isDebit && !problem
  const volumeDay = isCounted ? terms.corridor.day : before.volumeDay
  const context = {
    eventContext,
    payment: { ...payment, transaction: { ...before, volumeDay } },
    book,
  }
  if (move.isNew) emitOutgoing(eventContext, firstShown(before, move))
  const authorization = authorize?.() as A
  const moved = authorize ? holdMoney(context) : takeMoney(context, move, problem)
  if (isCounted) addDailyVolume(state, debit)
  recordTransaction(state, moved.transaction)
  return { ...moved, authorization }
}

/** Money counts once, when it is held or debited; just-in-time funds when they arrive (LIM-4). */
function countsInVolume<A>(
  { paying }: Payment,
  { authorize, isHeld, funds }: MoneyMove<A>,
): boolean {
  if (isHeld || funds?.problem) return false
  return !(authorize && paying.kind === 'realtime')
}

/** Payment instructions are shown only once the payment is authorized. */
const firstShown = <A>(
  transaction: OutgoingTransaction,
  { authorize }: MoneyMove<A>,
): OutgoingTransaction => (authorize ? { ...transaction, paymentInstructions: null } : transaction)

type Moved = Omit<MovedMoney, 'authorization'>

function holdMoney(context: PaymentContext): Moved {
  const transaction = holdPayment(context)
  return { accepted: transaction, transaction, received: [], isDueNow: false }
}

/**
 * Debits the money and plans the steps of the rail. Immediate steps happen in the same transaction, all others in a
 * job. A quote is PROCESSING from here on; a transfer stays PENDING until its rail has it.
 */
function takeMoney<A>(
  context: PaymentContext,
  { kind, terms, funds, isHeld }: MoneyMove<A>,
  problem: OutgoingFailureReason | undefined,
): Moved {
  const { eventContext, payment, book } = context
  const started = beginPayment(payment)
  const take = isHeld ? captureFromAccount : takeFromAccount
  const taken = funds ? takeFunds(started, funds) : take(context, started)
  const screener = problem ? undefined : screenerOf(eventContext, payment, terms.prices)
  const isBegun = kind === 'quote' || screener !== undefined
  const state = isBegun
    ? { ...taken, transaction: startProcessing(eventContext, taken.transaction, screener) }
    : taken
  const order = railOrderOf(payment, kind)
  // Funds that have arrived are not pulled as well.
  const asked = funds ? { ...order, pull: undefined } : order
  const planned = problem
    ? failedAtOnce(problem)
    : planSteps(payment.receiving, { ports: eventContext.ports, order: asked })
  const steps = screener ? stepsBeforeScreening(planned) : planned
  const { done, left } = takeImmediateSteps(context, state, steps)
  book.mustApply(payment.platformId, eventContext.now, done.journals)
  const { transaction, received } = done
  enqueueSteps(eventContext, {
    transactionId: transaction.id,
    steps: left,
    takenAt: eventContext.now,
  })
  return {
    accepted: state.transaction,
    transaction,
    received,
    isDueNow: left[0]?.afterSeconds === 0 || (payment.receiving.kind === 'uma' && !screener),
  }
}

/** Moves the payment to PROCESSING, and orders its screening where a provider screens it (PROV-104). */
function startProcessing(
  eventContext: EventContext,
  transaction: OutgoingTransaction,
  screener: RegisteredProvider | undefined,
): OutgoingTransaction {
  if (!screener) return moveOutgoing(eventContext, transaction, 'process')
  orderScreening(eventContext, transaction, screener)
  return moveOutgoing(eventContext, transaction, 'process', { pendingReason: 'COMPLIANCE_REVIEW' })
}

/** Failures and refunds run in a job: they change a balance a second time, and each change has its own event. */
function isImmediate(context: PaymentContext, state: PaymentState, step: PaymentStep): boolean {
  const { receiving } = context.payment
  if (step.afterSeconds > 0) return false
  if (['process', 'pull', 'handOver', 'order'].includes(step.event)) return true
  // The job that pays an invoice locks it first, since another payment may have been faster (EACC-18).
  const isInvoice = receiving.kind === 'external' && receiving.account.identifiedBy === 'invoice'
  return step.event === 'complete' && !isInvoice && canBeDelivered(context, state)
}

function takeImmediateSteps(
  context: PaymentContext,
  state: PaymentState,
  steps: readonly PaymentStep[],
): Readonly<{ done: PaymentState; left: readonly PaymentStep[] }> {
  const end = steps.findIndex((step) => !isImmediate(context, state, step))
  const count = end === -1 ? steps.length : end
  const done = takeSteps(context, state, steps.slice(0, count))
  return { done, left: steps.slice(count) }
}

/** The transactions that the commands of a batch have moved. */
const newTransactions = () => new Map<string, OutgoingTransaction>()

export const recordTransaction = (state: BatchState, transaction: OutgoingTransaction): void =>
  void state(newTransactions).set(transaction.id, transaction)

/** A payment's transaction as earlier commands of the batch have left it. */
export const currentTransaction = (
  state: BatchState,
  { transaction }: Pick<Payment, 'transaction'>,
): OutgoingTransaction => state(newTransactions).get(transaction.id) ?? transaction
