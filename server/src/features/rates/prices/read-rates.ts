import { addMs, SECOND_MS } from '../../../kernel/clock.ts'
import { ONE, type Fraction } from '../../../kernel/money/fraction.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Rate } from '../../../kernel/money/rate.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { nameOf, pairOf, readConversions } from './conversion.ts'
import { isFresh } from './market.ts'
import { rateOf, type Prices } from './mid-rate.ts'
import { priceSourceOf, type PriceCaller } from './source.ts'
import { readNetworkFees } from '../networks/fees.ts'
import {
  needsGasPrice,
  networkFeeIn,
  NETWORKS,
  SANDBOX_NETWORK_FEES,
  type NetworkFees,
  type NetworkName,
  type OverNetwork,
} from '../networks/networks.ts'
import { listCachedRates, saveCachedRates, type CachedRate, type RatePair } from './store.ts'

/** How long a pair keeps its rate, by the platform's clock (RATE-10). */
const RATE_LIFETIME_SECONDS = 300

/** A requested pair; either side may be a gas asset. */
export type WantedRate = PriceCaller &
  Readonly<{
    sending: string
    receiving: string
    /** The network that needs the rate of its gas asset, unless its fee turns out to need none. */
    network?: NetworkName
  }>

/** The fee of a payout over a network, or the prices that are missing for it (FEE-11). */
export type NetworkFee =
  | Readonly<{
      ok: true
      /** In the smallest unit of the requested currency. */
      cost: bigint
      /** In the smallest unit of the gas asset. */
      fee: bigint
    }>
  | Readonly<{ ok: false; missing: readonly string[] }>

/** The missing code where a network has no fee, or none that is valid any more. */
export const NETWORK_FEE = 'NETWORK_FEE'

export type RatesInForce = Readonly<{
  /** Equal currencies have a rate of one, without a price. */
  rateOf(pair: RatePair): Rate | undefined
  updatedAt(pair: RatePair): Date | undefined
  /** The codes without a current price, for a pair without a rate (RATE-11). */
  missingOf(pair: RatePair): readonly string[]
  /** The fixed fee of a payout to a chain: the sandbox's, the operator's or a provider's (FEE-2, FEE-11, PROV-134). */
  networkFeeOf(platformId: Id<'platform'>, payout: OverNetwork): NetworkFee
}>

/** The rate that a network's fee needs: its gas asset is bought with the currency. */
export const wantedForNetwork = (
  { platform, now, ports }: PriceCaller,
  { network, currency }: OverNetwork,
): WantedRate => ({
  platform,
  now,
  ports,
  sending: currency,
  receiving: NETWORKS[network].feeAsset,
  network,
})

/** A rate with a stale price ends early, because there may be a newer price (RATE-11). */
const isCurrent = (rate: CachedRate | undefined, now: Date): boolean =>
  rate !== undefined &&
  addMs(rate.updatedAt, RATE_LIFETIME_SECONDS * SECOND_MS) > now &&
  isFresh(rate, now)

/**
 * The rates in force of these pairs, of any platforms, with the fees of the requested networks (RATE-10). An expired rate
 * is refreshed; concurrent calls see the same new one. A pair without a fresh price is left out (RATE-11).
 */
export async function readRates(tx: Tx, asked: readonly WantedRate[]): Promise<RatesInForce> {
  const wanted = byPair(asked.filter(mayBeNeeded))
  const [cached, fees] = await Promise.all([
    wanted.size > 0 ? listCachedRates(tx, [...wanted.values()].map(pairOf)) : [],
    readFees(tx, asked),
  ])
  const known = byName(cached)
  const needed = byPair(asked.filter((one) => isNeeded(one, fees(one.platform.id))))
  const due = [...needed].filter(([name, { now }]) => !isCurrent(known.get(name), now))
  const refreshed = await refresh(
    tx,
    due.map(([, one]) => one),
  )
  for (const [name] of due) known.delete(name)
  for (const [name, rate] of refreshed.rates) known.set(name, rate)
  return inForce({ rates: known, missing: refreshed.missing, fees })
}

type FeesOf = (platformId: Id<'platform'>) => NetworkFees

/** The network fees of the platforms; stored ones are read only where a request needs them. */
async function readFees(tx: Tx, asked: readonly WantedRate[]): Promise<FeesOf> {
  const callers = new Map(asked.map((one) => [one.platform.id, one]))
  const fees = await readNetworkFees(
    tx,
    asked.filter(({ network }) => network !== undefined),
  )
  return (id) => {
    const caller = callers.get(id)
    return caller ? fees(caller) : new Map()
  }
}

/** Equal currencies need no rate, nor does a network without a fee. */
const isNeeded = ({ sending, receiving, network }: WantedRate, fees: NetworkFees): boolean =>
  sending !== receiving &&
  (network === undefined || needsGasPrice({ network, currency: sending }, fees.get(network) ?? 0n))

/** Before stored fees are read, any network may have one. */
const mayBeNeeded = (one: WantedRate): boolean =>
  priceSourceOf(one) === 'sandbox'
    ? isNeeded(one, SANDBOX_NETWORK_FEES)
    : one.sending !== one.receiving

const byPair = (wanted: readonly WantedRate[]): Map<string, WantedRate> =>
  new Map(wanted.map((one) => [nameOf(pairOf(one)), one]))

/** The rate in force or, where its price is stale, the last known one, for payments that cannot be refused (CTXN-22). */
export async function readLastRate(tx: Tx, wanted: WantedRate): Promise<Rate | undefined> {
  const pair = pairOf(wanted)
  const current = (await readRates(tx, [wanted])).rateOf(pair)
  if (current) return current
  const { known } = (await readConversions(tx, [wanted]))(wanted)
  return known && rateOf(pair, known.ratio)
}

const byName = (rates: readonly CachedRate[]): Map<string, CachedRate> =>
  new Map(rates.map((rate) => [nameOf(rate), rate]))

type Refreshed = Readonly<{
  rates: ReadonlyMap<string, CachedRate>
  /** The codes without a fresh price, for pairs without a rate. */
  missing: ReadonlyMap<string, readonly string[]>
}>

async function refresh(tx: Tx, due: readonly WantedRate[]): Promise<Refreshed> {
  if (due.length === 0) return { rates: new Map(), missing: new Map() }
  const conversions = await readConversions(tx, due)
  const found = due.map((one) => ({ ...conversions(one), pair: pairOf(one), updatedAt: one.now }))
  const missing = new Map(found.map((one) => [nameOf(one.pair), one.missing] as const))
  const taken = found.flatMap(({ known, missing: stale, pair, updatedAt }) =>
    known && stale.length === 0 ? [{ ...pair, ...known, updatedAt }] : [],
  )
  if (taken.length === 0) return { rates: new Map(), missing }
  await saveCachedRates(tx, taken, { rateSeconds: RATE_LIFETIME_SECONDS })
  return { rates: byName(await listCachedRates(tx, taken)), missing }
}

/** A pair's ratio as prices, with the sending currency as the unit. */
const pricesOf = ({ sending, receiving, ratio }: CachedRate): Prices =>
  new Map<string, Fraction>([
    [sending, ONE],
    [receiving, ratio],
  ])

function inForce({ rates, missing, fees }: Refreshed & Readonly<{ fees: FeesOf }>): RatesInForce {
  const pricesFor = (pair: RatePair): Prices => {
    const rate = rates.get(nameOf(pair))
    return rate ? pricesOf(rate) : new Map()
  }
  const missingOf = (pair: RatePair) => missing.get(nameOf(pair)) ?? []
  const made = new Map<string, Rate>()
  return {
    rateOf(pair) {
      if (pair.sending === pair.receiving) return rateOf(pair, ONE)
      const name = nameOf(pair)
      const cached = rates.get(name)
      const rate = made.get(name) ?? (cached && rateOf(pair, cached.ratio))
      if (rate) made.set(name, rate)
      return rate
    },
    updatedAt: (pair) => rates.get(nameOf(pair))?.updatedAt,
    missingOf,
    networkFeeOf(platformId, payout) {
      const fee = fees(platformId).get(payout.network)
      if (fee === undefined) return { ok: false, missing: [NETWORK_FEE] }
      const receiving = NETWORKS[payout.network].feeAsset
      const pair = { platformId, sending: payout.currency, receiving }
      const cost = networkFeeIn({ ...payout, fee, prices: pricesFor(pair) })
      if (cost !== undefined) return { ok: true, cost, fee }
      // The gas asset first: it is what the network is about.
      return { ok: false, missing: missingOf(pair).toReversed() }
    },
  }
}
