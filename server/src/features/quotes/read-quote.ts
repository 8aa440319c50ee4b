import { failNotFound, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import { findTransaction, type OutgoingTransaction } from '../transactions/index.ts'
import { transactionIdOf } from './quote.ts'
import { listQuotes, type StoredQuote } from './store.ts'

/** A quote with its transaction as it is now (QUOTE-23). Fails: QUOTE_NOT_FOUND. */
export async function readQuote(
  { tx, platform }: Work,
  id: Id<'quote'>,
): Promise<Readonly<{ quote: StoredQuote; transaction: OutgoingTransaction }>> {
  const [[quote], transaction] = await Promise.all([
    listQuotes(tx, [{ platformId: platform.id, id }]),
    findTransaction(tx, platform.id, transactionIdOf(id)),
  ])
  if (!quote || transaction?.type !== 'OUTGOING') return failNotFound('quote')
  return { quote, transaction }
}
