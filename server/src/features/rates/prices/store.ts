import { addMs, SECOND_MS } from '../../../kernel/clock.ts'
import type { Fraction } from '../../../kernel/money/fraction.ts'
import type { Id } from '../../../kernel/ids.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { isProvider, PRICE_LIFETIME_SECONDS, type PriceSource } from './source.ts'

type PlatformId = Id<'platform'>

/** Fractions travel as text: they may be wider than any integer of the database. */
type FractionText = Readonly<{ numerator: string; denominator: string }>

const toFraction = ({ numerator, denominator }: FractionText): Fraction => ({
  numerator: BigInt(numerator),
  denominator: BigInt(denominator),
})

/** Decimals and quotients travel as text: they may be wider than any number of the database's client. */
export type StoredPrice = Readonly<{
  source: PriceSource
  currency: string
  bid: string
  ask: string
  at: Date
  validUntil: Date
}>

const LIFETIME = sql`${PRICE_LIFETIME_SECONDS} * interval '1 second'`

/** The operator's prices are the same for every platform that has no provider of prices. */
const MANUAL_PRICES = sql`select 'manual' as source, currency, numerator || '/' || denominator as bid,
  numerator || '/' || denominator as ask, set_at as at, set_at + ${LIFETIME} as valid_until from market_prices`

const PROVIDER_PRICES = sql`select provider_id::text as source, currency, bid::text, ask::text, at, valid_until
  from provider_prices`

export function listStoredPrices(tx: Tx, sources: readonly PriceSource[]): Promise<StoredPrice[]> {
  const providerIds = sources.filter(isProvider)
  const provided = sql`${PROVIDER_PRICES} where provider_id = any(${providerIds}::uuid[])`
  if (!sources.includes('manual')) return tx.many<StoredPrice>(provided)
  return tx.many<StoredPrice>(
    providerIds.length === 0 ? MANUAL_PRICES : sql`${MANUAL_PRICES} union all ${provided}`,
  )
}

/** Of every source, for operators. */
export const listAllPrices = (tx: Tx): Promise<StoredPrice[]> =>
  tx.many<StoredPrice>(
    sql`${MANUAL_PRICES} union all ${PROVIDER_PRICES}
          where exists (select from providers r where r.id = provider_id and r.removed_at is null)
        order by 1 desc, 2`,
  )

export type ManualPrice = Readonly<{ currency: string; price: Fraction; setAt: Date }>

const MANUAL_PRICE: Columns<ManualPrice> = {
  currency: ['text', ({ currency }) => currency],
  numerator: ['numeric', ({ price }) => price.numerator],
  denominator: ['numeric', ({ price }) => price.denominator],
  set_at: ['timestamptz', ({ setAt }) => setAt],
}

export async function saveManualPrices(tx: Tx, prices: readonly ManualPrice[]): Promise<void> {
  await tx.run(
    sql`insert into market_prices (currency, numerator, denominator, set_at)
        select * from ${given('p', MANUAL_PRICE, prices)}
        on conflict (currency) do update set
          numerator = excluded.numerator, denominator = excluded.denominator, set_at = excluded.set_at`,
  )
}

export type RatePair = Readonly<{ platformId: PlatformId; sending: string; receiving: string }>

export type CachedRate = RatePair & Readonly<{ ratio: Fraction; validUntil: Date; updatedAt: Date }>

type CachedRateRow = RatePair & FractionText & Readonly<{ validUntil: Date; updatedAt: Date }>

export const PAIR: Columns<RatePair> = {
  platform_id: ['uuid', (pair) => pair.platformId],
  sending: ['text', (pair) => pair.sending],
  receiving: ['text', (pair) => pair.receiving],
}
const CACHED_RATE: Columns<CachedRate> = {
  ...PAIR,
  numerator: ['numeric', ({ ratio }) => ratio.numerator],
  denominator: ['numeric', ({ ratio }) => ratio.denominator],
  // The column says how old the prices are; of a price that is valid for less than 900 s, when it would have been that old.
  priced_at: [
    'timestamptz',
    ({ validUntil }) => addMs(validUntil, -PRICE_LIFETIME_SECONDS * SECOND_MS),
  ],
  updated_at: ['timestamptz', (rate) => rate.updatedAt],
}

export async function listCachedRates(tx: Tx, pairs: readonly RatePair[]): Promise<CachedRate[]> {
  const rows = await tx.many<CachedRateRow>(
    sql`select platform_id, sending, receiving, numerator, denominator, priced_at + ${LIFETIME} as valid_until,
          updated_at
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
  { rateSeconds }: Readonly<{ rateSeconds: number }>,
): Promise<void> {
  await tx.run(
    sql`insert into cached_rates (platform_id, sending, receiving, numerator, denominator, priced_at, updated_at)
        select * from ${given('r', CACHED_RATE, rates)}
        order by platform_id, sending, receiving
        on conflict (platform_id, sending, receiving) do update set
          numerator = excluded.numerator, denominator = excluded.denominator,
          priced_at = excluded.priced_at, updated_at = excluded.updated_at
        where cached_rates.updated_at + ${rateSeconds} * interval '1 second' <= excluded.updated_at
          or cached_rates.priced_at + ${LIFETIME} < excluded.updated_at`,
  )
}

/** The rates of a platform are made again at their next use. */
export function dropCachedRates(tx: Tx, platformId: PlatformId): void {
  tx.queueWrite(sql`delete from cached_rates where platform_id = ${platformId}`)
}

type Spread = RatePair & Readonly<{ bps: number }>

/** The spread of each pair: its own, else the platform's, else none. */
export const listSpreads = (tx: Tx, pairs: readonly RatePair[]): Promise<Spread[]> =>
  tx.many<Spread>(
    sql`select p.platform_id, p.sending, p.receiving, coalesce(own.bps, every.bps, 0) as bps
        from ${given('p', PAIR, pairs)}
        left join rate_spreads own using (platform_id, sending, receiving)
        left join rate_spreads every on every.platform_id = p.platform_id and every.sending = ''
          and every.receiving = ''`,
  )
