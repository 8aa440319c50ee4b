import { addMs, SECOND_MS } from '../../../kernel/clock.ts'
import { mean, ONE, parseFraction, type Fraction } from '../../../kernel/money/fraction.ts'
import { platformTime } from '../../../kernel/platform.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Prices } from './mid-rate.ts'
import { SANDBOX_PRICES } from './sandbox-prices.ts'
import { PRICE_LIFETIME_SECONDS, priceSourceOf, type PriceCaller } from './source.ts'
import { listStoredPrices, type StoredPrice } from './store.ts'

/** All prices are in this currency, so it needs none itself. */
export const UNIT_CURRENCY = 'USD'

/** Units per 1 USD: a bank buys at `bid` and sells at `ask`. `validUntil` is in the platform's time. */
export type MarketPrice = Readonly<{ bid: Fraction; ask: Fraction; validUntil: Date }>

/** The last known price of a currency or gas asset, of any age. */
export type Market = (code: string) => MarketPrice | undefined

export const isFresh = ({ validUntil }: Pick<MarketPrice, 'validUntil'>, now: Date): boolean =>
  validUntil >= now

const lifetimeFrom = (now: Date): Date => addMs(now, PRICE_LIFETIME_SECONDS * SECOND_MS)

/** The markets of any platforms, in one statement; the sandbox's fixed prices need none (PROV-132). */
export async function readMarkets(
  tx: Tx,
  callers: readonly PriceCaller[],
): Promise<(caller: PriceCaller) => Market> {
  const sources = new Set(callers.map(priceSourceOf))
  sources.delete('sandbox')
  const rows = sources.size > 0 ? await listStoredPrices(tx, [...sources]) : []
  const bySource = new Map(
    [...Map.groupBy(rows, ({ source }) => source)].map(([source, prices]) => [
      source,
      new Map(prices.map((price) => [price.currency, price])),
    ]),
  )
  return (caller) => {
    const source = priceSourceOf(caller)
    if (source === 'sandbox') return sandboxMarket(caller)
    return storedMarket(bySource.get(source) ?? new Map(), caller)
  }
}

/** Bid and ask are equal, and always fresh. */
const sandboxMarket =
  ({ now }: PriceCaller): Market =>
  (code) => {
    const price = SANDBOX_PRICES.get(code)
    return price && { bid: price, ask: price, validUntil: lifetimeFrom(now) }
  }

/** Prices are of real time, whatever time the platform's clock shows. */
function storedMarket(
  byCode: ReadonlyMap<string, StoredPrice>,
  { platform, now }: PriceCaller,
): Market {
  return (code) => {
    if (code === UNIT_CURRENCY) return { bid: ONE, ask: ONE, validUntil: lifetimeFrom(now) }
    const row = byCode.get(code)
    return (
      row && {
        bid: parseFraction(row.bid),
        ask: parseFraction(row.ask),
        validUntil: platformTime(platform, row.validUntil),
      }
    )
  }
}

export const midPrice = ({ bid, ask }: Pick<MarketPrice, 'bid' | 'ask'>): Fraction => mean(bid, ask)

/** The fresh prices of any platforms, each in the middle of bid and ask; the sandbox's need no query. */
export async function readPrices(
  tx: Tx,
  callers: readonly PriceCaller[],
): Promise<(caller: PriceCaller) => Prices> {
  const markets = await readMarkets(tx, callers)
  return (caller) => {
    if (priceSourceOf(caller) === 'sandbox') return SANDBOX_PRICES
    const market = markets(caller)
    const freshOf = (code: string) => {
      const price = market(code)
      return price && isFresh(price, caller.now) ? price : undefined
    }
    return {
      has: (code) => freshOf(code) !== undefined,
      get(code) {
        const price = freshOf(code)
        return price && midPrice(price)
      },
    }
  }
}
