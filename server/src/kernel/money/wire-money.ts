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

/** Every integer that JSON holds exactly; a larger one would reach the caller rounded. */
export function amountToWire(amount: bigint): number {
  const wire = Number(amount)
  invariant(Number.isSafeInteger(wire), 'An amount must fit exactly into a JSON number.')
  return wire
}

/** A fee in a gas asset, whose smallest unit may be so small that the nearest number has to do; it is only shown. */
export const gasToWire = (amount: bigint): number => Number(amount)

/** For numbers that the request's schema has accepted; anything but an exact integer is our bug. */
export function amountFromWire(value: number): bigint {
  invariant(Number.isSafeInteger(value), 'An amount must be validated before it is read.')
  return BigInt(value)
}

/** The decimal-string form, of any size; undefined for what is not digits alone. */
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
