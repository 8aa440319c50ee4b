import { parseFraction, type Fraction } from '../../../kernel/money/fraction.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Work } from '../../../infra/work/work.ts'
import { isFresh, midPrice, UNIT_CURRENCY } from './market.ts'
import { listAllPrices, saveManualPrices, type StoredPrice } from './store.ts'

/** A price as the operator sees it; a stale one is not used until there is a newer one (RATE-11, PROV-134). */
export type ShownPrice = StoredPrice & Readonly<{ mid: Fraction; isFresh: boolean }>

/** Sets the prices of platforms without a provider of prices at this moment, in units per 1 USD: bid and ask are equal. */
export async function setPrices(
  { tx, now }: Pick<Work, 'tx' | 'now'>,
  prices: readonly Readonly<{ currency: string; price: Fraction }>[],
): Promise<void> {
  const kept = prices.filter(({ currency }) => currency !== UNIT_CURRENCY)
  await saveManualPrices(
    tx,
    kept.map((price) => ({ ...price, setAt: now })),
  )
}

/** Of every source, the operator's first. */
export async function listPrices({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<ShownPrice[]> {
  const now = clock.now()
  const prices = await listAllPrices(db.read)
  return prices.map((price) => ({
    ...price,
    mid: midPrice({ bid: parseFraction(price.bid), ask: parseFraction(price.ask) }),
    isFresh: isFresh(price, now),
  }))
}
