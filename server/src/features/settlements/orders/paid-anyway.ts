/** A payout that was made after its refund, and its return (PROV-70). */
import { invariant } from '../../../kernel/invariant.ts'
import type { Work } from '../../../infra/work/work.ts'
import { availableOf, LOSS_PROVIDERS, RECEIVABLE_PLATFORM } from '../../../ledger/chart.ts'
import { post, postWith } from '../../../ledger/post.ts'
import { bearLoss, PAID_ANYWAY, returnPaidAnyway } from '../../../ledger/recipes/providers.ts'
import { repayReceivable } from '../../../ledger/recipes/receivable.ts'
import { listJournalLines } from '../../../ledger/reports/list-journal-lines.ts'
import type { Order } from '../../../orders/index.ts'
import { listAccountsOfOwners } from '../../internal-accounts/index.ts'
import { loadPayment, payoutRailOf, type Payment } from '../../payments/index.ts'
import { postTakenBack } from '../../transactions/index.ts'
import { lockPaymentOut } from './payment-of-order.ts'

const paymentOf = async (work: Work, order: Order): Promise<Payment> =>
  loadPayment(work, await lockPaymentOut(work, order), { mayRefund: false })

/** Books a payout that was made after its refund; the platform or the service bears it (PROV-70). */
export async function bookPaidAnyway(
  work: Work,
  order: Order,
  bearer: 'PLATFORM' | 'SERVICE',
): Promise<void> {
  const payment = await paymentOf(work, order)
  const { receiving, transaction } = payment
  invariant(receiving.kind !== 'internal' && order.money, 'What is paid out leaves the service.')
  const rail = payoutRailOf(receiving, transaction)
  const { money } = order
  if (bearer === 'SERVICE') {
    return post(work, [bearLoss({ transactionId: transaction.id, rail, money })])
  }
  return postTakenBack(work, { type: PAID_ANYWAY, reference: transaction.id, rail, money })
}

/**
 * Credits the return of a payout that was made after its refund to the party that bore it, since the payer has been
 * refunded (PROV-70). Answers false where nobody bore it, so that it is an ordinary return.
 */
export async function returnToBearer(work: Work, order: Order, amount: bigint): Promise<boolean> {
  const { tx, platform, now } = work
  const { receiving, transaction } = await paymentOf(work, order)
  invariant(receiving.kind !== 'internal' && order.money, 'What is paid out leaves the service.')
  const lines = await listJournalLines(tx, platform.id, [transaction.id])
  const borne = lines.filter(({ type }) => type === PAID_ANYWAY)
  if (borne.length === 0) return false
  const isServices = borne.some(({ account }) => account === LOSS_PROVIDERS)
  const money = { ...order.money, amount }
  const own = { platformId: platform.id, customerId: null, currency: money.currency }
  const [account] = isServices ? [] : await listAccountsOfOwners(tx, [own])
  const debt = isServices ? LOSS_PROVIDERS : RECEIVABLE_PLATFORM
  const to = account ? availableOf(account.id) : debt
  const keys = [debt, to].map((name) => ({ ...own, account: name }))
  const rail = payoutRailOf(receiving, transaction)
  const total = order.returnedAmount
  const credit = returnPaidAnyway({ transactionId: transaction.id, rail, money, total, to })
  await postWith(work, keys, (book) => {
    const owed = -book.balanceOf({ ...own, account: RECEIVABLE_PLATFORM })
    const repaid =
      account && repayReceivable({ credit, platformAccountId: account.id, credited: money, owed })
    book.mustApply(platform.id, now, repaid ? [credit, repaid] : [credit])
  })
  return true
}
