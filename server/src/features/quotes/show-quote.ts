import type { Work } from '../../infra/work.ts'
import { showQuoteChallenge } from '../sca/index.ts'
import type { QuotedPayment } from './quote.ts'
import { quoteToWire, type WireQuote } from './wire.ts'

/** A quote as anybody who may read it is shown it: with the proof it waits for, while it does. Refuses nothing. */
export async function showQuote(work: Work, quoted: QuotedPayment): Promise<WireQuote> {
  const isAwaiting = quoted.transaction.status === 'PENDING_AUTHORIZATION'
  const challenge = isAwaiting ? await showQuoteChallenge(work, quoted.quote.id) : undefined
  return quoteToWire(quoted, work.now, challenge)
}
