import { addMs, SECOND_MS } from '../../../kernel/clock.ts'
import { ONE, type Fraction } from '../../../kernel/money/fraction.ts'
import type { Environment, Platform } from '../../../kernel/platform.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { providerKindFor } from '../../../providers/provider-for.ts'
import type { Prices } from './mid-rate.ts'
import { SANDBOX_PRICES } from './sandbox-prices.ts'
import { listMarketPrices } from './store.ts'

/** Older prices are not used (RATE-11). */
export const PRICE_LIFETIME_SECONDS = 900

/** All prices are in this currency, so it needs none itself. */
export const UNIT_CURRENCY = 'USD'

/** Prices with their times. */
export type Market = ReadonlyMap<string, Readonly<{ price: Fraction; at: Date }>>

export const isFresh = ({ at, now }: { at: Date; now: Date }): boolean =>
  addMs(at, PRICE_LIFETIME_SECONDS * SECOND_MS) >= now

export const hasFixedPrices = (platform: Pick<Platform, 'environment'>): boolean =>
  providerKindFor(platform, 'prices') === 'sandbox'

/** The sandbox's prices are fixed and always fresh; in production the operator or a feed sets them (RATE-11). */
export async function readMarket(
  tx: Tx,
  { environment, now }: { environment: Environment; now: Date },
): Promise<Market> {
  if (hasFixedPrices({ environment })) {
    return new Map([...SANDBOX_PRICES].map(([code, price]) => [code, { price, at: now }]))
  }
  const stored = await listMarketPrices(tx)
  return new Map([
    ...stored.map(({ currency, price, setAt }) => [currency, { price, at: setAt }] as const),
    [UNIT_CURRENCY, { price: ONE, at: now }],
  ])
}

/** The prices that are not stale. */
function freshPrices(market: Market, now: Date): Prices {
  const fresh = [...market].filter(([, { at }]) => isFresh({ at, now }))
  return new Map(fresh.map(([code, { price }]) => [code, price]))
}

/** The fresh prices of an environment; the sandbox's need no query. */
export async function readPrices(
  tx: Tx,
  { environment, now }: { environment: Environment; now: Date },
): Promise<Prices> {
  if (hasFixedPrices({ environment })) return SANDBOX_PRICES
  return freshPrices(await readMarket(tx, { environment, now }), now)
}
