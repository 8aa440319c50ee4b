import { failNotFound, type Id } from '../../kernel/ids.ts'
import type { Money } from '../../kernel/money/money.ts'
import type { Work } from '../../infra/work/work.ts'
import { lockTransaction, type Leg, type Transaction } from '../transactions/index.ts'
import { legAhead } from './ahead.ts'
import { refundMoneyOf } from './refunds.ts'

/** What the next word of the operator on a payment counts for. */
export type NextMovement = Readonly<{
  /** Undefined where none waits: a payout that was made may come back. */
  leg: Leg | undefined
  status: string
  refundStatus: string | undefined
  money: Money | undefined
}>

async function moneyOf(work: Work, transaction: Transaction, leg: Leg | undefined) {
  const { type, sent, received, refund } = transaction
  const isRefund = leg === 'REFUND' || refund?.status === 'FAILED'
  if (type === 'OUTGOING' && isRefund) return refundMoneyOf(work, transaction)
  return (leg === 'PULL' ? sent : (received ?? sent)) ?? undefined
}

/** Locks the payment, so that it stays the next one. Fails: TRANSACTION_NOT_FOUND. */
export async function lockNextMovement(work: Work, id: Id<'transaction'>): Promise<NextMovement> {
  const { tx, platform } = work
  const transaction = (await lockTransaction(tx, platform.id, id)) ?? failNotFound('transaction')
  const { status, refund } = transaction
  const leg = await legAhead(work, transaction)
  const money = await moneyOf(work, transaction, leg)
  return { leg, status, refundStatus: refund?.status, money }
}
