/** Holds of payments that wait for their customer's authorization (chapter 21). */
import type { Work } from '../../../infra/work/work.ts'
import {
  captureHold,
  placeHold,
  releaseHold,
  type PayerAmount,
} from '../../../ledger/recipes/holds.ts'
import type { OutgoingFailureReason } from '../../../kernel/failure-reasons.ts'
import { moveOutgoing, type OutgoingTransaction } from '../../transactions/index.ts'
import { releaseDailyVolume } from './refund.ts'
import { withJournals, type PaymentState, type PaymentContext, runPayment } from './state.ts'
import type { Payment } from '../payment.ts'

/** Undefined where no internal account pays: then there is nothing to hold. */
function holdOf({ paying, transaction }: Payment): PayerAmount | undefined {
  if (paying.kind !== 'internal') return undefined
  const { id: transactionId, sent: money } = transaction
  return { transactionId, accountId: paying.account.id, money }
}

/** Holds the money until the payment is authorized (L9). Fails: INSUFFICIENT_BALANCE; nothing is posted then. */
export function holdPayment({ eventContext, payment, book }: PaymentContext): OutgoingTransaction {
  const hold = holdOf(payment)
  book.mustApply(payment.platformId, eventContext.now, hold ? [placeHold(hold)] : [])
  return moveOutgoing(eventContext, payment.transaction, 'requireAuthorization')
}

/** Debits the held money (L10). */
export function captureFromAccount({ payment }: PaymentContext, state: PaymentState): PaymentState {
  const hold = holdOf(payment)
  return hold ? withJournals(state, captureHold(hold)) : state
}

/** Fails a payment that was not authorized: releases its hold (L11), and its share of the daily volume (LIM-4). */
export async function markUnauthorized(
  work: Work,
  transaction: OutgoingTransaction,
  failureReason: OutgoingFailureReason,
): Promise<OutgoingTransaction> {
  const release = (
    { eventContext, payment }: PaymentContext,
    state: PaymentState,
  ): PaymentState => {
    const hold = holdOf(payment)
    const released = hold ? withJournals(state, releaseHold(hold)) : state
    const failed = moveOutgoing(
      eventContext,
      releaseDailyVolume(state.transaction, eventContext.now),
      'fail',
      {
        failureReason,
      },
    )
    return { ...released, transaction: failed }
  }
  return runPayment(work, transaction, release, { mayRefund: false })
}
