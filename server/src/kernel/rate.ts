/**
 * Exact arithmetic of conversions. A fraction is two bigints; a rate is a fraction of smallest
 * units of `to` per smallest unit of `from`. Rounding is always named and never has a default.
 */
import { currencyOf } from './currency.ts'
import { invariant } from './invariant.ts'
import { money } from './money.ts'
import type { Money } from './money.ts'

/** Symmetric about zero: `down` is towards it, `up` away from it, `half-up` takes ties away from it. */
export type Rounding = 'down' | 'up' | 'half-even' | 'half-up'

/** Denominator always positive. */
export type Fraction = Readonly<{ numerator: bigint; denominator: bigint }>

export type Rate = Fraction & Readonly<{ from: string; to: string }>

/** The one place where a quotient becomes a whole number. */
export function divide(value: Fraction, rounding: Rounding): bigint {
  const { numerator, denominator } = value
  invariant(denominator > 0n, 'A denominator must be positive.')
  const negative = numerator < 0n
  const size = negative ? -numerator : numerator
  const whole = size / denominator
  const rest = size % denominator
  const rounded =
    rest > 0n && roundsAway({ whole, rest, denominator, rounding }) ? whole + 1n : whole
  return negative ? -rounded : rounded
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

/** `17.25` → 1725/100, reduced. Plain decimals above zero only; anything else is undefined. */
export function parseDecimal(text: string): Fraction | undefined {
  const match = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text)
  if (!match) return undefined
  const [, whole = '', decimals = ''] = match
  const numerator = BigInt(whole + decimals)
  if (numerator === 0n) return undefined
  return reduce({ numerator, denominator: 10n ** BigInt(decimals.length) })
}

export function reduce(value: Fraction): Fraction {
  let [divisor, rest] = [
    value.numerator < 0n ? -value.numerator : value.numerator,
    value.denominator,
  ]
  while (rest > 0n) [divisor, rest] = [rest, divisor % rest]
  invariant(divisor > 0n, 'A denominator must be positive.')
  return { numerator: value.numerator / divisor, denominator: value.denominator / divisor }
}

export function multiplyFractions(left: Fraction, right: Fraction): Fraction {
  return reduce({
    numerator: left.numerator * right.numerator,
    denominator: left.denominator * right.denominator,
  })
}

/** One over the value, which must be above zero. */
export function reciprocal(value: Fraction): Fraction {
  invariant(value.numerator > 0n, 'Only a fraction above zero has a reciprocal here.')
  return { numerator: value.denominator, denominator: value.numerator }
}

export function makeRate(options: { from: string; to: string } & Fraction): Rate {
  const { from, to, numerator, denominator } = options
  invariant(numerator > 0n && denominator > 0n, 'A rate must be above zero.')
  return { from, to, ...reduce({ numerator, denominator }) }
}

/**
 * The rate between smallest units from two prices, each in whole units of its currency per one
 * common unit: P(to)/P(from) × 10^(decimals of to − decimals of from).
 */
export function rateFromPrices(options: {
  from: { currency: string; price: Fraction }
  to: { currency: string; price: Fraction }
}): Rate {
  const { from, to } = options
  const major = multiplyFractions(to.price, reciprocal(from.price))
  return makeRate({
    from: from.currency,
    to: to.currency,
    numerator: major.numerator * 10n ** BigInt(currencyOf(to.currency).decimals),
    denominator: major.denominator * 10n ** BigInt(currencyOf(from.currency).decimals),
  })
}

export function convert(value: Money, rate: Rate, rounding: Rounding): Money {
  invariant(value.currency === rate.from, `A rate from ${rate.from} converts no ${value.currency}.`)
  const { numerator, denominator } = rate
  return money(divide({ numerator: value.amount * numerator, denominator }, rounding), rate.to)
}

/** `from` of the first to `to` of the second, through the currency they share. */
export function multiply(first: Rate, second: Rate): Rate {
  invariant(
    first.to === second.from,
    `A rate to ${first.to} does not meet one from ${second.from}.`,
  )
  return makeRate({ from: first.from, to: second.to, ...multiplyFractions(first, second) })
}

export function invert(rate: Rate): Rate {
  return makeRate({ from: rate.to, to: rate.from, ...reciprocal(rate) })
}

/**
 * Splits by weight; the parts always sum to the whole. Each part is rounded towards zero and what
 * is left over goes, one unit each, to the first parts that have a weight.
 */
export function allocate(value: Money, weights: readonly bigint[]): Money[] {
  const total = weights.reduce((left, right) => left + right, 0n)
  const sound = total > 0n && weights.every((weight) => weight >= 0n)
  invariant(sound, 'Weights must not be negative and must sum to more than zero.')
  const parts = weights.map((weight) =>
    divide({ numerator: value.amount * weight, denominator: total }, 'down'),
  )
  let left = value.amount - parts.reduce((sum, part) => sum + part, 0n)
  const unit = left < 0n ? -1n : 1n
  return parts.map((part, index) => {
    if (left === 0n || weights[index] === 0n) return money(part, value.currency)
    left -= unit
    return money(part + unit, value.currency)
  })
}
