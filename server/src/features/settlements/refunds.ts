import type { Money } from '../../kernel/money/money.ts'
import type { Work } from '../../infra/work/work.ts'
import { readBalances } from '../../ledger/balances/balance-rows.ts'
import { transitOf } from '../../ledger/chart.ts'
import { listJournalLines } from '../../ledger/reports/list-journal-lines.ts'
import { type OutgoingTransaction, mustLockTransaction } from '../transactions/index.ts'
import { type Id } from '../../kernel/ids.ts'
import { fail } from '../../kernel/errors.ts'
import { invariant } from '../../kernel/invariant.ts'
import { retryEndedRefund } from '../payments/index.ts'

/**
 * The amount of a refund: all that was taken, which differs from the payment's where another amount arrived (QUOTE-19).
 * While the refund is pending it is in transit; afterwards the journal of its end has it. Undefined without a refund.
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
 * Retries a failed refund with the money in suspense (TXN-7, TXN-8).
 * Fails: TRANSACTION_NOT_FOUND, CONFLICT where no refund has failed.
 */
export async function retryFailedRefund(
  work: Work,
  id: Id<'transaction'>,
): Promise<OutgoingTransaction> {
  const found = await mustLockTransaction(work, id)
  if (found.type !== 'OUTGOING' || found.refund?.status !== 'FAILED') {
    fail('CONFLICT', { refundStatus: found.refund?.status ?? 'NONE' })
  }
  const money = await refundMoneyOf(work, found)
  invariant(money, 'A refund that failed is in the book.')
  return retryEndedRefund(work, found, money)
}
