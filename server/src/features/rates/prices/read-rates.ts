import { addMs, SECOND_MS } from '../../../kernel/clock.ts'
import { ONE, ratio, type Fraction } from '../../../kernel/fraction.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import type { Rate } from '../../../kernel/rate.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { isFresh, PRICE_LIFETIME_SECONDS, readMarket, type Market } from './market.ts'
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

/** RATE-10: so long a pair keeps its rate, by the platform's clock. */
const RATE_LIFETIME_SECONDS = 300

/** A pair as somebody asks for it; either may be a gas asset. */
export type WantedRate = Readonly<{
  platform: Pick<Platform, 'id' | 'environment'>
  now: Date
  sending: string
  receiving: string
  /** Of a gas asset: the network that it is asked for, and that may turn out not to need it. */
  network?: NetworkName
}>

/** What a payout over a network costs, or what there is to be set before it can be priced (FEE-11). */
export type NetworkFee =
  | Readonly<{
      ok: true
      /** In the smallest unit of the currency asked for. */
      cost: bigint
      /** In the smallest unit of the gas asset. */
      fee: bigint
    }>
  | Readonly<{ ok: false; missing: readonly string[] }>

/** What is missing where the operator has set no fee for a network. */
export const NETWORK_FEE = 'NETWORK_FEE'

export type RatesInForce = Readonly<{
  /** Equal currencies have a rate of one, whatever the market says. */
  rateOf(pair: RatePair): Rate | undefined
  updatedAt(pair: RatePair): Date | undefined
  /** RATE-11: the codes without a current price, of a pair that has no rate for it. */
  missingOf(pair: RatePair): readonly string[]
  /** The fixed fee of a payout to a chain: of the sandbox table, or as the operator set it (FEE-2, FEE-11). */
  networkFeeOf(platformId: Id<'platform'>, payout: OverNetwork): NetworkFee
}>

const nameOf = ({ platformId, sending, receiving }: RatePair): string =>
  `${platformId} ${sending} ${receiving}`

const pairOf = ({ platform, sending, receiving }: WantedRate): RatePair => ({
  platformId: platform.id,
  sending,
  receiving,
})

/** What has to be asked for to know a network's fee: the rate of the asset it is paid in. */
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

/** A rate whose price has grown too old is over before its time: there may be a newer price already (RATE-11). */
const isCurrent = (rate: CachedRate | undefined, now: Date): boolean =>
  rate !== undefined &&
  addMs(rate.updatedAt, RATE_LIFETIME_SECONDS * SECOND_MS) > now &&
  isFresh({ at: rate.pricedAt, now })

/**
 * RATE-10: the rates in force between these pairs, of any platforms, with the fees of the networks asked for. A rate whose
 * time is over is taken again; of several calls that do so at once all see the same one. A pair without a fresh price is
 * left out (RATE-11).
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

/** The fees of the platforms that ask; production's are read only where a network of it is asked for. */
async function readFees(tx: Tx, asked: readonly WantedRate[]): Promise<FeesOf> {
  const environments = new Map(asked.map(({ platform }) => [platform.id, platform.environment]))
  const isRead = asked.some((one) => one.network !== undefined && isProduction(one))
  const production: NetworkFees = isRead ? await readNetworkFees(tx, 'PRODUCTION') : new Map()
  return (id) => (environments.get(id) === 'SANDBOX' ? SANDBOX_NETWORK_FEES : production)
}

const isProduction = ({ platform }: WantedRate): boolean => platform.environment === 'PRODUCTION'

/** Equal currencies need no rate, nor does a network without a fee. */
const isNeeded = ({ sending, receiving, network }: WantedRate, fees: NetworkFees): boolean =>
  sending !== receiving &&
  (network === undefined ||
    needsGasPrice({ network, currency: receiving }, fees.get(network) ?? 0n))

/** Before production's fees are read, each of its networks may have one. */
const mayBeNeeded = (one: WantedRate): boolean =>
  isProduction(one) ? one.sending !== one.receiving : isNeeded(one, SANDBOX_NETWORK_FEES)

const byPair = (wanted: readonly WantedRate[]): Map<string, WantedRate> =>
  new Map(wanted.map((one) => [nameOf(pairOf(one)), one]))

/** The rate in force or, where its price is stale, the last known one: for what was agreed elsewhere (CTXN-22). */
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
  /** Of the pairs that have no rate: the codes without a fresh price. */
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

/** One look at each environment's market, whatever the number of pairs. */
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

/** A pair's ratio in the form in which prices are told: the sending side is the unit. */
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
