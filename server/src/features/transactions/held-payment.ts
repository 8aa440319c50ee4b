/** The money of a payment that its customer has yet to authorize (chapter 21). */
import type { Work } from '../../infra/work.ts'
import { failShort } from '../../ledger/post.ts'
import {
  captureHold,
  placeHold,
  releaseHold,
  type PaymentHold,
} from '../../ledger/recipes/holds.ts'
import type { OutgoingFailureReason } from './failure-reasons.ts'
import { moveOutgoing } from './move-transaction.ts'
import { uncounted } from './payment-refund.ts'
import { withJournals, type Run, type Scene } from './payment-run.ts'
import type { Payment } from './payment.ts'
import { runPayment } from './run-payment.ts'
import type { OutgoingTransaction } from './transaction.ts'

/** Undefined where the money does not lie in an internal account: then nothing is held. */
function holdOf({ paying, transaction }: Payment): PaymentHold | undefined {
  if (paying.kind !== 'internal') return undefined
  const { id: transactionId, sent: money } = transaction
  return { transactionId, accountId: paying.account.id, money }
}

/**
 * L9: sets the money aside and asks for authorization. Fails: INSUFFICIENT_BALANCE; nothing is posted then.
 */
export function holdPayment({ teller, payment, book }: Scene): OutgoingTransaction {
  const hold = holdOf(payment)
  const shortfall = book.apply(payment.platformId, teller.now, hold ? [placeHold(hold)] : [])
  if (shortfall) failShort(shortfall)
  return moveOutgoing(teller, payment.transaction, 'requireAuthorization')
}

/** L10: what was held leaves the account. */
export function captureFromAccount({ payment }: Scene, run: Run): Run {
  const hold = holdOf(payment)
  return hold ? withJournals(run, captureHold(hold)) : run
}

/** L11: not authorized; the hold ends, nothing moved, and the day's volume has room again (LIM-4). */
export async function failUnauthorized(
  work: Work,
  transaction: OutgoingTransaction,
  failureReason: OutgoingFailureReason,
): Promise<OutgoingTransaction> {
  const release = ({ teller, payment }: Scene, run: Run): Run => {
    const hold = holdOf(payment)
    const released = hold ? withJournals(run, releaseHold(hold)) : run
    const failed = moveOutgoing(teller, uncounted(run.transaction, teller.now), 'fail', {
      failureReason,
    })
    return { ...released, transaction: failed }
  }
  return runPayment(work, transaction, release, { mayGiveBack: false })
}
