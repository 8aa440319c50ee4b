import { currencyOf } from '../../../kernel/currency.ts'
import { multiply, powerOfTen, toSignificantDigits } from '../../../kernel/fraction.ts'
import type { Money } from '../../../kernel/money.ts'
import { invert, makeRate } from '../../../kernel/rate.ts'
import type { Rate } from '../../../kernel/rate.ts'
import { decimalToWire } from '../../../kernel/wire-decimal.ts'

/** RATE-4, RATE-8: rounded half up to so many. */
const SIGNIFICANT_DIGITS = 10

/**
 * RATE-4: sending major units per one receiving major unit, P(s)/P(r). It is shown and never computed with:
 * amounts come from the exact rate.
 */
export function displayRate(rate: Rate): number {
  return inMajorUnits(invert(rate))
}

/** UMA-3: the other direction, receiving major units per one sending major unit. */
export function estimatedRate(rate: Rate): number {
  return inMajorUnits(rate)
}

/** RATE-8: the all-in rate, what is sent per what arrives, in major units. */
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
