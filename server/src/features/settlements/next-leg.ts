/** Which leg of a payment is settled next, and by whom. Expecting another leg than that is a CONFLICT. */
import type { Work } from '../../infra/work/work.ts'
import { readBalances } from '../../ledger/balances/balance-rows.ts'
import { transitOf } from '../../ledger/chart.ts'
import { awaitsScreening, isCollection } from '../payments/index.ts'
import {
  accountIdOfSide,
  isFromOutside,
  legOf,
  type Leg,
  identifierOf,
  type OutgoingTransaction,
  type Transaction,
  type SettledLeg,
  mustLockTransaction,
} from '../transactions/index.ts'
import { isLeftToJob, isLeftToReceiver, isSettledAutomatically } from './store.ts'
import { refundMoneyOf } from './refunds.ts'
import { fail } from '../../kernel/errors.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Money } from '../../kernel/money/money.ts'
import type { Provider } from '../../kernel/ports.ts'
import { listOrdersOf } from '../../orders/index.ts'

/** A quote is under way once it is executed, a transfer from the start. */
export const isUnderWay = ({ status, quoteId }: OutgoingTransaction): boolean =>
  status === 'PROCESSING' || (status === 'PENDING' && quoteId === null)

/** The leg that the operator has to settle; undefined where a job or a provider outside settles it. */
export async function nextManualLeg(
  work: Work,
  transaction: Transaction,
): Promise<Leg | undefined> {
  const { tx, platform } = work
  if (await isSettledAutomatically(tx, platform.id, transaction.id)) return undefined
  return nextLeg(work, transaction)
}

/** The leg of a payment that is settled next, by the operator or automatically. */
export async function nextLeg(work: Work, transaction: Transaction): Promise<Leg | undefined> {
  if (!(await hasNextLeg(work, transaction))) return undefined
  const { type, status, refund, source } = transaction
  const from = { sourceIdentifier: identifierOf(source) }
  const isTaken = type === 'OUTGOING' && isFromOutside(from) && (await isPulled(work, transaction))
  return legOf({ type, status, refundStatus: refund?.status ?? null, ...from, isTaken })
}

async function hasNextLeg(work: Work, transaction: Transaction): Promise<boolean> {
  if (transaction.type === 'INCOMING') {
    const { status } = transaction
    return status === 'PROCESSING' || (status === 'PENDING' && isCollection(transaction))
  }
  if (transaction.refund?.status === 'PENDING') return true
  if (awaitsScreening(transaction)) return false
  if (!isUnderWay(transaction) || (await isWithReceiver(work, transaction))) return false
  return !(await isBeingRefunded(work, transaction))
}

/** Outside the sandbox the only settlement job is one that fails and refunds a payment. */
export async function isBeingRefunded(
  work: Work,
  transaction: OutgoingTransaction,
): Promise<boolean> {
  const { tx, platform } = work
  return (
    carrierOf(work, transaction)?.kind !== 'sandbox' && isLeftToJob(tx, platform.id, transaction.id)
  )
}

function carrierOf(
  { ports }: Work,
  { paymentRail, received, sent }: OutgoingTransaction,
): Provider | undefined {
  const { currency } = received ?? sent
  return ports.providerOf({ port: 'rails', rail: paymentRail ?? undefined, currency })
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

/** Whether the receiver of a UMA payment settles it, so that the operator cannot. */
export async function isWithReceiver(
  { tx, platform }: Work,
  { id, destination }: OutgoingTransaction,
): Promise<boolean> {
  return 'umaAddress' in destination && isLeftToReceiver(tx, platform.id, id)
}

async function isPulled(
  { tx, platform }: Work,
  { id, sent }: OutgoingTransaction,
): Promise<boolean> {
  const key = { platformId: platform.id, account: transitOf(id), currency: sent.currency }
  const [balance] = await readBalances(tx, [key])
  return (balance?.amount ?? 0n) > 0n
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
