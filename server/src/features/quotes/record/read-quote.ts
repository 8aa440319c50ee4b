import type { Work } from '../../../infra/work/work.ts'
import { showQuoteChallenges } from '../../sca/index.ts'
import { type QuotedPayment, transactionIdOf } from './quote.ts'
import { quoteToWire, type WireQuote } from './wire.ts'
import { failNotFound, type Id } from '../../../kernel/ids.ts'
import { findTransaction, type OutgoingTransaction } from '../../transactions/index.ts'
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

/** Quotes as the API shows them, with the challenge of the proof that they wait for. Refuses nothing. */
export async function showQuotes(
  work: Work,
  quoted: readonly QuotedPayment[],
): Promise<readonly WireQuote[]> {
  const waiting = quoted.filter(({ transaction }) => transaction.status === 'PENDING_AUTHORIZATION')
  const challenges = await showQuoteChallenges(
    work,
    waiting.map(({ quote }) => quote.id),
  )
  return quoted.map((one) => quoteToWire(one, work.now, challenges.get(one.quote.id)))
}

/** As showQuotes, for one. */
export async function showQuote(work: Work, quoted: QuotedPayment): Promise<WireQuote> {
  const [shown] = await showQuotes(work, [quoted])
  return shown as WireQuote
}
