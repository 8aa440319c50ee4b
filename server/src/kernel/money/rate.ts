/**
 * Exact conversion of money. A rate is a fraction of smallest units of `to` per smallest unit of
 * `from`. Rounding is always named and never has a default.
 */
import { fraction, invert as invertFraction } from './fraction.ts'
import type { Fraction } from './fraction.ts'
import { invariant } from '../invariant.ts'
import { money } from './money.ts'
import type { Money } from './money.ts'

/** Symmetric about zero: `down` is towards it, `up` away from it, `half-up` takes ties away from it. */
export type Rounding = 'down' | 'up' | 'half-even' | 'half-up'

export type Rate = Fraction & Readonly<{ from: string; to: string }>

export function makeRate({ from, to, ...quotient }: Rate): Rate {
  invariant(quotient.numerator > 0n, 'A rate must be above zero.')
  return { from, to, ...fraction(quotient) }
}

/** The quotient as a whole number. The numerator may be negative, the denominator not. */
export function divide({ numerator, denominator }: Fraction, rounding: Rounding): bigint {
  invariant(denominator > 0n, 'A denominator must be positive.')
  const isNegative = numerator < 0n
  const size = isNegative ? -numerator : numerator
  const whole = size / denominator
  const rest = size % denominator
  const rounded =
    rest > 0n && roundsAway({ whole, rest, denominator, rounding }) ? whole + 1n : whole
  return isNegative ? -rounded : rounded
}

function roundsAway(options: {
  whole: bigint
  rest: bigint
  denominator: bigint
  rounding: Rounding
}): boolean {
  const { whole, rest, denominator, rounding } = options
  if (rounding === 'down') return false
  if (rounding === 'up') return true
  const doubled = rest * 2n
  if (doubled !== denominator) return doubled > denominator
  return rounding === 'half-up' || whole % 2n === 1n
}

export function convert(value: Money, rate: Rate, rounding: Rounding): Money {
  return money(convertedAmount(value, rate, rounding), rate.to)
}

/** The converted amount of any size; for comparisons, where it need not fit as money. */
export function convertedAmount(value: Money, rate: Rate, rounding: Rounding): bigint {
  invariant(value.currency === rate.from, `A rate from ${rate.from} converts no ${value.currency}.`)
  const numerator = value.amount * rate.numerator
  return divide({ numerator, denominator: rate.denominator }, rounding)
}

export function invert(rate: Rate): Rate {
  return makeRate({ from: rate.to, to: rate.from, ...invertFraction(rate) })
}
