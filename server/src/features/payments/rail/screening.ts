/** Payouts that a provider outside screens before their money leaves (PROV-104). */
import { formatId } from '../../../kernel/ids.ts'
import { isRemote, type RegisteredProvider } from '../../../kernel/ports.ts'
import type { Work } from '../../../infra/work/work.ts'
import { cancelQueued, lockOpenOrder, placeOrder, releaseHeld } from '../../../orders/index.ts'
import { reachesDollars, type Prices } from '../../rates/index.ts'
import {
  saveTransaction,
  type EventContext,
  type OutgoingTransaction,
  type Transaction,
} from '../../transactions/index.ts'
import { REFUNDED } from '../../../providers/rails/sandbox-outcomes.ts'
import { runPayment } from '../money/state.ts'
import { markFailed } from '../money/take-step.ts'
import { loadPayment, railOrderOf, type Payment } from '../payment.ts'
import { enqueueSteps, planSteps, type PaymentStep } from './steps.ts'

/** Undefined for a payment that stays inside, is below the threshold, or has no provider that screens. */
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

export function orderScreening(
  context: EventContext,
  { id, sent: money }: OutgoingTransaction,
  provider: RegisteredProvider,
): void {
  const subject = formatId('transaction', id)
  placeOrder(context, { type: 'SCREENING', provider, subject, money, request: OUTGOING })
}

const OUTGOING = { direction: 'OUTGOING' }

/** Only the order of a first leg is placed, on hold; all other steps are planned again after the verdict. */
export const stepsBeforeScreening = ([first]: readonly PaymentStep[]): readonly PaymentStep[] =>
  first?.event === 'order' ? [first] : []

/** Whether a payment waits for a verdict, or for the operator's decision after one. */
export const awaitsScreening = ({ type, status, pendingReason }: Transaction): boolean =>
  type === 'OUTGOING' && status === 'PROCESSING' && pendingReason === 'COMPLIANCE_REVIEW'

/** Continues a payment that passed screening. The caller holds its lock. */
export async function sendScreened(work: Work, waiting: OutgoingTransaction): Promise<void> {
  const { tx, platform, now } = work
  const { id: transactionId } = waiting
  const transaction = { ...waiting, pendingReason: null, updatedAt: now }
  saveTransaction(work, transaction)
  const order = await lockOpenOrder(tx, { platformId: platform.id, transactionId })
  if (order) return releaseHeld(work, order)
  const payment = await loadPayment(work, waiting, { mayRefund: false })
  const kind = waiting.quoteId === null ? 'transfer' : 'quote'
  const planned = planSteps(payment.receiving, {
    ports: work.ports,
    order: railOrderOf(payment, kind),
  })
  const steps = planned.filter(({ event }) => event !== 'process')
  enqueueSteps(work, { transactionId, steps, takenAt: now })
}

/** Fails and refunds a payment that did not pass screening. The caller holds its lock. */
export async function rejectScreened(work: Work, waiting: OutgoingTransaction): Promise<void> {
  const { tx, platform } = work
  const order = await lockOpenOrder(tx, { platformId: platform.id, transactionId: waiting.id })
  if (order) cancelQueued(work, order)
  await runPayment(work, waiting, (context, state) =>
    markFailed(context, state, {
      event: 'fail',
      reason: 'COMPLIANCE_REJECTED',
      refund: REFUNDED,
    }),
  )
}
