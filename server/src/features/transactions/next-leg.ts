import type { Work } from '../../infra/work.ts'
import { readBalances } from '../../ledger/balance-rows.ts'
import { transitOf } from '../../ledger/chart.ts'
import { isCollection } from './collection.ts'
import { isLeftToReceiver } from './settlement-store.ts'
import type { IncomingTransaction, OutgoingTransaction, Transaction } from './transaction.ts'

/** What the operator moves next by hand, and then says so. */
export type Leg = 'COLLECTION' | 'PULL' | 'PAYOUT' | 'REFUND'

/** A quote that was not executed has nothing on its way; a transfer is under way from the start. */
export const isOnItsWay = ({ status, quoteId }: OutgoingTransaction): boolean =>
  status === 'PROCESSING' || (status === 'PENDING' && quoteId === null)

/** Undefined where nothing waits: in sandbox everything settles by itself. */
export async function nextLeg(work: Work, transaction: Transaction): Promise<Leg | undefined> {
  if (work.platform.environment !== 'PRODUCTION') return undefined
  if (transaction.type === 'INCOMING') return legIn(transaction)
  if (transaction.refund?.status === 'PENDING') return 'REFUND'
  if (!isOnItsWay(transaction) || (await isReceivers(work, transaction))) return undefined
  const { source } = transaction
  const isFromOutside = 'accountId' in source && source.accountId.startsWith('ExternalAccount:')
  return isFromOutside && !(await isPulled(work, transaction)) ? 'PULL' : 'PAYOUT'
}

/** A transfer-in is pulled; what came from a UMA address is paid out to the receiver's account outside (UMA-10). */
function legIn(transaction: IncomingTransaction): Leg | undefined {
  if (transaction.status === 'PROCESSING') return 'PAYOUT'
  return transaction.status === 'PENDING' && isCollection(transaction) ? 'COLLECTION' : undefined
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
