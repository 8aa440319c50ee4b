/** Money inside the service: whole smallest units as bigint, never a float, never two currencies at once. */
import { invariant } from './invariant.ts'

export type Money = Readonly<{ amount: bigint; currency: string }>

/** The largest amount a request may name (CORE-6). */
export const AMOUNT_MAX = 9_000_000_000_000_000n

/** What the database holds: sums of accepted amounts may pass AMOUNT_MAX, never this. */
export const INT64_MAX = 2n ** 63n - 1n
export const INT64_MIN = -(2n ** 63n)

export function money(amount: bigint, currency: string): Money {
  invariant(amount <= INT64_MAX && amount >= INT64_MIN, 'An amount must fit into 64 bits.')
  return { amount, currency }
}

export function zero(currency: string): Money {
  return { amount: 0n, currency }
}

export function add(left: Money, right: Money): Money {
  return money(left.amount + right.amount, commonCurrency(left, right))
}

export function subtract(left: Money, right: Money): Money {
  return money(left.amount - right.amount, commonCurrency(left, right))
}

export function negate(value: Money): Money {
  return money(-value.amount, value.currency)
}

/** Negative, zero or positive as `left` is less than, equal to or greater than `right`. */
export function compare(left: Money, right: Money): -1 | 0 | 1 {
  commonCurrency(left, right)
  if (left.amount === right.amount) return 0
  return left.amount < right.amount ? -1 : 1
}

/** The currency is given because an empty list has none of its own. */
export function sum(currency: string, values: Iterable<Money>): Money {
  let total = zero(currency)
  for (const value of values) total = add(total, value)
  return total
}

export function smaller(left: Money, right: Money): Money {
  return compare(left, right) <= 0 ? left : right
}

export function larger(left: Money, right: Money): Money {
  return compare(left, right) >= 0 ? left : right
}

export function isZero(value: Money): boolean {
  return value.amount === 0n
}

export function isPositive(value: Money): boolean {
  return value.amount > 0n
}

export function isNegative(value: Money): boolean {
  return value.amount < 0n
}

export function isEqual(left: Money, right: Money): boolean {
  return left.currency === right.currency && left.amount === right.amount
}

function commonCurrency(left: Money, right: Money): string {
  invariant(
    left.currency === right.currency,
    `Amounts in ${left.currency} and ${right.currency} cannot be combined.`,
  )
  return left.currency
}
