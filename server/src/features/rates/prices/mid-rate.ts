import { currencyOf } from '../../../kernel/money/currency.ts'
import { multiply, ONE, powerOfTen, ratio } from '../../../kernel/money/fraction.ts'
import type { Fraction } from '../../../kernel/money/fraction.ts'
import { makeRate } from '../../../kernel/money/rate.ts'
import type { Rate } from '../../../kernel/money/rate.ts'

/** Units of a currency or gas asset per 1 USD, exact, in the middle of bid and ask. The reader checks their age (RATE-11). */
export type Prices = Pick<ReadonlyMap<string, Fraction>, 'get' | 'has'>

export type CurrencyPair = Readonly<{ sending: string; receiving: string }>

/**
 * The rate in the middle of bid and ask, for what is compared or shown but not converted (PROV-133). Undefined where a price
 * is missing. Equal currencies need no price.
 */
export function midRate({
  sending,
  receiving,
  prices,
}: CurrencyPair & Readonly<{ prices: Prices }>): Rate | undefined {
  if (sending === receiving) return rateOf({ sending, receiving }, ONE)
  const from = prices.get(sending)
  const to = prices.get(receiving)
  return from && to && rateOf({ sending, receiving }, ratio({ of: to, to: from }))
}

/** Receiving minor units per sending minor unit, from whole units per whole unit. */
export function rateOf({ sending, receiving }: CurrencyPair, wholeUnits: Fraction): Rate {
  const decimalsApart = currencyOf(receiving).decimals - currencyOf(sending).decimals
  const minor = multiply(wholeUnits, powerOfTen(decimalsApart))
  return makeRate({ from: sending, to: receiving, ...minor })
}
