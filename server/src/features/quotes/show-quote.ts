import type { Work } from '../../infra/work.ts'
import { showQuoteChallenges } from '../sca/index.ts'
import type { QuotedPayment } from './quote.ts'
import { quoteToWire, type WireQuote } from './wire.ts'

/** Quotes as anybody who may read them is shown them: with the proof they wait for, while they do. Refuses nothing. */
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

/** The same of one. */
export async function showQuote(work: Work, quoted: QuotedPayment): Promise<WireQuote> {
  const [shown] = await showQuotes(work, [quoted])
  return shown as WireQuote
}
