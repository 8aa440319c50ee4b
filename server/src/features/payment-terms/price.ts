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
import { currencyOfSide, type PayingSide, type ReceivingSide } from './sides.ts'

type Ends = Readonly<{ paying: PayingSide; receiving: ReceivingSide }>

const payoutNetworkOf = ({ receiving }: Ends) =>
  receiving.kind === 'external' ? networkOf(receiving.account) : undefined

/** The rates that a price between these ends depends on. */
export function wantedRatesOf({ platform, now, ports }: PriceCaller, ends: Ends): WantedRate[] {
  const caller = { platform, now, ports }
  const sending = currencyOfSide(ends.paying)
  const network = payoutNetworkOf(ends)
  return [
    { ...caller, sending, receiving: currencyOfSide(ends.receiving) },
    ...(network ? [wantedForNetwork(caller, { network, currency: sending })] : []),
  ]
}

export type Pricing = Ends &
  Readonly<{
    corridor: Corridor
    terms: Terms
    rates: RatesInForce
    lock: Readonly<{ side: LockSide; amount: bigint }>
    /** In place of the configured one (FEE-4). */
    platformFee?: FeeRate | undefined
  }>

export type PricedEnds = Readonly<{ price: Price; rate: Rate; fees: Fees }>

/**
 * Prices a payment between two ends, as the platform's terms and the rates in force have it.
 * Fails: QUOTE_REQUEST_FAILED without a fresh rate (RATE-11), AMOUNT_OUT_OF_RANGE (RATE-5, LIM-2),
 * TRANSACTION_SIZE_LIMIT_EXCEEDED (LIM-1).
 */
export function pricePayment(pricing: Pricing): PricedEnds {
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
    // FEE-9: a withdrawal is what leaves over a network in the coin it was held in.
    applicationFee: network && !isCrossCurrency ? terms.applicationFee : 0n,
  })
  const priced = price({ ...fees, lock, rate })
  if (!priced.ok)
    return failOutOfRange({ ...acceptedRange({ rate, fees, terms }), currency: sending })
  const { limits, range } = terms
  mustPass(sizeRefusal({ sending: priced.sending, limits, range }))
  return { price: priced, rate, fees }
}
