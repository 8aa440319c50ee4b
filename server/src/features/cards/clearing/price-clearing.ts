import { isCurrencyCode } from '../../../kernel/money/currency.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Money } from '../../../kernel/money/money.ts'
import type { Work } from '../../../infra/work/work.ts'
import { feesOf, price, readLastRate } from '../../rates/index.ts'
import { loadPaymentTerms } from '../../payment-terms/index.ts'
import { atPar } from '../authorization/decision.ts'
import type { Direction } from '../transaction/card-transaction.ts'
import type { Clearing } from './steps.ts'

type PresentedAmount = Readonly<{
  money: Money
  /** The card's currency. */
  currency: string
  direction: Direction
}>

/**
 * Prices a clearing in the card's currency. A foreign amount costs the same as in a quote that locks it, without a
 * network fee; a price that is too old for a quote may be used (CTXN-22).
 * Fails: INVALID_CURRENCY also for a credit, AMOUNT_OUT_OF_RANGE.
 */
export async function priceClearing(
  { tx, platform, now, ports }: Work,
  { money, currency, direction }: PresentedAmount,
): Promise<Clearing> {
  const { amount, currency: presented } = money
  if (!isCurrencyCode(presented)) fail('INVALID_CURRENCY')
  const same = amount === 0n ? 0n : atPar(money, currency)
  if (same !== undefined) return { amount: same }
  // Quotes price payouts, so a credit in a foreign currency has no price.
  if (direction === 'CREDIT') fail('INVALID_CURRENCY')
  const corridor = { platform, now, ports, sending: currency, receiving: presented }
  const [termsOf, rate] = await Promise.all([
    loadPaymentTerms(tx, [corridor]),
    readLastRate(tx, corridor),
  ])
  const { terms, platformAccountId } = termsOf(corridor)
  const fees = feesOf({
    isCrossCurrency: true,
    service: terms.serviceFee,
    ...(platformAccountId && { platform: terms.platformFee }),
  })
  const priced = rate && price({ ...fees, lock: { side: 'RECEIVING', amount }, rate })
  if (!priced?.ok) return fail('AMOUNT_OUT_OF_RANGE')
  const { sending, serviceFees, platformFees } = priced
  const feeAccountId = platformFees > 0n ? platformAccountId : undefined
  return {
    amount: sending.amount,
    foreign: { money, serviceFees, platformFees, platformAccountId: feeAccountId },
  }
}
