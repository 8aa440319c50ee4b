import { fraction, multiply, ratio, toSignificantDigits } from '../../../kernel/money/fraction.ts'
import type { Fraction } from '../../../kernel/money/fraction.ts'
import type { Rate } from '../../../kernel/money/rate.ts'
import { decimalToWire } from '../../../kernel/money/wire-decimal.ts'
import { amountToWire } from '../../../kernel/money/wire-money.ts'
import { midRate } from '../prices/mid-rate.ts'
import type { Prices } from '../prices/mid-rate.ts'
import { BPS } from './price.ts'
import type { Fees, Price } from './price.ts'

/** The parts of a cross-currency price, through the millisatoshi (1e-11 BTC) as in UMA (FEE-10). */
export type RateDetails = Readonly<{
  counterpartyMultiplier: number
  counterpartyFixedFee: number
  serviceApiMultiplier: number
  serviceApiFixedFee: number
  serviceApiVariableFeeRate: number
  serviceApiVariableFeeAmount: number
}>

const MILLISATOSHI_PER_SATOSHI: Fraction = { numerator: 1_000n, denominator: 1n }

/** Far beyond the 1e-9 that the product of the multipliers is promised to. */
const SIGNIFICANT_DIGITS = 15

/**
 * Wire numbers, fixed with the quote: they describe the price, and nothing is computed from them. Undefined where bitcoin
 * has no price.
 */
export function rateDetails({
  price,
  rate,
  fees,
  prices,
}: {
  price: Price
  rate: Rate
  fees: Fees
  prices: Prices
}): RateDetails | undefined {
  const satoshi = midRate({ sending: rate.from, receiving: 'BTC', prices })
  if (!satoshi) return undefined
  const millisatoshi = multiply(satoshi, MILLISATOSHI_PER_SATOSHI)
  const variableRate = fraction({ numerator: fees.bps.service, denominator: BPS })
  const keptRate = fraction({ numerator: BPS - fees.bps.service, denominator: BPS })
  return {
    counterpartyMultiplier: toWire(ratio({ of: rate, to: millisatoshi })),
    counterpartyFixedFee: 0,
    serviceApiMultiplier: toWire(multiply(millisatoshi, keptRate)),
    serviceApiFixedFee: amountToWire(fees.fixed.service),
    serviceApiVariableFeeRate: toWire(variableRate),
    serviceApiVariableFeeAmount: amountToWire(price.serviceVariableFee),
  }
}

function toWire(value: Fraction): number {
  return decimalToWire(toSignificantDigits(value, SIGNIFICANT_DIGITS))
}
