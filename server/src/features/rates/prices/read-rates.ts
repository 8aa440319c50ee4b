import { addMs, SECOND_MS } from '../../../kernel/clock.ts'
import { ONE, ratio, type Fraction } from '../../../kernel/money/fraction.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import type { Rate } from '../../../kernel/money/rate.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import {
  hasFixedPrices,
  isFresh,
  PRICE_LIFETIME_SECONDS,
  readMarket,
  type Market,
} from './market.ts'
import { midRate, type Prices } from './mid-rate.ts'
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
export type WantedRate = Readonly<{
  platform: Pick<Platform, 'id' | 'environment'>
  now: Date
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

/** The missing code where the operator has set no fee for a network. */
export const NETWORK_FEE = 'NETWORK_FEE'

export type RatesInForce = Readonly<{
  /** Equal currencies have a rate of one, without a price. */
  rateOf(pair: RatePair): Rate | undefined
  updatedAt(pair: RatePair): Date | undefined
  /** The codes without a current price, for a pair without a rate (RATE-11). */
  missingOf(pair: RatePair): readonly string[]
  /** The fixed fee of a payout to a chain: the sandbox's, or the operator's (FEE-2, FEE-11). */
  networkFeeOf(platformId: Id<'platform'>, payout: OverNetwork): NetworkFee
}>

const nameOf = ({ platformId, sending, receiving }: RatePair): string =>
  `${platformId} ${sending} ${receiving}`

const pairOf = ({ platform, sending, receiving }: WantedRate): RatePair => ({
  platformId: platform.id,
  sending,
  receiving,
})

/** The rate that a network's fee needs: that of its gas asset. */
export const wantedForNetwork = (
  { platform, now }: Pick<WantedRate, 'platform' | 'now'>,
  { network, currency }: OverNetwork,
): WantedRate => ({
  platform,
  now,
  sending: NETWORKS[network].feeAsset,
  receiving: currency,
  network,
})

/** A rate with a stale price ends early, because there may be a newer price (RATE-11). */
const isCurrent = (rate: CachedRate | undefined, now: Date): boolean =>
  rate !== undefined &&
  addMs(rate.updatedAt, RATE_LIFETIME_SECONDS * SECOND_MS) > now &&
  isFresh({ at: rate.pricedAt, now })

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

/** The network fees of the platforms; production's are read only where a request needs them. */
async function readFees(tx: Tx, asked: readonly WantedRate[]): Promise<FeesOf> {
  const platforms = new Map(asked.map(({ platform }) => [platform.id, platform]))
  const read = asked.find((one) => one.network !== undefined && !hasFixedPrices(one.platform))
  const production: NetworkFees = read
    ? await readNetworkFees(tx, read.platform.environment)
    : new Map()
  return (id) => {
    const platform = platforms.get(id)
    return platform && hasFixedPrices(platform) ? SANDBOX_NETWORK_FEES : production
  }
}

/** Equal currencies need no rate, nor does a network without a fee. */
const isNeeded = ({ sending, receiving, network }: WantedRate, fees: NetworkFees): boolean =>
  sending !== receiving &&
  (network === undefined ||
    needsGasPrice({ network, currency: receiving }, fees.get(network) ?? 0n))

/** Before production's fees are read, any network may have one. */
const mayBeNeeded = (one: WantedRate): boolean =>
  hasFixedPrices(one.platform) ? isNeeded(one, SANDBOX_NETWORK_FEES) : one.sending !== one.receiving

const byPair = (wanted: readonly WantedRate[]): Map<string, WantedRate> =>
  new Map(wanted.map((one) => [nameOf(pairOf(one)), one]))

/** The rate in force or, where its price is stale, the last known one, for payments that cannot be refused (CTXN-22). */
export async function readLastRate(tx: Tx, wanted: WantedRate): Promise<Rate | undefined> {
  const pair = pairOf(wanted)
  const current = (await readRates(tx, [wanted])).rateOf(pair)
  if (current) return current
  const { environment } = wanted.platform
  const market = await readMarket(tx, { environment, now: wanted.now })
  const prices = new Map([...market].map(([code, { price }]) => [code, price]))
  return midRate({ ...pair, prices })
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
  const markets = await readMarkets(tx, due)
  const missing = new Map(
    due.map((one) => [nameOf(pairOf(one)), missingFrom(markets(one), one)] as const),
  )
  const taken = due.flatMap((one) => takenFrom(markets(one), one) ?? [])
  if (taken.length === 0) return { rates: new Map(), missing }
  await saveCachedRates(tx, taken, {
    rateSeconds: RATE_LIFETIME_SECONDS,
    priceSeconds: PRICE_LIFETIME_SECONDS,
  })
  return { rates: byName(await listCachedRates(tx, taken)), missing }
}

const missingFrom = (market: Market, { sending, receiving, now }: WantedRate): string[] =>
  [sending, receiving].filter((code) => {
    const known = market.get(code)
    return !known || !isFresh({ at: known.at, now })
  })

/** One read of each environment's market, for any number of pairs. */
async function readMarkets(
  tx: Tx,
  due: readonly WantedRate[],
): Promise<(one: WantedRate) => Market> {
  const environments = [...new Set(due.map(({ platform }) => platform.environment))]
  const latest = due.reduce((now, one) => (one.now > now ? one.now : now), new Date(0))
  const found = await Promise.all(
    environments.map(async (environment) => {
      const market = await readMarket(tx, { environment, now: latest })
      return [environment, market] as const
    }),
  )
  const markets = new Map(found)
  return ({ platform }) => markets.get(platform.environment) as Market
}

function takenFrom(market: Market, wanted: WantedRate): CachedRate | undefined {
  const { now } = wanted
  const [from, to] = [market.get(wanted.sending), market.get(wanted.receiving)]
  if (!from || !to) return undefined
  const older = from.at < to.at ? from.at : to.at
  const pricedAt = older < now ? older : now
  if (!isFresh({ at: pricedAt, now })) return undefined
  return {
    ...pairOf(wanted),
    ratio: ratio({ of: to.price, to: from.price }),
    pricedAt,
    updatedAt: now,
  }
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
  return {
    rateOf: (pair) => midRate({ ...pair, prices: pricesFor(pair) }),
    updatedAt: (pair) => rates.get(nameOf(pair))?.updatedAt,
    missingOf,
    networkFeeOf(platformId, payout) {
      const fee = fees(platformId).get(payout.network)
      if (fee === undefined) return { ok: false, missing: [NETWORK_FEE] }
      const sending = NETWORKS[payout.network].feeAsset
      const pair = { platformId, sending, receiving: payout.currency }
      const cost = networkFeeIn({ ...payout, fee, prices: pricesFor(pair) })
      return cost === undefined ? { ok: false, missing: missingOf(pair) } : { ok: true, cost, fee }
    },
  }
}
