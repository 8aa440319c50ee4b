import type { Money } from '../../kernel/money/money.ts'
import type { Work } from '../../infra/work/work.ts'
import { readBalances } from '../../ledger/balances/balance-rows.ts'
import { transitOf } from '../../ledger/chart.ts'
import { listJournalLines } from '../../ledger/reports/list-journal-lines.ts'
import { type OutgoingTransaction, lockTransaction } from '../transactions/index.ts'
import { failNotFound, type Id } from '../../kernel/ids.ts'
import { fail } from '../../kernel/errors.ts'
import { invariant } from '../../kernel/invariant.ts'
import { retryEndedRefund, runPayment } from '../payments/index.ts'

/**
 * What the refund of a payment moves: all that was taken for it, which is another amount than the payment's where
 * another one came (QUOTE-19). Until it has ended that lies under way; then the book says what left from there.
 * Undefined where nothing is refunded.
 */
export async function refundMoneyOf(
  { tx, platform }: Work,
  { id, sent: { currency }, refund }: OutgoingTransaction,
): Promise<Money | undefined> {
  if (!refund) return undefined
  const account = transitOf(id)
  if (refund.status === 'PENDING') {
    const [taken] = await readBalances(tx, [{ platformId: platform.id, account, currency }])
    return taken && { amount: taken.amount, currency }
  }
  const lines = await listJournalLines(tx, platform.id, [id])
  const ended = lines.find(
    (line) => ['refund.completed', 'refund.failed'].includes(line.type) && line.account === account,
  )
  return ended && { amount: -ended.amount, currency }
}

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
