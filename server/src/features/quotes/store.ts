import type { Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Quote } from './quote.ts'

export type QuoteKey = Readonly<{ platformId: Id<'platform'>; id: Id<'quote'> }>

/** What is read of a quote: its rate is kept for whoever has to prove the price, and not needed any more. */
export type StoredQuote = Omit<Quote, 'rate'> & Readonly<{ platformId: Id<'platform'> }>

/** Queues new quotes, of any platforms, for the commit. */
export function insertQuotes(
  tx: Tx,
  quotes: readonly (Quote & Readonly<{ platformId: Id<'platform'> }>)[],
): void {
  const rows = quotes.map((quote) => ({
    platform_id: quote.platformId,
    id: quote.id,
    source: quote.source,
    destination: quote.destination,
    locked_side: quote.lockedSide,
    rate_numerator: quote.rate.numerator.toString(),
    rate_denominator: quote.rate.denominator.toString(),
    purpose_of_payment: quote.purposeOfPayment,
    created_at: quote.createdAt,
    expires_at: quote.expiresAt,
  }))
  tx.trail(
    sql`insert into quotes (platform_id, id, source, destination, locked_side, rate_numerator, rate_denominator,
          purpose_of_payment, created_at, expires_at)
        select platform_id, id, source, destination, locked_side, rate_numerator, rate_denominator,
          purpose_of_payment, created_at, expires_at
        from json_populate_recordset(null::quotes, ${sql.json(rows)}::json)`,
  )
}

/** Quotes of any platforms; what is not there is left out. */
export function listQuotes(tx: Tx, keys: readonly QuoteKey[]): Promise<StoredQuote[]> {
  return tx.many<StoredQuote>(
    sql`select platform_id, id, source, destination, locked_side, purpose_of_payment, created_at, expires_at
        from quotes
        join unnest(${keys.map((key) => key.platformId)}::uuid[], ${keys.map((key) => key.id)}::uuid[])
          as k(platform_id, id) using (platform_id, id)`,
  )
}
