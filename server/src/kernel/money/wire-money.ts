/** The only crossing between amounts inside (bigint) and numbers on the wire. */
import { currencyOf } from './currency.ts'
import { invariant } from '../invariant.ts'
import type { Money } from './money.ts'

export type WireCurrency = Readonly<{
  code: string
  name: string
  symbol: string
  decimals: number
}>

export type WireMoney = Readonly<{ amount: number; currency: WireCurrency }>

export function currencyToWire(code: string): WireCurrency {
  const { name, symbol, decimals } = currencyOf(code)
  return { code, name, symbol, decimals }
}

export function moneyToWire(value: Money): WireMoney {
  return { amount: amountToWire(value.amount), currency: currencyToWire(value.currency) }
}

/** Fails on an integer that JSON does not hold exactly, because the caller would read it rounded. */
export function amountToWire(amount: bigint): number {
  const wire = Number(amount)
  invariant(Number.isSafeInteger(wire), 'An amount must fit exactly into a JSON number.')
  return wire
}

/** A fee in a gas asset, for display only: its smallest unit may be too small for an exact JSON number. */
export const gasToWire = (amount: bigint): number => Number(amount)

/** For numbers that the request's schema has accepted; any other number is a bug. */
export function amountFromWire(value: number): bigint {
  invariant(Number.isSafeInteger(value), 'An amount must be validated before it is read.')
  return BigInt(value)
}

/** Reads a decimal string of any size; undefined for text other than digits. */
export function amountFromText(text: string): bigint | undefined {
  return /^[0-9]+$/.test(text) ? BigInt(text) : undefined
}

/** For people: `1234.50 EUR`. */
export function moneyToText({ amount, currency }: Money): string {
  const { decimals } = currencyOf(currency)
  const digits = amount.toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const major = digits.slice(0, point)
  return decimals === 0 ? `${major} ${currency}` : `${major}.${digits.slice(point)} ${currency}`
}
