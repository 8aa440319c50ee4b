import { outOfRange } from '../../../kernel/amount-range.ts'
import { currencyOf } from '../../../kernel/currency.ts'
import { refuse, retryAfter } from '../../../kernel/errors.ts'
import type { Refusal } from '../../../kernel/errors.ts'
import type { Money } from '../../../kernel/money.ts'
import type { Fraction } from '../../../kernel/fraction.ts'
import { amountToWire } from '../../../kernel/wire-money.ts'

/** What the operator set for a currency, or for a corridor (a currency towards another). */
export type LimitSetting = Readonly<{ transactionMax?: bigint; dailyVolumeMax?: bigint }>

/** The limits a payment meets, in the sending currency. The corridor's narrow the currency's, never widen them. */
export type Limits = Readonly<{
  transactionMax: bigint
  currencyVolumeMax: bigint
  corridorVolumeMax?: bigint
}>

/** LIM-1: what one transaction may be worth where the operator set nothing, in USD. */
const DEFAULT_TRANSACTION_USD = 1_000_000n

/** LIM-3: so many transactions of the largest size make the default day. */
const DEFAULT_DAY_TRANSACTIONS = 10n

/** LIM-1: floor(1,000,000 × P(c)) major units, in smallest units. */
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
 * LIM-1, LIM-3: `price` is the sending currency's, of whatever age: a limit does not lapse with a stale feed. The
 * default day is ten times the currency's transaction limit in force.
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
    transactionMax: corridorMax < currencyMax ? corridorMax : currencyMax,
    currencyVolumeMax: ofCurrency.dailyVolumeMax ?? DEFAULT_DAY_TRANSACTIONS * currencyMax,
    ...(ofCorridor.dailyVolumeMax !== undefined && {
      corridorVolumeMax: ofCorridor.dailyVolumeMax,
    }),
  }
}

/**
 * LIM-1, then LIM-2: whether one payment is of an acceptable size. Equal to a bound is allowed. `range` is the
 * platform's minAmount and maxAmount of the sending currency.
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
 * LIM-3: whether the day has room for one more payment. `spent` are the day's debits so far, in the currency as a
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
