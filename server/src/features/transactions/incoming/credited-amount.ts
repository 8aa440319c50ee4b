import { currencyOf } from '../../../kernel/money/currency.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Money } from '../../../kernel/money/money.ts'

/** Coins that a dollar account takes as dollars (IACC-12). */
const TAKEN_AS_DOLLARS: ReadonlySet<string> = new Set(['USDC', 'USDB'])

/** Whether an account can be credited with a deposit without conversion. */
export const isCreditable = (
  { currency }: Pick<Money, 'currency'>,
  accountCurrency: string,
): boolean =>
  currency === accountCurrency || (accountCurrency === 'USD' && TAKEN_AS_DOLLARS.has(currency))

/**
 * The amount that a deposit credits: its own, or for a dollar coin on a dollar account the same in dollars, rounded
 * down to the cent. Fails: INVALID_CURRENCY for anything else.
 */
export function creditedAmount(deposited: Money, accountCurrency: string): Money {
  if (deposited.currency === accountCurrency) return deposited
  if (!isCreditable(deposited, accountCurrency)) {
    fail('INVALID_CURRENCY', { currency: deposited.currency, accountCurrency })
  }
  const decimalsMore = currencyOf(deposited.currency).decimals - currencyOf('USD').decimals
  return { amount: deposited.amount / 10n ** BigInt(decimalsMore), currency: 'USD' }
}
