import type { Work } from '../../infra/work/work.ts'
import { readBalances } from '../../ledger/balances/balance-rows.ts'
import { transitOf } from '../../ledger/chart.ts'
import { awaitsScreening, isCollection } from '../payments/index.ts'
import {
  isFromOutside,
  legOf,
  type Leg,
  identifierOf,
  type OutgoingTransaction,
  type Transaction,
  type SettledLeg,
  lockTransaction,
} from '../transactions/index.ts'
import { isLeftToJob, isLeftToReceiver, settlesWithoutHand } from './store.ts'
import { fail } from '../../kernel/errors.ts'
import { failNotFound, parseId, type Id } from '../../kernel/ids.ts'
import type { Provider } from '../../kernel/ports.ts'
import { listOrdersOf } from '../../orders/index.ts'

/** A quote that was not executed has nothing on its way; a transfer is under way from the start. */
export const isOnItsWay = ({ status, quoteId }: OutgoingTransaction): boolean =>
  status === 'PROCESSING' || (status === 'PENDING' && quoteId === null)

/** Undefined where nothing waits for the operator: a job or a provider outside carries it. */
export async function nextLeg(work: Work, transaction: Transaction): Promise<Leg | undefined> {
  const { tx, platform } = work
  if (await settlesWithoutHand(tx, platform.id, transaction.id)) return undefined
  return legAhead(work, transaction)
}

/** The leg of a payment that is settled next, by the operator or by itself. */
export async function legAhead(work: Work, transaction: Transaction): Promise<Leg | undefined> {
  if (!(await isAhead(work, transaction))) return undefined
  const { type, status, refund, source } = transaction
  const from = { sourceIdentifier: identifierOf(source) }
  const isTaken = type === 'OUTGOING' && isFromOutside(from) && (await isPulled(work, transaction))
  return legOf({ type, status, refundStatus: refund?.status ?? null, ...from, isTaken })
}

async function isAhead(work: Work, transaction: Transaction): Promise<boolean> {
  if (transaction.type === 'INCOMING') {
    const { status } = transaction
    return status === 'PROCESSING' || (status === 'PENDING' && isCollection(transaction))
  }
  if (transaction.refund?.status === 'PENDING') return true
  if (awaitsScreening(transaction)) return false
  if (!isOnItsWay(transaction) || (await isReceivers(work, transaction))) return false
  return !(await isGoingBack(work, transaction))
}

/** Where the sandbox does not play the rail, a job settles only what cannot be paid: it is given back. */
export async function isGoingBack(work: Work, transaction: OutgoingTransaction): Promise<boolean> {
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

/** A payout that was made by hand and has arrived may still come back from the bank. */
export async function mayBeReturned(work: Work, transaction: Transaction): Promise<boolean> {
  const { type, status, destination, id: transactionId } = transaction
  const isPaidOut = type === 'OUTGOING' && status === 'COMPLETED'
  const isOutside =
    'accountId' in destination && parseId('externalAccount', destination.accountId) !== undefined
  if (!isPaidOut || !isOutside || carrierOf(work, transaction)?.kind !== 'manual') return false
  const { tx, platform } = work
  return (await listOrdersOf(tx, { platformId: platform.id, transactionId })).length === 0
}

/** Whether what becomes of a payment out is said at its receiver's end, and not at this one. */
export async function isReceivers(
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
 * Locks a payment whose next leg is the one that the operator expects: another operator may have settled that leg since
 * it was shown, and the confirmation would count for the leg after it. Fails: TRANSACTION_NOT_FOUND, CONFLICT.
 */
export async function lockAtLeg(
  work: Work,
  id: Id<'transaction'>,
  expectedLeg: SettledLeg,
): Promise<void> {
  const { tx, platform } = work
  const transaction = (await lockTransaction(tx, platform.id, id)) ?? failNotFound('transaction')
  const { type, status, refund } = transaction
  const ahead = await legAhead(work, transaction)
  const isPaidOut = type === 'OUTGOING' && status === 'COMPLETED'
  if (expectedLeg === (ahead ?? (isPaidOut ? 'RETURN' : undefined))) return
  fail('CONFLICT', {
    status,
    ...(refund && { refundStatus: refund.status }),
    ...(ahead && { waitsFor: ahead }),
  })
}
