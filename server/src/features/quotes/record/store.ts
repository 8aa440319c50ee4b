import type { Id } from '../../../kernel/ids.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { RESOURCE_KEY } from '../../../infra/db/statement/resource-key.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Quote } from './quote.ts'

export type QuoteKey = Readonly<{ platformId: Id<'platform'>; id: Id<'quote'> }>

/** A quote as it is read; the rate is stored as proof of the price and never read. */
export type StoredQuote = Omit<Quote, 'rate'> & Readonly<{ platformId: Id<'platform'> }>

type NewQuote = Quote & Readonly<{ platformId: Id<'platform'> }>

const NEW_QUOTE: Columns<NewQuote> = {
  ...RESOURCE_KEY,
  source: ['jsonb', (quote) => sql.json(quote.source)],
  destination: ['jsonb', (quote) => sql.json(quote.destination)],
  locked_side: ['text', (quote) => quote.lockedSide],
  rate_numerator: ['numeric', ({ rate }) => rate.numerator],
  rate_denominator: ['numeric', ({ rate }) => rate.denominator],
  purpose_of_payment: ['text', (quote) => quote.purposeOfPayment],
  created_at: ['timestamptz', (quote) => quote.createdAt],
  expires_at: ['timestamptz', (quote) => quote.expiresAt],
}

/** Queues new quotes, of any platforms, for the commit. */
export function insertQuotes(tx: Tx, quotes: readonly NewQuote[]): void {
  tx.queueWrite(
    sql`insert into quotes (platform_id, id, source, destination, locked_side, rate_numerator, rate_denominator,
          purpose_of_payment, created_at, expires_at)
        select * from ${given('n', NEW_QUOTE, quotes)}`,
  )
}

/** Quotes of any platforms; what is not there is left out. */
export function listQuotes(tx: Tx, keys: readonly QuoteKey[]): Promise<StoredQuote[]> {
  return tx.many<StoredQuote>(
    sql`select platform_id, id, source, destination, locked_side, purpose_of_payment, created_at, expires_at
        from quotes join ${given('k', RESOURCE_KEY, keys)} using (platform_id, id)`,
  )
}
