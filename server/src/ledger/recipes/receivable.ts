import type { Id } from '../../kernel/ids.ts'
import { minOf, type Money } from '../../kernel/money/money.ts'
import { availableOf, RECEIVABLE_PLATFORM } from '../chart.ts'
import type { Journal } from '../posting.ts'
import { move } from './journal.ts'

/**
 * L14: a credit to a platform's account first repays the platform's debt (FEE-6); undefined where nothing is owed. It is
 * posted right after the credit and has a type made from the credit's, because one transaction may credit the account
 * more than once (a fee, later a refund).
 *
 *   IA(platform):available   −q
 *   RECEIVABLE:platform            +q
 */
export function repayReceivable({
  credit,
  platformAccountId,
  credited,
  owed,
}: {
  credit: Pick<Journal, 'type' | 'reference'>
  platformAccountId: Id<'internalAccount'>
  credited: Money
  /** The platform's debt (RECEIVABLE:platform) as a positive amount. */
  owed: bigint
}): Journal | undefined {
  const amount = minOf(owed, credited.amount)
  if (amount <= 0n) return undefined
  return move({
    type: `${credit.type}.repaying`,
    reference: credit.reference,
    from: availableOf(platformAccountId),
    to: RECEIVABLE_PLATFORM,
    money: { amount, currency: credited.currency },
  })
}
