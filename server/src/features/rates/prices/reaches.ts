import { convertedAmount } from '../../../kernel/money/rate.ts'
import type { Money } from '../../../kernel/money/money.ts'
import { UNIT_CURRENCY } from './market.ts'
import { midRate, type Prices } from './mid-rate.ts'

/** Whether an amount comes to so many cents of a dollar, rounded up. One without a price does: nobody can say it is small. */
export function reachesDollars(money: Money, cents: bigint, prices: Prices): boolean {
  if (cents === 0n) return true
  const rate = midRate({ sending: money.currency, receiving: UNIT_CURRENCY, prices })
  return rate === undefined || convertedAmount(money, rate, 'up') >= cents
}
