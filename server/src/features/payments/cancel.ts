import { fail } from '../../kernel/errors.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import { dropJobs } from '../../infra/jobs/drop-jobs.ts'
import { beginCancel, cancelQueued, lockOpenOrder, type Order } from '../../orders/index.ts'
import { isCollection } from './money/collection.ts'
import {
  accountIdOfSide,
  moveIncoming,
  cancelRefusal,
  isCancellableRail,
  mustLockTransaction,
  saveTransaction,
  type IncomingTransaction,
  type OutgoingTransaction,
  type Transaction,
} from '../transactions/index.ts'
import { balanceAfter, transitKeyOf } from './payment.ts'
import { settleTransactionJob } from './rail/steps.ts'
import { runPayment } from './money/state.ts'
import { markFailed } from './money/take-step.ts'

type Cancelling = Readonly<{ cancelled: Transaction }> | Readonly<{ order: Order }>

/**
 * Cancels a payment that its bank rail has not settled, and refunds what was taken; a pull has taken nothing yet
 * (TXN-15, TXN-16). Where a provider outside has started the leg, the caller asks it to cancel its order (PROV-50).
 * Fails: TRANSACTION_NOT_FOUND, INVALID_INPUT where the rail allows no cancelling, TRANSACTION_NOT_CANCELLABLE where it
 * is too late or the payment has not started.
 */
export async function cancelTransaction(work: Work, id: Id<'transaction'>): Promise<Cancelling> {
  const { tx, platform, now } = work
  const transaction = await mustLockTransaction(work, id)
  mustBeCancellable(transaction)
  await work.react('transactions.cancelling', { transactionId: id })
  const order = await lockOpenOrder(tx, { platformId: platform.id, transactionId: id })
  if (order && order.state !== 'QUEUED') {
    beginCancel(work, order)
    return { order: { ...order, cancelAskedAt: now } }
  }
  const cancelled =
    transaction.type === 'INCOMING'
      ? cancelCollection(work, transaction)
      : await cancelPayment(work, transaction)
  dropJobs(tx, settleTransactionJob, [{ platformId: platform.id, key: id }])
  if (order) cancelQueued(work, order)
  return { cancelled }
}

function isPull(transaction: Transaction): boolean {
  if (transaction.type === 'INCOMING') return isCollection(transaction)
  return accountIdOfSide('externalAccount', transaction.source) !== undefined
}

function mustBeCancellable(transaction: Transaction): void {
  const { status, paymentRail, quoteId } = transaction
  const refusal = cancelRefusal({
    status,
    paymentRail: paymentRail ?? undefined,
    isPull: isPull(transaction),
    isUnderWay: quoteId === null || status !== 'PENDING',
  })
  if (refusal === 'INVALID_INPUT') fail('INVALID_INPUT', { reason: 'RAIL_NOT_CANCELLABLE' })
  if (refusal) fail('TRANSACTION_NOT_CANCELLABLE', { status })
}

function cancelCollection(work: Work, transaction: IncomingTransaction): IncomingTransaction {
  const cancelled = moveIncoming(work, transaction, 'cancel', {
    failureReason: 'COLLECTION_FAILED',
  })
  saveTransaction(work, cancelled)
  return cancelled
}

function cancelPayment(work: Work, transaction: OutgoingTransaction): Promise<OutgoingTransaction> {
  return runPayment(work, transaction, (context, state) => {
    const { payment, book } = context
    const isPulled =
      payment.paying.kind === 'external' && balanceAfter(book, [], transitKeyOf(payment)) > 0n
    // The pull is settled, so it is the payout that would be cancelled, and its rail decides.
    if (isPulled && !isCancellableRail(transaction.paymentRail)) {
      fail('TRANSACTION_NOT_CANCELLABLE', { status: transaction.status })
    }
    return markFailed(context, state, {
      event: 'cancel',
      reason: 'QUOTE_EXECUTION_FAILED',
      refund: { reason: 'USER_CANCELLATION', ends: 'COMPLETED' },
    })
  })
}
