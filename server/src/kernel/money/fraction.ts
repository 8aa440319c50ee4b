import { invariant } from '../invariant.ts'

/** A non-negative rational in lowest terms. Prices and rates are fractions, so that no amount ever meets a float. */
export type Fraction = Readonly<{ numerator: bigint; denominator: bigint }>

export const ONE: Fraction = { numerator: 1n, denominator: 1n }

function greatestCommonDivisor(left: bigint, right: bigint): bigint {
  let [divisor, rest] = [left, right]
  while (rest > 0n) [divisor, rest] = [rest, divisor % rest]
  return divisor
}

/** Brings a quotient to lowest terms. */
export function fraction({ numerator, denominator }: Fraction): Fraction {
  invariant(numerator >= 0n && denominator > 0n, 'A fraction is not negative and not over zero.')
  const shared = greatestCommonDivisor(numerator, denominator)
  return { numerator: numerator / shared, denominator: denominator / shared }
}

/** Reads `17.25`, `150` or `1/120000` exactly. */
export function parseFraction(text: string): Fraction {
  const quotient = /^(\d+)\/(\d+)$/.exec(text)
  if (quotient) {
    return fraction({ numerator: BigInt(quotient[1]!), denominator: BigInt(quotient[2]!) })
  }
  const decimal = /^(\d+)(?:\.(\d+))?$/.exec(text)
  invariant(decimal, `${text} is neither a decimal nor a quotient.`)
  const decimals = decimal[2] ?? ''
  return fraction({
    numerator: BigInt(decimal[1]! + decimals),
    denominator: 10n ** BigInt(decimals.length),
  })
}

export function multiply(a: Fraction, b: Fraction): Fraction {
  return fraction({
    numerator: a.numerator * b.numerator,
    denominator: a.denominator * b.denominator,
  })
}

export function invert(a: Fraction): Fraction {
  invariant(a.numerator > 0n, 'Zero has no inverse.')
  return { numerator: a.denominator, denominator: a.numerator }
}

/** The quotient of two fractions, with named operands so that they cannot be swapped unseen. */
export function ratio({ of, to }: { of: Fraction; to: Fraction }): Fraction {
  return multiply(of, invert(to))
}

/** In the middle of two fractions. */
export function mean(a: Fraction, b: Fraction): Fraction {
  return fraction({
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: 2n * a.denominator * b.denominator,
  })
}

export function powerOfTen(exponent: number): Fraction {
  return exponent >= 0
    ? { numerator: 10n ** BigInt(exponent), denominator: 1n }
    : { numerator: 1n, denominator: 10n ** BigInt(-exponent) }
}

export function floorOf(a: Fraction): bigint {
  return a.numerator / a.denominator
}

export function ceilOf(a: Fraction): bigint {
  return (a.numerator + a.denominator - 1n) / a.denominator
}

function roundHalfUp(a: Fraction): bigint {
  return (2n * a.numerator + a.denominator) / (2n * a.denominator)
}

/** How many digits stand before the decimal point: 3 for 120, 0 for 0.5, -1 for 0.05. */
function magnitudeOf(a: Fraction): number {
  const guess = a.numerator.toString().length - a.denominator.toString().length
  const isBelow = floorOf(multiply(a, powerOfTen(-guess))) === 0n
  return isBelow ? guess : guess + 1
}

/** Plain decimal text, rounded half up to so many significant digits, without trailing zeros: `1.086956522`. */
export function toSignificantDigits(a: Fraction, digits: number): string {
  if (a.numerator === 0n) return '0'
  const decimals = digits - magnitudeOf(a)
  const scaled = roundHalfUp(multiply(a, powerOfTen(decimals)))
  if (decimals <= 0) return (scaled * 10n ** BigInt(-decimals)).toString()
  const text = scaled.toString().padStart(decimals + 1, '0')
  const point = text.length - decimals
  const rest = text.slice(point).replace(/0+$/, '')
  return rest === '' ? text.slice(0, point) : `${text.slice(0, point)}.${rest}`
}
