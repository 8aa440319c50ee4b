import { minOf } from '../../kernel/money/money.ts'
import type { Work } from '../../infra/work/work.ts'
import type { Customer } from '../customers/index.ts'
import { readConfig } from '../platform/index.ts'
import { estimatedRate, readRates, readTerms, volumeDayOf } from '../rates/index.ts'
import type { Platform } from '../../kernel/platform.ts'

/** A currency that a receiver can be paid in, with the range of one payment. */
export type ReceiverCurrency = Readonly<{ currency: string; min: bigint; max: bigint }>

type Reading = Pick<Work, 'tx' | 'platform' | 'now' | 'ports'>

/** The limits of the receiving platform in these currencies, in smallest units (UMA-3). */
export async function limitsIn(
  { tx, now, ports }: Reading,
  platform: Pick<Platform, 'id'>,
  currencies: readonly string[],
): Promise<ReceiverCurrency[]> {
  const day = volumeDayOf(now)
  const corridors = currencies.map((currency) => ({
    platformId: platform.id,
    sending: currency,
    receiving: currency,
    day,
    ports,
  }))
  const terms = await readTerms(tx, corridors)
  return corridors.map((corridor) => {
    const { range, limits } = terms(corridor)
    const max = minOf(range.max, limits.transactionMax)
    return { currency: corridor.sending, min: range.min, max }
  })
}

/** Rates are shown in the sender's first currency, or the platform's (UMA-3). */
async function firstCurrencyOf(reading: Reading, sender: Customer | undefined): Promise<string> {
  const own = sender?.currencies[0]
  if (own !== undefined) return own
  const { currencies } = await readConfig(reading)
  return currencies[0]?.currency ?? 'USD'
}

/** Receiving major units per major unit of the sender; undefined without a fresh price (UMA-3). */
export async function estimatesFor(
  reading: Reading,
  sender: Customer | undefined,
  currencies: readonly string[],
): Promise<(currency: string) => number | undefined> {
  const sending = await firstCurrencyOf(reading, sender)
  const rates = await readRates(
    reading.tx,
    currencies.map((receiving) => ({ ...reading, sending, receiving })),
  )
  return (receiving) => {
    const rate = rates.rateOf({ platformId: reading.platform.id, sending, receiving })
    return rate && estimatedRate(rate)
  }
}
