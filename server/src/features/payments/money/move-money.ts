/**
 * The one step by which the money of a payment out is set aside or taken: within the day's volume, counted in it, and
 * left to the commands after it in the batch. Its order keeps the limits.
 */
import { mustPass } from '../../../kernel/errors.ts'
import type { Money } from '../../../kernel/money/money.ts'
import type { RegisteredProvider } from '../../../kernel/ports.ts'
import type { RailOrder } from '../../../providers/rails/rails.ts'
import type { Batch, BatchState } from '../../../ledger/batch.ts'
import { failShort } from '../../../ledger/post.ts'
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
import { askAboutPayment, heldSteps, screenerOf } from '../rail/screening.ts'
import { enqueueSteps, planOf, type PaymentStep } from '../rail/steps.ts'
import type { PaymentTerms } from '../../payment-terms/index.ts'
import { railOrderOf, type Payment } from '../payment.ts'
import { failedAtOnce } from '../../../providers/rails/sandbox-outcomes.ts'
import { takeFromAccount, takeFunds, takesMoney, takeStep } from './take-step.ts'

type Moving = Readonly<{ eventContext: EventContext; payment: Payment; batch: Batch }>

export type MoneyMove<A = undefined> = Readonly<{
  kind: RailOrder['kind']
  terms: Pick<PaymentTerms, 'corridor' | 'terms' | 'prices'>
  /** No event of the payment was emitted yet. */
  isNew?: boolean
  /** Requests the customer's authorization: the money is set aside until it is given (L9). */
  authorize?: () => A
  /** The money was set aside, and counted, when its authorization was requested (L10). */
  isHeld?: boolean
  /** Just-in-time or pushed funds, which are here. With a problem they are returned: nobody can refuse them any more. */
  funds?: Readonly<{ via: string; money: Money; problem: OutgoingFailureReason | undefined }>
}>

export type MovedMoney<A = undefined> = Readonly<{
  /** The state at acceptance, which the caller is answered (QUOTE-17). */
  accepted: OutgoingTransaction
  /** The state after what happened at once. */
  transaction: OutgoingTransaction
  received: readonly IncomingTransaction[]
  /** Something is left that is due now: the sandbox runs it before it answers. */
  isDueNow: boolean
  authorization: A
}>

/**
 * Checks the day's volume, sets the money aside or takes it, counts it, and records the transaction for the batch.
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
  const isDebit = countsNow(payment, move)
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

/** LIM-4: money is counted once, when it is set aside or taken; just-in-time funds when they are here. */
function countsNow<A>({ paying }: Payment, { authorize, isHeld, funds }: MoneyMove<A>): boolean {
  if (isHeld || funds?.problem) return false
  return !(authorize && paying.kind === 'realtime')
}

/** Where to pay is shown once the payment is authorized. */
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
 * Takes the money and asks the rail. What the rail reports as done at once happens in the same transaction; everything
 * else is left to a job. A quote is PROCESSING from here on; a transfer stays PENDING until the rail has it.
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
    ? { ...taken, transaction: begin(eventContext, taken.transaction, screener) }
    : taken
  const order = railOrderOf(payment, kind)
  // Funds that are here are not pulled as well.
  const asked = funds ? { ...order, pull: undefined } : order
  const planned = problem
    ? failedAtOnce(problem)
    : planOf(payment.receiving, { ports: eventContext.ports, order: asked })
  const steps = screener ? heldSteps(planned) : planned
  const { done, left } = runAtOnce(context, state, steps)
  const shortfall = book.apply(payment.platformId, eventContext.now, done.journals)
  if (shortfall) failShort(shortfall)
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

/** PROCESSING from here on; with a question to the provider that screens it, where there is one (PROV-104). */
function begin(
  eventContext: EventContext,
  transaction: OutgoingTransaction,
  screener: RegisteredProvider | undefined,
): OutgoingTransaction {
  if (!screener) return moveOutgoing(eventContext, transaction, 'process')
  askAboutPayment(eventContext, transaction, screener)
  return moveOutgoing(eventContext, transaction, 'process', { pendingReason: 'COMPLIANCE_REVIEW' })
}

/** Failures and refunds are left to a job: they change a balance twice, and each change has its own event. */
function isDoneAtOnce(context: PaymentContext, state: PaymentState, step: PaymentStep): boolean {
  const { receiving } = context.payment
  if (step.afterSeconds > 0) return false
  if (['process', 'pull', 'handOver', 'order'].includes(step.event)) return true
  // An invoice is looked at again, under a lock, when it is paid: another payment may have been faster (EACC-18).
  const isInvoice = receiving.kind === 'external' && receiving.account.identifiedBy === 'invoice'
  return step.event === 'complete' && !isInvoice && takesMoney(context, state)
}

function runAtOnce(
  context: PaymentContext,
  state: PaymentState,
  steps: readonly PaymentStep[],
): Readonly<{ done: PaymentState; left: readonly PaymentStep[] }> {
  const end = steps.findIndex((step) => !isDoneAtOnce(context, state, step))
  const count = end === -1 ? steps.length : end
  const done = steps
    .slice(0, count)
    .reduce((before, step) => takeStep(context, before, step), state)
  return { done, left: steps.slice(count) }
}

/** The transactions that the commands of a batch have moved. */
const newTransactions = () => new Map<string, OutgoingTransaction>()

export const recordTransaction = (state: BatchState, transaction: OutgoingTransaction): void =>
  void state(newTransactions).set(transaction.id, transaction)

/** A payment's transaction as the commands before in the same batch left it. */
export const currentTransaction = (
  state: BatchState,
  { transaction }: Pick<Payment, 'transaction'>,
): OutgoingTransaction => state(newTransactions).get(transaction.id) ?? transaction
