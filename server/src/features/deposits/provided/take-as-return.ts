import { failFields } from '../../../kernel/errors.ts'
import { mustParseId } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { advance } from '../../../kernel/machine.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { postWith } from '../../../ledger/post.ts'
import { findOrder } from '../../../orders/index.ts'
import { leavingHouse } from '../attribute-deposit.ts'
import { deposit as machine } from '../machine.ts'
import { saved } from '../own-transaction.ts'
import { lockDeposit } from '../store.ts'

/**
 * The operator says that a deposit is what came back of a payout: it leaves suspense, since the return brings the same
 * money into the book of the payment (PROV-84). Runs before the return, which takes its locks in this order.
 * Fails: INVALID_STATE_TRANSITION where it was attributed or sent back, INVALID_INPUT for another amount or currency.
 */
export async function takeAsReturn(
  work: Work,
  { type, resolution, orderId, subject, amount }: InternalEvents['exceptions.resolved'],
): Promise<void> {
  if (type !== 'UNREPORTED_RETURN' || resolution !== 'RETURNED') return
  const [order, deposit] = await Promise.all([
    orderId && findOrder(work.tx, orderId),
    lockDeposit(work.tx, mustParseId('transaction', subject ?? '')),
  ])
  invariant(order && deposit, 'Such an exception names a payout and a deposit.')
  const status = advance(machine, deposit.status, 'attribute')
  const { money, report } = deposit
  if (amount !== money.amount || order.money?.currency !== money.currency) {
    const message = `must be what came in, in the currency of the payout: ${money.amount} ${money.currency}`
    failFields([{ field: 'amount', message }])
  }
  // The return is booked over the rail of the payout, so the money passes into that book there (L15).
  const { rail, network } = order.request
  const passed = { ...report, rail: String(network ?? rail) }
  const leaving = leavingHouse({ ...deposit, report: passed }, work.now)
  await postWith(work, leaving.keys, (book) => leaving.apply(book))
  const { platformId: ownerPlatformId, transactionId } = order
  saved(work, { ...deposit, status, ownerPlatformId, transactionId })
}
