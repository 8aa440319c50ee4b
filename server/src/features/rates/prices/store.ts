import type { Fraction } from '../../../kernel/money/fraction.ts'
import type { Id } from '../../../kernel/ids.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'

type PlatformId = Id<'platform'>

/** Fractions travel as decimal text: they may be wider than any integer of the database. */
type FractionText = Readonly<{ numerator: string; denominator: string }>

const toFraction = ({ numerator, denominator }: FractionText): Fraction => ({
  numerator: BigInt(numerator),
  denominator: BigInt(denominator),
})

export type MarketPrice = Readonly<{ currency: string; price: Fraction; setAt: Date }>

type MarketPriceRow = FractionText & Readonly<{ currency: string; setAt: Date }>

/** Market prices are the same for every platform. */
export async function listMarketPrices(tx: Tx): Promise<MarketPrice[]> {
  const rows = await tx.many<MarketPriceRow>(
    sql`select currency, numerator, denominator, set_at from market_prices order by currency`,
  )
  return rows.map((row) => ({ currency: row.currency, setAt: row.setAt, price: toFraction(row) }))
}

const MARKET_PRICE: Columns<MarketPrice> = {
  currency: ['text', ({ currency }) => currency],
  numerator: ['numeric', ({ price }) => price.numerator],
  denominator: ['numeric', ({ price }) => price.denominator],
  set_at: ['timestamptz', ({ setAt }) => setAt],
}

export async function saveMarketPrices(tx: Tx, prices: readonly MarketPrice[]): Promise<void> {
  await tx.run(
    sql`insert into market_prices (currency, numerator, denominator, set_at)
        select * from ${given('p', MARKET_PRICE, prices)}
        on conflict (currency) do update set
          numerator = excluded.numerator, denominator = excluded.denominator, set_at = excluded.set_at`,
  )
}

export type RatePair = Readonly<{ platformId: PlatformId; sending: string; receiving: string }>

export type CachedRate = RatePair & Readonly<{ ratio: Fraction; pricedAt: Date; updatedAt: Date }>

type CachedRateRow = RatePair & FractionText & Readonly<{ pricedAt: Date; updatedAt: Date }>

export const PAIR: Columns<RatePair> = {
  platform_id: ['uuid', (pair) => pair.platformId],
  sending: ['text', (pair) => pair.sending],
  receiving: ['text', (pair) => pair.receiving],
}
const CACHED_RATE: Columns<CachedRate> = {
  ...PAIR,
  numerator: ['numeric', ({ ratio }) => ratio.numerator],
  denominator: ['numeric', ({ ratio }) => ratio.denominator],
  priced_at: ['timestamptz', (rate) => rate.pricedAt],
  updated_at: ['timestamptz', (rate) => rate.updatedAt],
}

export async function listCachedRates(tx: Tx, pairs: readonly RatePair[]): Promise<CachedRate[]> {
  const rows = await tx.many<CachedRateRow>(
    sql`select platform_id, sending, receiving, numerator, denominator, priced_at, updated_at
        from cached_rates join ${given('p', PAIR, pairs)} using (platform_id, sending, receiving)`,
  )
  return rows.map(({ numerator, denominator, ...row }) => ({
    ...row,
    ratio: toFraction({ numerator, denominator }),
  }))
}

/**
 * Replaces only rates that are `rateSeconds` older or whose prices are stale, so that of two concurrent refreshes the
 * first one counts.
 */
export async function saveCachedRates(
  tx: Tx,
  rates: readonly CachedRate[],
  { rateSeconds, priceSeconds }: Readonly<{ rateSeconds: number; priceSeconds: number }>,
): Promise<void> {
  await tx.run(
    sql`insert into cached_rates (platform_id, sending, receiving, numerator, denominator, priced_at, updated_at)
        select * from ${given('r', CACHED_RATE, rates)}
        order by platform_id, sending, receiving
        on conflict (platform_id, sending, receiving) do update set
          numerator = excluded.numerator, denominator = excluded.denominator,
          priced_at = excluded.priced_at, updated_at = excluded.updated_at
        where cached_rates.updated_at + ${rateSeconds} * interval '1 second' <= excluded.updated_at
          or cached_rates.priced_at + ${priceSeconds} * interval '1 second' < excluded.updated_at`,
  )
}
