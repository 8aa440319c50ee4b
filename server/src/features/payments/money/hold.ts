/** The money of a payment that its customer has yet to authorize (chapter 21). */
import type { Work } from '../../../infra/work/work.ts'
import { failShort } from '../../../ledger/post.ts'
import {
  captureHold,
  placeHold,
  releaseHold,
  type PaymentHold,
} from '../../../ledger/recipes/holds.ts'
import type { OutgoingFailureReason } from '../../../kernel/failure-reasons.ts'
import { moveOutgoing, type OutgoingTransaction } from '../../transactions/index.ts'
import { releaseDailyVolume } from './refund.ts'
import { withJournals, type PaymentState, type PaymentContext, runPayment } from './state.ts'
import type { Payment } from '../payment.ts'

/** Undefined where the money does not lie in an internal account: then nothing is held. */
function holdOf({ paying, transaction }: Payment): PaymentHold | undefined {
  if (paying.kind !== 'internal') return undefined
  const { id: transactionId, sent: money } = transaction
  return { transactionId, accountId: paying.account.id, money }
}

/**
 * L9: sets the money aside and asks for authorization. Fails: INSUFFICIENT_BALANCE; nothing is posted then.
 */
export function holdPayment({ eventContext, payment, book }: PaymentContext): OutgoingTransaction {
  const hold = holdOf(payment)
  const shortfall = book.apply(payment.platformId, eventContext.now, hold ? [placeHold(hold)] : [])
  if (shortfall) failShort(shortfall)
  return moveOutgoing(eventContext, payment.transaction, 'requireAuthorization')
}

/** L10: what was held leaves the account. */
export function captureFromAccount({ payment }: PaymentContext, state: PaymentState): PaymentState {
  const hold = holdOf(payment)
  return hold ? withJournals(state, captureHold(hold)) : state
}

/** L11: not authorized; the hold ends, nothing moved, and the day's volume has room again (LIM-4). */
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
