import type { Fraction } from '../../../kernel/money/fraction.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Work } from '../../../infra/work/work.ts'
import { isFresh, UNIT_CURRENCY } from './market.ts'
import { listMarketPrices, saveMarketPrices, type MarketPrice } from './store.ts'

/** A price as the operator sees it; a stale one is not used until it is set again (RATE-11). */
export type ShownPrice = MarketPrice & Readonly<{ isFresh: boolean }>

/** Sets production's prices at this moment, in units per 1 USD. */
export async function setPrices(
  { tx, now }: Pick<Work, 'tx' | 'now'>,
  prices: readonly Readonly<{ currency: string; price: Fraction }>[],
): Promise<void> {
  const kept = prices.filter(({ currency }) => currency !== UNIT_CURRENCY)
  await saveMarketPrices(
    tx,
    kept.map((price) => ({ ...price, setAt: now })),
  )
}

export async function listPrices({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<ShownPrice[]> {
  const now = clock.now()
  const prices = await listMarketPrices(db.read)
  return prices.map((price) => ({ ...price, isFresh: isFresh({ at: price.setAt, now }) }))
}
