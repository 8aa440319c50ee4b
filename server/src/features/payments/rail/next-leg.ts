/** Which leg of a payment is settled next, and whether somebody else has it. */
import type { Work } from '../../../infra/work/work.ts'
import type { Provider } from '../../../kernel/ports.ts'
import { readBalances } from '../../../ledger/balances/balance-rows.ts'
import { transitOf } from '../../../ledger/chart.ts'
import {
  identifierOf,
  isFromOutside,
  legOf,
  type Leg,
  type OutgoingTransaction,
  type Transaction,
} from '../../transactions/index.ts'
import { isCollection } from '../money/collection.ts'
import { awaitsScreening } from './screening.ts'
import { isLeftToJob, isLeftToReceiver } from './store.ts'

/** A quote is under way once it is executed, a transfer from the start. */
export const isUnderWay = ({ status, quoteId }: OutgoingTransaction): boolean =>
  status === 'PROCESSING' || (status === 'PENDING' && quoteId === null)

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
  return !awaitsScreening(transaction) && isUndelivered(work, transaction)
}

/** Whether a payment is under way here: neither delivered, nor with its receiver, nor about to be refunded. */
export const isUndelivered = async (
  work: Work,
  transaction: OutgoingTransaction,
): Promise<boolean> =>
  isUnderWay(transaction) &&
  !(await isWithReceiver(work, transaction)) &&
  !(await isBeingRefunded(work, transaction))

/** Outside the sandbox the only settlement job is one that fails and refunds a payment. */
export async function isBeingRefunded(
  work: Work,
  transaction: OutgoingTransaction,
): Promise<boolean> {
  const { tx, platform } = work
  if (carrierOf(work, transaction)?.kind === 'sandbox') return false
  return isLeftToJob(tx, { platformId: platform.id, id: transaction.id })
}

/** Whether the receiver of a UMA payment settles it, so that the operator cannot. */
export async function isWithReceiver(
  { tx, platform }: Work,
  { id, destination }: OutgoingTransaction,
): Promise<boolean> {
  return 'umaAddress' in destination && isLeftToReceiver(tx, { platformId: platform.id, id })
}

/** Who carries the payout. */
export function carrierOf(
  { ports }: Work,
  { paymentRail, received, sent }: OutgoingTransaction,
): Provider | undefined {
  const { currency } = received ?? sent
  return ports.providerOf({ port: 'rails', rail: paymentRail ?? undefined, currency })
}

async function isPulled(
  { tx, platform }: Work,
  { id, sent }: OutgoingTransaction,
): Promise<boolean> {
  const key = { platformId: platform.id, account: transitOf(id), currency: sent.currency }
  const [balance] = await readBalances(tx, [key])
  return (balance?.amount ?? 0n) > 0n
}
