import type { Id } from '../../kernel/ids.ts'
import type { Money } from '../../kernel/money/money.ts'
import { availableOf } from '../chart.ts'
import type { Journal } from '../posting.ts'
import { move } from './journal.ts'

/**
 * L20: the operator returns the balance of a rejected or deleted customer to its platform (IACC-17). There is no
 * transaction, so the reference is the operator's own.
 *
 *   IA(customer):available   −X
 *   IA(platform):available         +X
 */
export const returnBalance = ({
  reference,
  accountId,
  platformAccountId,
  money,
}: {
  reference: string
  accountId: Id<'internalAccount'>
  platformAccountId: Id<'internalAccount'>
  money: Money
}): Journal =>
  move({
    type: 'balance.returned',
    reference,
    from: availableOf(accountId),
    to: availableOf(platformAccountId),
    money,
  })
