/** The only crossing between amounts inside (bigint) and numbers on the wire. */
import { currencyOf } from './currency.ts'
import { invariant } from './invariant.ts'
import { AMOUNT_MAX } from './money.ts'
import type { Money } from './money.ts'
import { divide } from './rate.ts'
import type { Fraction } from './rate.ts'

export type WireCurrency = Readonly<{
  code: string
  name: string
  symbol: string
  decimals: number
}>

export type WireMoney = Readonly<{ amount: number; currency: WireCurrency }>

/** What a request may name unless a chapter says otherwise (CORE-6), as schema keywords. */
export const AMOUNT_BOUNDS = Object.freeze({ minimum: 1, maximum: Number(AMOUNT_MAX) })

/** `exchangeRate` and its like carry this many significant digits (RATE-4). */
export const RATE_DIGITS = 10

export function currencyToWire(code: string): WireCurrency {
  const { name, symbol, decimals } = currencyOf(code)
  return { code, name, symbol, decimals }
}

export function moneyToWire(value: Money): WireMoney {
  return { amount: amountToWire(value.amount), currency: currencyToWire(value.currency) }
}

/** Every integer that JSON holds exactly; a larger one would reach the caller rounded. */
export function amountToWire(amount: bigint): number {
  const wire = Number(amount)
  invariant(Number.isSafeInteger(wire), 'An amount must fit exactly into a JSON number.')
  return wire
}

/** For numbers that the request's schema has accepted; anything but an exact integer is our bug. */
export function amountFromWire(value: number): bigint {
  invariant(Number.isSafeInteger(value), 'An amount must be validated before it is read.')
  return BigInt(value)
}

/** The amount, or undefined for whatever CORE-6 and ERR-4 refuse: never a rounded value. */
export function parseAmount(value: unknown): bigint | undefined {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return undefined
  const amount = BigInt(value)
  return amount >= 1n && amount <= AMOUNT_MAX ? amount : undefined
}

/** The decimal-string form, of any size; undefined for what is not digits alone. */
export function amountFromText(text: string): bigint | undefined {
  return /^[0-9]+$/.test(text) ? BigInt(text) : undefined
}

export function amountToText(amount: bigint): string {
  return amount.toString()
}

/** A fraction as a JSON number of so many significant digits, ties rounded up. */
export function fractionToWire(value: Fraction, digits: number = RATE_DIGITS): number {
  if (value.numerator === 0n) return 0
  const negative = value.numerator < 0n
  const size = { ...value, numerator: negative ? -value.numerator : value.numerator }
  const exponent = decimalExponent(size) - digits + 1
  const scaled = divide(shift(size, -exponent), 'half-up')
  // Through text, because the parser finds the nearest double and multiplying by powers of ten does not.
  const wire = Number(`${scaled}e${exponent}`)
  return negative ? -wire : wire
}

/** The power of ten of the leading digit: 0 for 1 to under 10, −1 for 0.1 to under 1. */
function decimalExponent(value: Fraction): number {
  const estimate = value.numerator.toString().length - value.denominator.toString().length
  const { numerator, denominator } = shift(value, -estimate)
  return numerator >= denominator ? estimate : estimate - 1
}

function shift(value: Fraction, places: number): Fraction {
  const factor = 10n ** BigInt(Math.abs(places))
  return places >= 0
    ? { numerator: value.numerator * factor, denominator: value.denominator }
    : { numerator: value.numerator, denominator: value.denominator * factor }
}
