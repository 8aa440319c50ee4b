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

type Multipliers = Readonly<{ counterparty: number; serviceApi: number; variableFee: number }>

/** What the multipliers of a rate were made of, the last time. */
type Known = Readonly<{
  from: Fraction | undefined
  bitcoin: Fraction | undefined
  bps: bigint
  multipliers: Multipliers
}>
/** The payments of a batch in one corridor share the rate. */
const knownOf = new WeakMap<Rate, Known>()

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
  const multipliers = multipliersOf(rate, fees.bps.service, prices)
  if (!multipliers) return undefined
  return {
    counterpartyMultiplier: multipliers.counterparty,
    counterpartyFixedFee: 0,
    serviceApiMultiplier: multipliers.serviceApi,
    serviceApiFixedFee: amountToWire(fees.fixed.service),
    serviceApiVariableFeeRate: multipliers.variableFee,
    serviceApiVariableFeeAmount: amountToWire(price.serviceVariableFee),
  }
}

function multipliersOf(rate: Rate, bps: bigint, prices: Prices): Multipliers | undefined {
  const [from, bitcoin] = [prices.get(rate.from), prices.get('BTC')]
  const known = knownOf.get(rate)
  if (known && known.from === from && known.bitcoin === bitcoin && known.bps === bps)
    return known.multipliers
  const satoshi = midRate({ sending: rate.from, receiving: 'BTC', prices })
  if (!satoshi) return undefined
  const millisatoshi = multiply(satoshi, MILLISATOSHI_PER_SATOSHI)
  const multipliers = {
    counterparty: toWire(ratio({ of: rate, to: millisatoshi })),
    serviceApi: toWire(multiply(millisatoshi, ofBps(BPS - bps))),
    variableFee: toWire(ofBps(bps)),
  }
  knownOf.set(rate, { from, bitcoin, bps, multipliers })
  return multipliers
}

const ofBps = (bps: bigint): Fraction => fraction({ numerator: bps, denominator: BPS })

function toWire(value: Fraction): number {
  return decimalToWire(toSignificantDigits(value, SIGNIFICANT_DIGITS))
}
