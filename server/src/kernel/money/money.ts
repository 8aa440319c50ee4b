/** Money inside the service: whole smallest units as bigint, never a float. */
import { invariant } from '../invariant.ts'

export type Money = Readonly<{ amount: bigint; currency: string }>

/** The largest amount a request may name (CORE-6). */
export const AMOUNT_MAX = 9_000_000_000_000_000n

/** The bounds of the database's integers. Sums of accepted amounts may exceed AMOUNT_MAX, but never these. */
export const INT64_MAX = 2n ** 63n - 1n
const INT64_MIN = -(2n ** 63n)

export const minOf = (one: bigint, other: bigint): bigint => (one < other ? one : other)
export const maxOf = (one: bigint, other: bigint): bigint => (one > other ? one : other)

export function money(amount: bigint, currency: string): Money {
  invariant(amount <= INT64_MAX && amount >= INT64_MIN, 'An amount must fit into 64 bits.')
  return { amount, currency }
}
