import { currencyOf } from '../../../kernel/money/currency.ts'
import { multiply, powerOfTen, ratio } from '../../../kernel/money/fraction.ts'
import type { Fraction } from '../../../kernel/money/fraction.ts'
import { makeRate } from '../../../kernel/money/rate.ts'
import type { Rate } from '../../../kernel/money/rate.ts'

/** P(c): units of a currency or gas asset per 1 USD, exact. The reader of the table checks its age (RATE-11). */
export type Prices = ReadonlyMap<string, Fraction>

/**
 * m = N/D = P(r)/P(s) × 10^(dr−ds): receiving minor units per sending minor unit, exact. Undefined where a price is
 * missing, so that a pair without a fresh price is left out. Equal currencies need no price.
 */
export function midRate({
  sending,
  receiving,
  prices,
}: {
  sending: string
  receiving: string
  prices: Prices
}): Rate | undefined {
  if (sending === receiving) {
    return makeRate({ from: sending, to: receiving, numerator: 1n, denominator: 1n })
  }
  const from = prices.get(sending)
  const to = prices.get(receiving)
  if (!from || !to) return undefined
  const decimalsApart = currencyOf(receiving).decimals - currencyOf(sending).decimals
  const minor = multiply(ratio({ of: to, to: from }), powerOfTen(decimalsApart))
  return makeRate({ from: sending, to: receiving, ...minor })
}
