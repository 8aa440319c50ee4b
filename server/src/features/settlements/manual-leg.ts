/** The leg of a payment that the operator settles. Expecting another leg than the next one is a CONFLICT. */
import { fail } from '../../kernel/errors.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Money } from '../../kernel/money/money.ts'
import type { Work } from '../../infra/work/work.ts'
import { listOrdersOf } from '../../orders/index.ts'
import { carrierOf, isLeftToCarrier, nextLeg } from '../payments/index.ts'
import {
  accountIdOfSide,
  mustLockTransaction,
  type Leg,
  type SettledLeg,
  type Transaction,
} from '../transactions/index.ts'
import { refundMoneyOf } from './refunds.ts'

/** The leg that the operator has to settle; undefined where a job or a provider outside settles it. */
export async function nextManualLeg(
  work: Work,
  transaction: Transaction,
): Promise<Leg | undefined> {
  const { tx, platform } = work
  if (await isLeftToCarrier(tx, { platformId: platform.id, id: transaction.id })) return undefined
  return nextLeg(work, transaction)
}

/** Whether the bank may still return a payout that the operator has made. */
export async function mayBeReturned(work: Work, transaction: Transaction): Promise<boolean> {
  const { type, status, destination, id: transactionId } = transaction
  const isPaidOut = type === 'OUTGOING' && status === 'COMPLETED'
  const isOutside = accountIdOfSide('externalAccount', destination) !== undefined
  if (!isPaidOut || !isOutside || carrierOf(work, transaction)?.kind !== 'manual') return false
  const { tx, platform } = work
  return (await listOrdersOf(tx, { platformId: platform.id, transactionId })).length === 0
}

/**
 * Locks a payment at the leg that the operator expects. Another operator may have settled that leg since it was shown,
 * and the confirmation would then settle the leg after it. Fails: TRANSACTION_NOT_FOUND, CONFLICT.
 */
export async function lockAtLeg(
  work: Work,
  id: Id<'transaction'>,
  expectedLeg: SettledLeg,
): Promise<void> {
  const transaction = await mustLockTransaction(work, id)
  const { type, status, refund } = transaction
  const ahead = await nextLeg(work, transaction)
  const isPaidOut = type === 'OUTGOING' && status === 'COMPLETED'
  if (expectedLeg === (ahead ?? (isPaidOut ? 'RETURN' : undefined))) return
  fail('CONFLICT', {
    status,
    ...(refund && { refundStatus: refund.status }),
    ...(ahead && { waitsFor: ahead }),
  })
}

/** What the operator's next decision on a payment would move. */
export type NextMovement = Readonly<{
  /** Undefined where no leg waits: a payout that was made may still be returned. */
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

/** Locks the payment, so that its next leg stays the same. Fails: TRANSACTION_NOT_FOUND. */
export async function lockNextMovement(work: Work, id: Id<'transaction'>): Promise<NextMovement> {
  const transaction = await mustLockTransaction(work, id)
  const { status, refund } = transaction
  const leg = await nextLeg(work, transaction)
  const money = await moneyOf(work, transaction, leg)
  return { leg, status, refundStatus: refund?.status, money }
}
