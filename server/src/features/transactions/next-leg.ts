import type { Work } from '../../infra/work.ts'
import { readBalances } from '../../ledger/balance-rows.ts'
import { transitOf } from '../../ledger/chart.ts'
import { isCollection } from './collection.ts'
import { isOnItsWay } from './settle-by-hand.ts'
import type { OutgoingTransaction, Transaction } from './transaction.ts'

/** What the operator moves next by hand, and then says so. */
export type Leg = 'COLLECTION' | 'PULL' | 'PAYOUT' | 'REFUND'

/** Undefined where nothing waits: in sandbox everything settles by itself. */
export async function nextLeg(work: Work, transaction: Transaction): Promise<Leg | undefined> {
  if (work.platform.environment !== 'PRODUCTION') return undefined
  if (transaction.type === 'INCOMING') {
    const isWaiting = transaction.status === 'PENDING' && isCollection(transaction)
    return isWaiting ? 'COLLECTION' : undefined
  }
  if (transaction.refund?.status === 'PENDING') return 'REFUND'
  if (!isOnItsWay(transaction)) return undefined
  const { source } = transaction
  const isFromOutside = 'accountId' in source && source.accountId.startsWith('ExternalAccount:')
  return isFromOutside && !(await isPulled(work, transaction)) ? 'PULL' : 'PAYOUT'
}

async function isPulled(
  { tx, platform }: Work,
  { id, sent }: OutgoingTransaction,
): Promise<boolean> {
  const key = { platformId: platform.id, account: transitOf(id), currency: sent.currency }
  const [balance] = await readBalances(tx, [key])
  return (balance?.amount ?? 0n) > 0n
}
