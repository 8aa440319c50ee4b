import { minOf } from '../../../kernel/money/money.ts'
import type { AmountRange } from '../../../kernel/money/amount-range.ts'
import type { Rate } from '../../../kernel/money/rate.ts'
import { sendingRange, type Fees } from './price.ts'
import type { Terms } from '../terms/read-terms.ts'

/**
 * The amounts that a quote accepts: within the platform's range and the size of one transaction (LIM-1, LIM-2), and large
 * enough that something arrives (RATE-5, RATE-9). Without bounds where no amount is accepted.
 */
export function acceptedRange({
  rate,
  fees,
  terms: { range, limits },
}: Readonly<{ rate: Rate; fees: Fees; terms: Pick<Terms, 'range' | 'limits'> }>): Omit<
  AmountRange,
  'currency'
> {
  const max = minOf(limits.transactionMax, range.max)
  const accepted = sendingRange({ ...fees, rate }, { min: range.min, max })
  return accepted ? { minimum: accepted.min, maximum: accepted.max } : {}
}
