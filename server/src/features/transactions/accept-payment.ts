import type { Money } from '../../kernel/money.ts'
import type { RailOrder } from '../../providers/rails.ts'
import { failShort } from '../../ledger/post.ts'
import type { PaymentStep } from './payment-steps.ts'
import { enqueueSteps, stepsOf, stepsToUma } from './payment-steps.ts'
import { captureFromAccount } from './held-payment.ts'
import { beginPayment, type PaymentState, type PaymentContext } from './payment-run.ts'
import { railOrderOf } from './payment.ts'
import { takeFromAccount, takeFunds, takeStep } from './take-step.ts'
import { moveOutgoing } from './move-transaction.ts'
import type { IncomingTransaction, OutgoingTransaction } from './transaction.ts'

export type Accepted = Readonly<{
  /** The state at acceptance, which the caller is answered (QUOTE-17). */
  accepted: OutgoingTransaction
  /** The state after what happened at once. */
  transaction: OutgoingTransaction
  received: readonly IncomingTransaction[]
  /** Something is left that is due now: the sandbox runs it before it answers. */
  isDueNow: boolean
}>

export type Acceptance = Readonly<{
  kind: RailOrder['kind']
  /** Just-in-time or pushed funds, which are here. */
  funds?: Readonly<{ via: string; money: Money }>
  /** The money was held while its customer authorized it (L10). */
  isHeld?: boolean
  /** What will become of it, where that is decided already. */
  steps?: readonly PaymentStep[]
}>

/**
 * Takes the money of a payment and tells what was asked of the rail. What the rail reports as done at once happens in
 * the same transaction; everything else is left to a job. A quote is PROCESSING from here on; a transfer stays PENDING
 * until the rail has it.
 * Fails: INSUFFICIENT_BALANCE, AMOUNT_OUT_OF_RANGE; nothing is posted then.
 */
export function acceptPayment(
  context: PaymentContext,
  { kind, funds, isHeld = false, steps }: Acceptance,
): Accepted {
  const { eventContext, payment, book } = context
  const started = beginPayment(payment)
  const take = isHeld ? captureFromAccount : takeFromAccount
  const taken = funds ? takeFunds(started, funds) : take(context, started)
  const state =
    kind === 'quote'
      ? { ...taken, transaction: moveOutgoing(eventContext, taken.transaction, 'process') }
      : taken
  const plan = payment.receiving.kind === 'uma' ? stepsToUma : stepsOf
  const order = railOrderOf(payment, kind)
  // Funds that are here are not pulled as well.
  const asked = funds ? { ...order, pull: undefined } : order
  const planned = steps ?? plan(eventContext.platform.environment, asked)
  const { done, left } = runAtOnce(context, state, planned)
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
    isDueNow: left[0]?.afterSeconds === 0 || payment.receiving.kind === 'uma',
  }
}

/** Failures and refunds are not for here: they change a balance twice, and each change is told by itself. */
function isDoneAtOnce({ payment: { receiving } }: PaymentContext, step: PaymentStep): boolean {
  if (step.afterSeconds > 0) return false
  if (step.event === 'process' || step.event === 'pull' || step.event === 'handOver') return true
  // An invoice is looked at again, under a lock, when it is paid: another payment may have been faster (EACC-18).
  const isInvoice = receiving.kind === 'external' && receiving.account.identifiedBy === 'invoice'
  return step.event === 'complete' && !isInvoice
}

function runAtOnce(
  context: PaymentContext,
  state: PaymentState,
  steps: readonly PaymentStep[],
): Readonly<{ done: PaymentState; left: readonly PaymentStep[] }> {
  const end = steps.findIndex((step) => !isDoneAtOnce(context, step))
  const count = end === -1 ? steps.length : end
  const done = steps
    .slice(0, count)
    .reduce((before, step) => takeStep(context, before, step), state)
  return { done, left: steps.slice(count) }
}
