import type { Work } from '../../infra/work/work.ts'
import { defaultRailOf, PAYOUT_CURRENCIES } from '../external-accounts/index.ts'
import { readConfig } from '../platform/index.ts'
import {
  acceptedRange,
  cheapestNetworkOf,
  feesOf,
  rateRow,
  readNetworkFees,
  readPrices,
  readRates,
  readTerms,
  volumeDayOf,
  wantedForNetwork,
  type Corridor,
  type NetworkFees,
  type NetworkName,
  type Prices,
  type RatesInForce,
  type Terms,
  type WantedRate,
} from '../rates/index.ts'

export type ExchangeRate = ReturnType<typeof rateRow> &
  Readonly<{
    sending: string
    receiving: string
    /** Absent for coins. */
    paymentRail: string | undefined
    minSendingAmount: bigint
    maxSendingAmount: bigint
    updatedAt: Date
  }>

export type RateFilters = Readonly<{
  sourceCurrency: string | undefined
  destinationCurrencies: readonly string[] | undefined
  sendingAmount: bigint
}>

/** A payout goes over the default rail, or over the cheapest network that carries the coin. */
type Way = Readonly<{
  sending: string
  receiving: string
  paymentRail: string | undefined
  network: NetworkName | undefined
}>

/**
 * Lists the result of a SENDING quote of the amount, from each of the platform's currencies into each payable currency
 * (RATE-6 to RATE-10). Pairs without a fresh price are left out (RATE-11). Refuses nothing.
 */
export async function listExchangeRates(work: Work, filters: RateFilters): Promise<ExchangeRate[]> {
  const { tx, platform, now, ports } = work
  const [config, pricesOf, networkFeesOf] = await Promise.all([
    readConfig(work),
    readPrices(tx, [work]),
    readNetworkFees(tx, [work]),
  ])
  const sources = config.currencies.map(({ currency }) => currency)
  const market = { prices: pricesOf(work), fees: networkFeesOf(work) }
  const ways = waysBetween(sources, filters, market)
  const day = volumeDayOf(now)
  const [terms, rates] = await Promise.all([
    readTerms(
      tx,
      ways.map((way) => ({ platformId: platform.id, ...way, day, ports })),
    ),
    readRates(
      tx,
      ways.flatMap((way) => wantedBy(work, way)),
    ),
  ])
  return ways.flatMap((way) => {
    const corridor = { platformId: platform.id, ...way, day }
    const { sendingAmount } = filters
    return rowOf({ way, corridor, terms: terms(corridor), rates, sendingAmount }) ?? []
  })
}

function waysBetween(
  sources: readonly string[],
  filters: RateFilters,
  market: Readonly<{ prices: Prices; fees: NetworkFees }>,
): Way[] {
  const { sourceCurrency, destinationCurrencies } = filters
  const isAsked = (sending: string, receiving: string): boolean =>
    sending !== receiving &&
    (sourceCurrency === undefined || sending === sourceCurrency) &&
    (destinationCurrencies === undefined || destinationCurrencies.includes(receiving))
  return sources.toSorted().flatMap((sending) =>
    PAYOUT_CURRENCIES.filter((receiving) => isAsked(sending, receiving)).flatMap((receiving) => {
      const paymentRail = defaultRailOf(receiving)
      const network = paymentRail ? undefined : cheapestNetworkOf({ asset: receiving, ...market })
      return paymentRail || network ? [{ sending, receiving, paymentRail, network }] : []
    }),
  )
}

/** The pair's own rate, and the rate for its network fee. */
function wantedBy(
  { platform, now, ports }: Work,
  { sending, receiving, network }: Way,
): WantedRate[] {
  const caller = { platform, now, ports }
  return [
    { ...caller, sending, receiving },
    ...(network ? [wantedForNetwork(caller, { network, currency: sending })] : []),
  ]
}

type Pricing = Readonly<{
  way: Way
  corridor: Corridor
  terms: Terms
  rates: RatesInForce
  sendingAmount: bigint
}>

function rowOf({ way, corridor, terms, rates, sendingAmount }: Pricing): ExchangeRate | undefined {
  const { sending, receiving, paymentRail, network } = way
  const rate = rates.rateOf(corridor)
  const updatedAt = rates.updatedAt(corridor)
  const networkFee =
    network && rates.networkFeeOf(corridor.platformId, { network, currency: sending })
  if (!rate || !updatedAt || networkFee?.ok === false) return undefined
  const fees = feesOf({
    isCrossCurrency: true,
    service: terms.serviceFee,
    platform: terms.platformFee,
    networkFee: networkFee?.cost ?? 0n,
  })
  const range = acceptedRange({ rate, fees, terms })
  return {
    ...rateRow({ sendingAmount, rate, fees, range }),
    sending,
    receiving,
    paymentRail,
    minSendingAmount: range.minimum ?? 0n,
    maxSendingAmount: range.maximum ?? 0n,
    updatedAt,
  }
}
