import { addMs, SECOND_MS } from '../../kernel/clock.ts'
import { ONE, ratio, type Fraction } from '../../kernel/fraction.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Platform } from '../../kernel/platform.ts'
import type { Rate } from '../../kernel/rate.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { isFresh, PRICE_LIFETIME_SECONDS, readMarket, type Market } from './market.ts'
import { midRate, type Prices } from './mid-rate.ts'
import { networkFeeIn, networkGasOf, type NetworkName } from './networks.ts'
import { listCachedRates, saveCachedRates, type CachedRate, type RatePair } from './store.ts'

/** RATE-10: so long a pair keeps its rate, by the platform's clock. */
const RATE_LIFETIME_SECONDS = 300

/** A pair as somebody asks for it; either may be a gas asset. */
export type WantedRate = Readonly<{
  platform: Pick<Platform, 'id' | 'environment'>
  now: Date
  sending: string
  receiving: string
}>

/** A payout over a network, whose fee is told in a currency. */
export type OverNetwork = Readonly<{ network: NetworkName; currency: string }>

export type RatesInForce = Readonly<{
  /** Equal currencies have a rate of one, whatever the market says. */
  rateOf(pair: RatePair): Rate | undefined
  updatedAt(pair: RatePair): Date | undefined
  /** FEE-2: undefined where the network's asset has no fresh price. */
  networkFeeOf(platformId: Id<'platform'>, payout: OverNetwork): bigint | undefined
}>

const nameOf = ({ platformId, sending, receiving }: RatePair): string =>
  `${platformId} ${sending} ${receiving}`

const pairOf = ({ platform, sending, receiving }: WantedRate): RatePair => ({
  platformId: platform.id,
  sending,
  receiving,
})

/** What has to be asked for to know a network's fee: the rate of the asset it is paid in. */
export function wantedForNetwork(
  { platform, now }: Pick<WantedRate, 'platform' | 'now'>,
  payout: OverNetwork,
): WantedRate[] {
  const gas = networkGasOf(payout)
  return gas === undefined ? [] : [{ platform, now, sending: gas, receiving: payout.currency }]
}

/** A rate whose price has grown too old is over before its time: there may be a newer price already (RATE-11). */
const isCurrent = (rate: CachedRate | undefined, now: Date): boolean =>
  rate !== undefined &&
  addMs(rate.updatedAt, RATE_LIFETIME_SECONDS * SECOND_MS) > now &&
  isFresh({ at: rate.pricedAt, now })

/**
 * RATE-10: the rates in force between these pairs, of any platforms. A rate whose time is over is taken anew; of
 * several calls that do so at once all see the same one. A pair without a fresh price is left out (RATE-11).
 */
export async function readRates(tx: Tx, asked: readonly WantedRate[]): Promise<RatesInForce> {
  const wanted = new Map(
    asked
      .filter(({ sending, receiving }) => sending !== receiving)
      .map((one) => [nameOf(pairOf(one)), one]),
  )
  if (wanted.size === 0) return inForce(new Map())
  const known = byName(await listCachedRates(tx, [...wanted.values()].map(pairOf)))
  const due = [...wanted].filter(([name, { now }]) => !isCurrent(known.get(name), now))
  if (due.length > 0) {
    const refreshed = await refresh(
      tx,
      due.map(([, one]) => one),
    )
    for (const [name] of due) known.delete(name)
    for (const [name, rate] of refreshed) known.set(name, rate)
  }
  return inForce(known)
}

const byName = (rates: readonly CachedRate[]): Map<string, CachedRate> =>
  new Map(rates.map((rate) => [nameOf(rate), rate]))

async function refresh(tx: Tx, due: readonly WantedRate[]): Promise<Map<string, CachedRate>> {
  const markets = await readMarkets(tx, due)
  const taken = due.flatMap((one) => takenFrom(markets(one), one) ?? [])
  if (taken.length === 0) return new Map()
  await saveCachedRates(tx, taken, {
    rateSeconds: RATE_LIFETIME_SECONDS,
    priceSeconds: PRICE_LIFETIME_SECONDS,
  })
  return byName(await listCachedRates(tx, taken))
}

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

function inForce(rates: ReadonlyMap<string, CachedRate>): RatesInForce {
  const pricesFor = (pair: RatePair): Prices => {
    const rate = rates.get(nameOf(pair))
    return rate ? pricesOf(rate) : new Map()
  }
  return {
    rateOf: (pair) => midRate({ ...pair, prices: pricesFor(pair) }),
    updatedAt: (pair) => rates.get(nameOf(pair))?.updatedAt,
    networkFeeOf(platformId, payout) {
      const sending = networkGasOf(payout) ?? payout.currency
      const prices = pricesFor({ platformId, sending, receiving: payout.currency })
      return networkFeeIn({ ...payout, prices })
    },
  }
}
