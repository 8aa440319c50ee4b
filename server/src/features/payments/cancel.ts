import { fail } from '../../kernel/errors.ts'
import { failNotFound, parseId, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import { dropJobs } from '../../infra/jobs/drop-jobs.ts'
import { isCollection } from './money/collection.ts'
import {
  moveIncoming,
  cancelRefusal,
  isCancellableRail,
  lockTransaction,
  saveTransactions,
  type IncomingTransaction,
  type OutgoingTransaction,
  type Transaction,
} from '../transactions/index.ts'
import { balanceAfter, transitKeyOf } from './payment.ts'
import { settleTransactionJob } from './rail/steps.ts'
import { runPayment } from './money/state.ts'
import { markFailed } from './money/take-step.ts'

/**
 * Calls back what a bank rail has not settled; what was taken is given back, a pull never took anything (TXN-15,
 * TXN-16). Fails: TRANSACTION_NOT_FOUND, INVALID_INPUT where the rail cannot be called back,
 * TRANSACTION_NOT_CANCELLABLE where it is too late or nothing was begun.
 */
export async function cancelTransaction(work: Work, id: Id<'transaction'>): Promise<Transaction> {
  const { tx, platform } = work
  const transaction = await lockCancellable(work, id)
  const cancelled =
    transaction.type === 'INCOMING'
      ? cancelCollection(work, transaction)
      : await cancelPayment(work, transaction)
  dropJobs(tx, settleTransactionJob, [{ platformId: platform.id, key: id }])
  return cancelled
}

/** Locks a payment that may be called back. Fails as cancelTransaction does. */
export async function lockCancellable(work: Work, id: Id<'transaction'>): Promise<Transaction> {
  const { tx, platform } = work
  const transaction = (await lockTransaction(tx, platform.id, id)) ?? failNotFound('transaction')
  mustBeCancellable(transaction)
  await work.react('transactions.cancelling', { transactionId: id })
  return transaction
}

function isPull(transaction: Transaction): boolean {
  if (transaction.type === 'INCOMING') return isCollection(transaction)
  const { source } = transaction
  return 'accountId' in source && parseId('externalAccount', source.accountId) !== undefined
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
  saveTransactions(work.tx, [{ platformId: work.platform.id, transaction: cancelled }])
  return cancelled
}

function cancelPayment(work: Work, transaction: OutgoingTransaction): Promise<OutgoingTransaction> {
  return runPayment(work, transaction, (context, state) => {
    const { payment, book } = context
    const isPulled =
      payment.paying.kind === 'external' && balanceAfter(book, [], transitKeyOf(payment)) > 0n
    // The pull is settled; what is under way now is the payout, over a rail of its own.
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
