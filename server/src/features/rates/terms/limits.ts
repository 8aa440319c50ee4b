import { outOfRange } from '../../../kernel/money/amount-range.ts'
import { currencyOf } from '../../../kernel/money/currency.ts'
import { refuse, retryAfter } from '../../../kernel/errors.ts'
import type { Refusal } from '../../../kernel/errors.ts'
import { minOf, type Money } from '../../../kernel/money/money.ts'
import type { Fraction } from '../../../kernel/money/fraction.ts'
import { amountToWire } from '../../../kernel/money/wire-money.ts'

/** The operator's setting for a currency, or for a corridor (a sending and a receiving currency). */
export type LimitSetting = Readonly<{ transactionMax?: bigint; dailyVolumeMax?: bigint }>

/** The limits of a payment, in the sending currency. A corridor's limit can only narrow the currency's. */
export type Limits = Readonly<{
  transactionMax: bigint
  currencyVolumeMax: bigint
  corridorVolumeMax?: bigint
}>

/** The default limit of one transaction, in USD (LIM-1). */
const DEFAULT_TRANSACTION_USD = 1_000_000n

/** The default day holds this number of transactions of the largest size (LIM-3). */
const DEFAULT_DAY_TRANSACTIONS = 10n

/** floor(1,000,000 × P(c)) major units, in smallest units (LIM-1). */
export function defaultTransactionMax({
  currency,
  price,
}: {
  currency: string
  price: Fraction
}): bigint {
  const major = (DEFAULT_TRANSACTION_USD * price.numerator) / price.denominator
  return major * 10n ** BigInt(currencyOf(currency).decimals)
}

/**
 * `price` is the sending currency's, of any age, because a limit does not lapse with a stale feed (LIM-1). The default day
 * is ten times the currency's transaction limit in force (LIM-3).
 */
export function limitsOf({
  currency,
  price,
  ofCurrency = {},
  ofCorridor = {},
}: {
  currency: string
  price: Fraction
  ofCurrency?: LimitSetting
  ofCorridor?: LimitSetting
}): Limits {
  const currencyMax = ofCurrency.transactionMax ?? defaultTransactionMax({ currency, price })
  const corridorMax = ofCorridor.transactionMax ?? currencyMax
  return {
    transactionMax: minOf(corridorMax, currencyMax),
    currencyVolumeMax: ofCurrency.dailyVolumeMax ?? DEFAULT_DAY_TRANSACTIONS * currencyMax,
    ...(ofCorridor.dailyVolumeMax !== undefined && {
      corridorVolumeMax: ofCorridor.dailyVolumeMax,
    }),
  }
}

/**
 * Checks the size of one payment, bounds included (LIM-1, then LIM-2). `range` is the platform's minAmount and maxAmount
 * of the sending currency.
 * Refuses: TRANSACTION_SIZE_LIMIT_EXCEEDED, AMOUNT_OUT_OF_RANGE.
 */
export function sizeRefusal({
  sending,
  limits,
  range,
}: {
  sending: Money
  limits: Limits
  range: Readonly<{ min: bigint; max: bigint }>
}): Refusal | undefined {
  if (sending.amount > limits.transactionMax) {
    return refuse('TRANSACTION_SIZE_LIMIT_EXCEEDED', {
      limit: amountToWire(limits.transactionMax),
      currency: sending.currency,
    })
  }
  if (sending.amount < range.min || sending.amount > range.max) {
    return outOfRange({ minimum: range.min, maximum: range.max, currency: sending.currency })
  }
  return undefined
}

/**
 * Checks whether the day has room for one more payment (LIM-3). `spent` are the day's debits so far, in the currency as a
 * whole and towards this receiving currency.
 * Refuses: DAILY_VOLUME_LIMIT_EXCEEDED with Retry-After.
 */
export function volumeRefusal({
  sending,
  spent,
  limits,
  now,
}: {
  sending: Money
  spent: Readonly<{ currency: bigint; corridor: bigint }>
  limits: Limits
  now: Date
}): Refusal | undefined {
  const { currencyVolumeMax, corridorVolumeMax } = limits
  const exceeded =
    corridorVolumeMax !== undefined && spent.corridor + sending.amount > corridorVolumeMax
      ? corridorVolumeMax
      : spent.currency + sending.amount > currencyVolumeMax
        ? currencyVolumeMax
        : undefined
  if (exceeded === undefined) return undefined
  return refuse(
    'DAILY_VOLUME_LIMIT_EXCEEDED',
    { limit: amountToWire(exceeded), currency: sending.currency },
    retryAfter(secondsToMidnight(now)),
  )
}

/** Whole seconds, rounded up, until the next day begins in UTC; a whole day at midnight itself. */
export function secondsToMidnight(now: Date): number {
  return 86_400 - now.getUTCHours() * 3_600 - now.getUTCMinutes() * 60 - now.getUTCSeconds()
}
