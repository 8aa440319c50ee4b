/** Payouts that a provider outside screens before any of their money leaves (PROV-104). */
import { formatId } from '../../../kernel/ids.ts'
import { isRemote, type RegisteredProvider } from '../../../kernel/ports.ts'
import type { Work } from '../../../infra/work/work.ts'
import { endQueued, lockOpenOrder, placeOrder, releaseHeld } from '../../../orders/index.ts'
import { reachesDollars, type Prices } from '../../rates/index.ts'
import {
  saveTransactions,
  type EventContext,
  type OutgoingTransaction,
  type Transaction,
} from '../../transactions/index.ts'
import { REFUNDED } from '../../../providers/rails/sandbox-outcomes.ts'
import { runPayment } from '../money/state.ts'
import { markFailed } from '../money/take-step.ts'
import { loadPayment, railOrderOf, type Payment } from '../payment.ts'
import { enqueueSteps, planOf, type PaymentStep } from './steps.ts'

/** Undefined where nothing has to be asked: it stays inside, is below the threshold, or no provider outside serves. */
export function screenerOf(
  { ports }: EventContext,
  { receiving, transaction: { sent } }: Payment,
  prices: Prices,
): RegisteredProvider | undefined {
  if (receiving.kind === 'internal') return undefined
  const provider = ports.providerOf({ port: 'screening', currency: sent.currency })
  if (!provider || !isRemote(provider)) return undefined
  return reachesDollars(sent, provider.paymentThreshold, prices) ? provider : undefined
}

export function askAboutPayment(
  context: EventContext,
  { id, sent: money }: OutgoingTransaction,
  provider: RegisteredProvider,
): void {
  const subject = formatId('transaction', id)
  placeOrder(context, { type: 'SCREENING', provider, subject, money, request: OUTGOING })
}

const OUTGOING = { direction: 'OUTGOING' }

/** Of its steps only a first order is taken, and waits; all others are planned again once the verdict is there. */
export const heldSteps = ([first]: readonly PaymentStep[]): readonly PaymentStep[] =>
  first?.event === 'order' ? [first] : []

/** Whether a payment waits for a verdict, or for the operator after one. */
export const awaitsScreening = ({ type, status, pendingReason }: Transaction): boolean =>
  type === 'OUTGOING' && status === 'PROCESSING' && pendingReason === 'COMPLIANCE_REVIEW'

/** The payment may leave. The caller holds its lock. */
export async function sendScreened(work: Work, waiting: OutgoingTransaction): Promise<void> {
  const { tx, platform, now } = work
  const { id: transactionId } = waiting
  const transaction = { ...waiting, pendingReason: null, updatedAt: now }
  saveTransactions(tx, [{ platformId: platform.id, transaction }])
  const order = await lockOpenOrder(tx, { platformId: platform.id, transactionId })
  if (order) return releaseHeld(work, order)
  const payment = await loadPayment(work, waiting, { mayRefund: false })
  const kind = waiting.quoteId === null ? 'transfer' : 'quote'
  const planned = planOf(payment.receiving, {
    ports: work.ports,
    order: railOrderOf(payment, kind),
  })
  const steps = planned.filter(({ event }) => event !== 'process')
  enqueueSteps(work, { transactionId, steps, takenAt: now })
}

/** The payment must not leave: it fails, and what was taken is refunded. The caller holds its lock. */
export async function rejectScreened(work: Work, waiting: OutgoingTransaction): Promise<void> {
  const { tx, platform } = work
  const order = await lockOpenOrder(tx, { platformId: platform.id, transactionId: waiting.id })
  if (order) endQueued(work, order)
  await runPayment(work, waiting, (context, state) =>
    markFailed(context, state, {
      event: 'fail',
      reason: 'COMPLIANCE_REJECTED',
      refund: REFUNDED,
    }),
  )
}
