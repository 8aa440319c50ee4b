import { fraction, multiply, ratio, type Fraction } from '../../../kernel/money/fraction.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { BPS } from '../pricing/price.ts'
import { isFresh, readMarkets, type MarketPrice } from './market.ts'
import type { CurrencyPair } from './mid-rate.ts'
import type { PriceCaller } from './source.ts'
import { listSpreads, type RatePair } from './store.ts'

type Sides = Readonly<{
  sending: Pick<MarketPrice, 'ask'>
  receiving: Pick<MarketPrice, 'bid'>
  spreadBps: bigint
}>

/**
 * Whole units that are received for a whole unit sent: bid(r)/ask(s), less the spread, exact (PROV-133). Both prices are on
 * the side of the service, so that a conversion there and back never gains.
 */
export function conversionRatio({ sending, receiving, spreadBps }: Sides): Fraction {
  const kept = fraction({ numerator: BPS - spreadBps, denominator: BPS })
  return multiply(ratio({ of: receiving.bid, to: sending.ask }), kept)
}

type Conversion = Readonly<{
  /** Undefined where a price was never known. */
  known: Readonly<{ ratio: Fraction; validUntil: Date }> | undefined
  /** The codes without a fresh price (RATE-11). */
  missing: readonly string[]
}>

type Converted = PriceCaller & CurrencyPair

export const pairOf = ({ platform, sending, receiving }: Converted): RatePair => ({
  platformId: platform.id,
  sending,
  receiving,
})

export const nameOf = ({ platformId, sending, receiving }: RatePair): string =>
  `${platformId} ${sending} ${receiving}`

/** What pairs of any platforms convert at by the last known prices, with the platforms' spreads. */
export async function readConversions(
  tx: Tx,
  wanted: readonly Converted[],
): Promise<(one: Converted) => Conversion> {
  const [markets, spreads] = await Promise.all([
    readMarkets(tx, wanted),
    listSpreads(tx, wanted.map(pairOf)),
  ])
  const bps = new Map(spreads.map((spread) => [nameOf(spread), BigInt(spread.bps)]))
  return (one) => {
    const market = markets(one)
    const [sending, receiving] = [market(one.sending), market(one.receiving)]
    const isMissing = (price: MarketPrice | undefined): boolean =>
      !price || !isFresh(price, one.now)
    const missing = [
      ...(isMissing(sending) ? [one.sending] : []),
      ...(isMissing(receiving) ? [one.receiving] : []),
    ]
    if (!sending || !receiving) return { known: undefined, missing }
    const spreadBps = bps.get(nameOf(pairOf(one))) ?? 0n
    const validUntil =
      sending.validUntil < receiving.validUntil ? sending.validUntil : receiving.validUntil
    return {
      known: { ratio: conversionRatio({ sending, receiving, spreadBps }), validUntil },
      missing,
    }
  }
}
