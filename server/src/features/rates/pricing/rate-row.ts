import type { AmountRange } from '../../../kernel/money/amount-range.ts'
import type { Rate } from '../../../kernel/money/rate.ts'
import { allInRate, displayRate } from '../prices/display-rate.ts'
import { price } from './price.ts'
import type { Fees } from './price.ts'

/** The priced part of a row of GET /exchange-rates. */
export type RateRow = Readonly<{
  receivingAmount: bigint
  fees: Readonly<{ fixed: bigint; total: bigint }>
  exchangeRate: number
}>

type RowRequest = Readonly<{
  sendingAmount: bigint
  rate: Rate
  fees: Fees
  /** What a quote accepts; without bounds where it accepts nothing. */
  range: Omit<AmountRange, 'currency'>
}>

/**
 * The result of a SENDING quote of the amount, with the all-in rate (RATE-8). Out of range, where no quote would be made,
 * the row answers 0 and the bare rate of RATE-4.
 */
export function rateRow({ sendingAmount, rate, fees, range }: RowRequest): RateRow {
  const fixed = fees.fixed.service + fees.fixed.platform
  const quoted = price({ ...fees, lock: { side: 'SENDING', amount: sendingAmount }, rate })
  const { minimum = 0n, maximum = 0n } = range
  if (!quoted.ok || sendingAmount < minimum || sendingAmount > maximum) {
    return { receivingAmount: 0n, fees: { fixed, total: 0n }, exchangeRate: displayRate(rate) }
  }
  return {
    receivingAmount: quoted.receiving.amount,
    fees: { fixed, total: quoted.fees },
    exchangeRate: allInRate(quoted),
  }
}
