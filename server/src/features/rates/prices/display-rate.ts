import { currencyOf } from '../../../kernel/money/currency.ts'
import { multiply, powerOfTen, toSignificantDigits } from '../../../kernel/money/fraction.ts'
import type { Money } from '../../../kernel/money/money.ts'
import { invert, makeRate } from '../../../kernel/money/rate.ts'
import type { Rate } from '../../../kernel/money/rate.ts'
import { decimalToWire } from '../../../kernel/money/wire-decimal.ts'

/** Rates are rounded half up (RATE-4, RATE-8). */
const SIGNIFICANT_DIGITS = 10

/** The payments of a batch in one corridor share the rate. */
const knownOf = new WeakMap<Rate, number>()

/**
 * Sending major units per one receiving major unit, P(s)/P(r). The number is for display only: amounts come from the exact
 * rate (RATE-4).
 */
export function displayRate(rate: Rate): number {
  const shown = knownOf.get(rate) ?? inMajorUnits(invert(rate))
  knownOf.set(rate, shown)
  return shown
}

/** The other direction: receiving major units per one sending major unit (UMA-3). */
export function estimatedRate(rate: Rate): number {
  return inMajorUnits(rate)
}

/** The all-in rate: the sent amount per received amount, in major units (RATE-8). */
export function allInRate({ sending, receiving }: { sending: Money; receiving: Money }): number {
  return inMajorUnits(
    makeRate({
      from: receiving.currency,
      to: sending.currency,
      numerator: sending.amount,
      denominator: receiving.amount,
    }),
  )
}

/** From smallest units of `to` per smallest unit of `from` to whole units per whole unit, for the wire. */
function inMajorUnits(rate: Rate): number {
  const decimalsApart = currencyOf(rate.from).decimals - currencyOf(rate.to).decimals
  const major = multiply(rate, powerOfTen(decimalsApart))
  return decimalToWire(toSignificantDigits(major, SIGNIFICANT_DIGITS))
}
