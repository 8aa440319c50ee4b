import type { Work } from '../../infra/work.ts'
import type { Customer } from '../customers/index.ts'
import { readConfig } from '../platform/index.ts'
import { estimatedRate, midRate, readPrices, readTerms, volumeDayOf } from '../rates/index.ts'
import type { Platform } from '../../kernel/platform.ts'

/** A currency that a receiver can be paid in, and how much of it at once. */
export type ReceiverCurrency = Readonly<{ currency: string; min: bigint; max: bigint }>

type Reading = Pick<Work, 'tx' | 'platform' | 'now'>

/** UMA-3: what limits a payment in these currencies, in their smallest units: those of the platform that is paid. */
export async function limitsIn(
  { tx, now }: Reading,
  platform: Pick<Platform, 'id'>,
  currencies: readonly string[],
): Promise<ReceiverCurrency[]> {
  const day = volumeDayOf(now)
  const corridors = currencies.map((currency) => ({
    platformId: platform.id,
    sending: currency,
    receiving: currency,
    day,
  }))
  const terms = await readTerms(tx, corridors)
  return corridors.map((corridor) => {
    const { range, limits } = terms(corridor)
    const max = range.max < limits.transactionMax ? range.max : limits.transactionMax
    return { currency: corridor.sending, min: range.min, max }
  })
}

/** UMA-3: what a sender is shown the rates in: its own first currency, or else the platform's. */
async function firstCurrencyOf(reading: Reading, sender: Customer | undefined): Promise<string> {
  const own = sender?.currencies[0]
  if (own !== undefined) return own
  const { currencies } = await readConfig(reading)
  return currencies[0]?.currency ?? 'USD'
}

/** UMA-3: receiving major units per one of the sender's; a currency without a fresh price has none. */
export async function estimatesFor(
  reading: Reading,
  sender: Customer | undefined,
): Promise<(currency: string) => number | undefined> {
  const { tx, platform, now } = reading
  const [sending, prices] = await Promise.all([
    firstCurrencyOf(reading, sender),
    readPrices(tx, { environment: platform.environment, now }),
  ])
  return (receiving) => {
    const rate = midRate({ sending, receiving, prices })
    return rate && estimatedRate(rate)
  }
}
