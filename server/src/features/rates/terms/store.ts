import type { Id } from '../../../kernel/ids.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { isProvider, type PriceSource } from '../prices/source.ts'
import { PAIR, type RatePair } from '../prices/store.ts'

type PlatformId = Id<'platform'>

/** A pair of sending and receiving currency on one UTC day, `YYYY-MM-DD`. */
export type Corridor = RatePair & Readonly<{ day: string }>

const CORRIDOR: Columns<Corridor> = { ...PAIR, day: ['date', (corridor) => corridor.day] }

export type TermsRow = Corridor &
  Readonly<{
    /** Null where the platform does not list the currency. */
    minAmount: bigint | null
    maxAmount: bigint | null
    enabledTransactionTypes: readonly string[] | null
    /** Of the receiving currency; null where the platform does not list it. */
    receivingTransactionTypes: readonly string[] | null
    platformFeeBps: number | null
    platformFixedFee: bigint | null
    serviceFeeBps: number | null
    conversionFee: bigint | null
    withdrawalFee: bigint | null
    currencyTransactionMax: bigint | null
    currencyVolumeMax: bigint | null
    corridorTransactionMax: bigint | null
    corridorVolumeMax: bigint | null
    currencySpent: bigint | null
    corridorSpent: bigint | null
    /** Of the sending currency, in the middle of bid and ask; null for the sandbox's fixed ones. */
    price: string | null
  }>

/** A corridor with the source of the platform's prices. */
export type PricedCorridor = Corridor & Readonly<{ source: PriceSource }>

const PRICED_CORRIDOR: Columns<PricedCorridor> = {
  ...CORRIDOR,
  is_manual: ['boolean', ({ source }) => source === 'manual'],
  provider_id: ['uuid', ({ source }) => (isProvider(source) ? source : null)],
}

/** All settings of some corridors, of any platforms, in one statement. */
export async function listTerms(tx: Tx, corridors: readonly PricedCorridor[]): Promise<TermsRow[]> {
  return tx.many<TermsRow>(
    sql`select c.platform_id, c.sending, c.receiving, c.day, pc.min_amount, pc.max_amount,
          pc.enabled_transaction_types, rc.enabled_transaction_types as receiving_transaction_types, pf.variable_fee_bps as platform_fee_bps,
          pf.fixed_fee_amount as platform_fixed_fee, sf.variable_fee_bps as service_fee_bps, ff.conversion_fee,
          ff.withdrawal_fee, lc.transaction_max as currency_transaction_max,
          lc.daily_volume_max as currency_volume_max, lr.transaction_max as corridor_transaction_max,
          lr.daily_volume_max as corridor_volume_max, vc.amount as currency_spent, vr.amount as corridor_spent,
          coalesce(((pp.bid + pp.ask) * 0.5)::text, mp.numerator || '/' || mp.denominator) as price
        from ${given('c', PRICED_CORRIDOR, corridors)}
        left join platform_currencies pc on pc.platform_id = c.platform_id and pc.currency = c.sending
        left join platform_currencies rc on rc.platform_id = c.platform_id and rc.currency = c.receiving
        left join platform_fee_configs pf on pf.platform_id = c.platform_id
          and pf.fee_type = 'CROSS_CURRENCY_TRANSACTION' and pf.source_currency = c.sending
        left join service_fees sf on sf.platform_id = c.platform_id
        left join service_fixed_fees ff on ff.platform_id = c.platform_id and ff.currency = c.sending
        left join payment_limits lc on lc.platform_id = c.platform_id and lc.currency = c.sending
          and lc.receiving_currency = ''
        left join payment_limits lr on lr.platform_id = c.platform_id and lr.currency = c.sending
          and lr.receiving_currency = c.receiving
        left join daily_volumes vc on vc.platform_id = c.platform_id and vc.currency = c.sending
          and vc.receiving_currency = '' and vc.day = c.day
        left join daily_volumes vr on vr.platform_id = c.platform_id and vr.currency = c.sending
          and vr.receiving_currency = c.receiving and vr.day = c.day
        left join market_prices mp on mp.currency = c.sending and c.is_manual
        left join provider_prices pp on pp.provider_id = c.provider_id and pp.currency = c.sending`,
  )
}

export async function saveServiceFeeBps(
  tx: Tx,
  platformId: PlatformId,
  bps: number,
): Promise<void> {
  await tx.run(
    sql`insert into service_fees (platform_id, variable_fee_bps) values (${platformId}, ${bps})
        on conflict (platform_id) do update set variable_fee_bps = excluded.variable_fee_bps`,
  )
}

export type FixedFees = Readonly<{
  currency: string
  /** Undefined keeps the fee, which is zero where it was never set. */
  conversionFee: bigint | undefined
  withdrawalFee: bigint | undefined
}>

export async function saveFixedFees(
  tx: Tx,
  platformId: PlatformId,
  { currency, conversionFee, withdrawalFee }: FixedFees,
): Promise<void> {
  const [conversion, withdrawal] = [conversionFee ?? null, withdrawalFee ?? null]
  await tx.run(
    sql`insert into service_fixed_fees as f (platform_id, currency, conversion_fee, withdrawal_fee)
        values (${platformId}, ${currency}, coalesce(${conversion}::bigint, 0), coalesce(${withdrawal}::bigint, 0))
        on conflict (platform_id, currency) do update set
          conversion_fee = coalesce(${conversion}::bigint, f.conversion_fee),
          withdrawal_fee = coalesce(${withdrawal}::bigint, f.withdrawal_fee)`,
  )
}

export type Spread = Readonly<{
  /** Both empty: of every pair without one of its own. */
  sending: string
  receiving: string
  bps: number
}>

export async function saveSpread(
  tx: Tx,
  platformId: PlatformId,
  { sending, receiving, bps }: Spread,
): Promise<void> {
  await tx.run(
    sql`insert into rate_spreads (platform_id, sending, receiving, bps)
        values (${platformId}, ${sending}, ${receiving}, ${bps})
        on conflict (platform_id, sending, receiving) do update set bps = excluded.bps`,
  )
}

export type ServiceFees = Readonly<{
  bps: number | null
  fixed: readonly Required<FixedFees>[]
  spreads: readonly Spread[]
}>

export async function findServiceFees(tx: Tx, platformId: PlatformId): Promise<ServiceFees> {
  const [rate, fixed, spreads] = await Promise.all([
    tx.find<{ bps: number }>(
      sql`select variable_fee_bps as bps from service_fees where platform_id = ${platformId}`,
    ),
    tx.many<Required<FixedFees>>(
      sql`select currency, conversion_fee, withdrawal_fee from service_fixed_fees
          where platform_id = ${platformId} order by currency`,
    ),
    tx.many<Spread>(
      sql`select sending, receiving, bps from rate_spreads where platform_id = ${platformId}
          order by sending, receiving`,
    ),
  ])
  return { bps: rate?.bps ?? null, fixed, spreads }
}

export type PaymentLimit = Readonly<{
  currency: string
  /** Empty for all receiving currencies together. */
  receivingCurrency: string
  transactionMax: bigint | null
  dailyVolumeMax: bigint | null
}>

/** Null keeps a limit. */
export async function savePaymentLimit(
  tx: Tx,
  platformId: PlatformId,
  { currency, receivingCurrency, transactionMax, dailyVolumeMax }: PaymentLimit,
): Promise<PaymentLimit> {
  return tx.one<PaymentLimit>(
    sql`insert into payment_limits as l (platform_id, currency, receiving_currency, transaction_max, daily_volume_max)
        values (${platformId}, ${currency}, ${receivingCurrency}, ${transactionMax}, ${dailyVolumeMax})
        on conflict (platform_id, currency, receiving_currency) do update set
          transaction_max = coalesce(excluded.transaction_max, l.transaction_max),
          daily_volume_max = coalesce(excluded.daily_volume_max, l.daily_volume_max)
        returning currency, receiving_currency, transaction_max, daily_volume_max`,
  )
}

/** Not paged, because there is at most one row for each pair of currencies. */
export const listPaymentLimits = (tx: Tx, platformId: PlatformId): Promise<PaymentLimit[]> =>
  tx.many<PaymentLimit>(
    sql`select currency, receiving_currency, transaction_max, daily_volume_max from payment_limits
        where platform_id = ${platformId} order by currency, receiving_currency`,
  )

/** A day's volume in a currency as a whole or, with a receiving currency, in one corridor. */
export type VolumeRow = Readonly<{
  platformId: PlatformId
  currency: string
  receivingCurrency: string
  day: string
  amount: bigint
  ceiling: bigint
}>

const VOLUME: Columns<VolumeRow> = {
  platform_id: ['uuid', (row) => row.platformId],
  currency: ['text', (row) => row.currency],
  receiving_currency: ['text', (row) => row.receivingCurrency],
  day: ['date', (row) => row.day],
  amount: ['bigint', (row) => row.amount],
  ceiling: ['bigint', (row) => row.ceiling],
}

/** Queues volumes for the commit, where a constraint holds the limits (LIM-4). */
export function addVolumes(tx: Tx, rows: readonly VolumeRow[]): void {
  tx.queueWrite(
    sql`insert into daily_volumes as v (platform_id, currency, receiving_currency, day, amount, ceiling)
        select * from ${given('r', VOLUME, rows)}
        order by platform_id, currency, receiving_currency, day
        on conflict (platform_id, currency, receiving_currency, day) do update set
          amount = v.amount + excluded.amount, ceiling = excluded.ceiling`,
  )
}

/** A refund of the same day is taken off the volume (LIM-4). */
export function subtractVolume(
  tx: Tx,
  { platformId, sending, receiving, day, amount }: Corridor & Readonly<{ amount: bigint }>,
): void {
  tx.queueWrite(
    sql`update daily_volumes v set amount = v.amount - ${amount}
        from (select receiving_currency from daily_volumes where platform_id = ${platformId}
                and currency = ${sending} and receiving_currency in ('', ${receiving}) and day = ${day}
              order by receiving_currency for no key update) counted
        where v.platform_id = ${platformId} and v.currency = ${sending} and v.day = ${day}
          and v.receiving_currency = counted.receiving_currency`,
  )
}
