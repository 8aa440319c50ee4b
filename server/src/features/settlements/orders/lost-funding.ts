/** Lost funding: the money of a payment is taken back outside, as a returned pull or a reversed deposit (PROV-67). */
import { amountToWire } from '../../../kernel/money/wire-money.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  requestCancel,
  cancelQueued,
  lockPayoutOf,
  openException,
  saveLostFunding,
  type LostFunding,
  type Order,
} from '../../../orders/index.ts'
import { isUndelivered, markUnfunded } from '../../payments/index.ts'
import { postTakenBack, type OutgoingTransaction } from '../../transactions/index.ts'
import { lockPaymentOut } from './payment-of-order.ts'

type Loss = Readonly<{
  rail: string
  amount: bigint
  /** What was taken back earlier. */
  before: bigint
  exception: LostFunding['exception']
}>

/**
 * Fails the payment if its payout was not sent yet; asks the provider to cancel a payout that it has. Otherwise the
 * payment stays, its platform bears the loss, and an operator gets an exception. The caller holds the payment's lock.
 */
export async function loseFunding(
  work: Work,
  transaction: OutgoingTransaction,
  loss: Loss,
): Promise<void> {
  const { rail, amount, before, exception } = loss
  const { id: transactionId, sent } = transaction
  const payout = await lockPayoutOf(work.tx, { platformId: work.platform.id, transactionId })
  if (amount === sent.amount && (await isUndelivered(work, transaction))) {
    if (!payout || payout.state === 'QUEUED') {
      await markUnfunded(work, transaction, rail)
      if (payout) cancelQueued(work, payout)
      return
    }
    if (payout.state === 'UNKNOWN' || payout.state === 'ACCEPTED') {
      saveLostFunding(work, payout, { isBorne: false, rail, exception })
      requestCancel(work, payout)
      return
    }
  }
  await bearLoss(work, transaction, loss)
  const all = before + amount
  const part = all === sent.amount ? undefined : amountToWire(all)
  if (payout) saveLostFunding(work, payout, { isBorne: true, part, rail, exception })
}

async function bearLoss(
  work: Work,
  { id, sent: { currency } }: OutgoingTransaction,
  { rail, amount, before, exception }: Loss,
): Promise<void> {
  const type = `payment.reversed.${before + amount}`
  await postTakenBack(work, { type, reference: id, rail, money: { amount, currency } })
  openException(work, { type: 'PULL_RETURNED', ...exception })
}

/** The payout was made although its funding is lost, so the platform bears it. */
export async function settleUnfunded(work: Work, payout: Order): Promise<void> {
  const lost = payout.lostFunding
  if (!lost || lost.isBorne) return
  const transaction = await lockPaymentOut(work, payout)
  await bearLoss(work, transaction, { ...lost, amount: transaction.sent.amount, before: 0n })
  saveLostFunding(work, payout, { ...lost, isBorne: true })
}

/** The payout was not made. False where funding is left, or the platform has borne it: then it is refunded. */
export async function endUnfunded(work: Work, payout: Order): Promise<boolean> {
  const lost = payout.lostFunding
  if (!lost || lost.isBorne) return false
  await markUnfunded(work, await lockPaymentOut(work, payout), lost.rail)
  return true
}
