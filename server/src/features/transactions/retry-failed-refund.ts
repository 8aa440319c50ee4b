import { failNotFound, type Id } from '../../kernel/ids.ts'
import { fail } from '../../kernel/errors.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { Work } from '../../infra/work.ts'
import { retryEndedRefund } from './payment-refund.ts'
import { refundMoneyOf } from './refund-money.ts'
import { runPayment } from './run-payment.ts'
import { lockTransaction } from './store.ts'
import type { OutgoingTransaction } from './transaction.ts'

/**
 * Tries a refund again that had failed: what lies in suspense for it goes where it belongs (TXN-7, TXN-8).
 * Fails: TRANSACTION_NOT_FOUND, CONFLICT where no refund has failed.
 */
export async function retryFailedRefund(
  work: Work,
  id: Id<'transaction'>,
): Promise<OutgoingTransaction> {
  const found =
    (await lockTransaction(work.tx, work.platform.id, id)) ?? failNotFound('transaction')
  if (found.type !== 'OUTGOING' || found.refund?.status !== 'FAILED') {
    fail('CONFLICT', { refundStatus: found.refund?.status ?? 'NONE' })
  }
  const money = await refundMoneyOf(work, found)
  invariant(money, 'A refund that failed is in the book.')
  return runPayment(work, found, (context, state) => retryEndedRefund(context, state, money))
}
