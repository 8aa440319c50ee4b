import { failOutOfRange } from '../../kernel/money/amount-range.ts'
import { mustPass } from '../../kernel/errors.ts'
import type { Rate } from '../../kernel/money/rate.ts'
import { networkOf } from '../external-accounts/index.ts'
import {
  acceptedRange,
  failWithoutPrice,
  feesOf,
  price,
  sizeRefusal,
  wantedForNetwork,
  type Corridor,
  type FeeRate,
  type Fees,
  type LockSide,
  type Price,
  type PriceCaller,
  type RatesInForce,
  type Terms,
  type WantedRate,
} from '../rates/index.ts'
import { currencyOfSide, type BothSides } from './sides.ts'

const payoutNetworkOf = ({ receiving }: BothSides) =>
  receiving.kind === 'external' ? networkOf(receiving.account) : undefined

/** The rates that the price of a payment depends on. */
export function wantedRatesOf(
  { platform, now, ports }: PriceCaller,
  sides: BothSides,
): WantedRate[] {
  const caller = { platform, now, ports }
  const sending = currencyOfSide(sides.paying)
  const network = payoutNetworkOf(sides)
  return [
    { ...caller, sending, receiving: currencyOfSide(sides.receiving) },
    ...(network ? [wantedForNetwork(caller, { network, currency: sending })] : []),
  ]
}

export type Pricing = BothSides &
  Readonly<{
    corridor: Corridor
    terms: Terms
    rates: RatesInForce
    lock: Readonly<{ side: LockSide; amount: bigint }>
    /** Replaces the configured fee (FEE-4). */
    platformFee?: FeeRate | undefined
  }>

export type PaymentPrice = Readonly<{ price: Price; rate: Rate; fees: Fees }>

/**
 * Prices a payment by the platform's terms and the current rates.
 * Fails: QUOTE_REQUEST_FAILED without a fresh rate (RATE-11), AMOUNT_OUT_OF_RANGE (RATE-5, LIM-2),
 * TRANSACTION_SIZE_LIMIT_EXCEEDED (LIM-1).
 */
export function pricePayment(pricing: Pricing): PaymentPrice {
  const { corridor, terms, rates, lock } = pricing
  const { platformId, sending, receiving } = corridor
  const network = payoutNetworkOf(pricing)
  const isCrossCurrency = sending !== receiving
  const rate = rates.rateOf(corridor)
  const networkFee = network && rates.networkFeeOf(platformId, { network, currency: sending })
  if (!rate || networkFee?.ok === false) {
    const missing = rate ? [] : rates.missingOf(corridor)
    return failWithoutPrice({ missing, network, networkFee })
  }
  const fees = feesOf({
    isCrossCurrency,
    service: terms.serviceFee,
    platform: pricing.platformFee ?? terms.platformFee,
    networkFee: networkFee?.cost ?? 0n,
    // Only a withdrawal has this fee: a coin that leaves over a network without conversion (FEE-9).
    applicationFee: network && !isCrossCurrency ? terms.applicationFee : 0n,
  })
  const priced = price({ ...fees, lock, rate })
  if (!priced.ok)
    return failOutOfRange({ ...acceptedRange({ rate, fees, terms }), currency: sending })
  const { limits, range } = terms
  mustPass(sizeRefusal({ sending: priced.sending, limits, range }))
  return { price: priced, rate, fees }
}
