import type { Id } from '../../kernel/ids.ts'
import type { Money } from '../../kernel/money/money.ts'
import { availableOf, heldOf, transitOf } from '../chart.ts'
import type { Journal } from '../posting.ts'
import { move } from './journal.ts'

/** A payment's sending amount and the account that pays it. */
export type PayerAmount = Readonly<{
  transactionId: Id<'transaction'>
  accountId: Id<'internalAccount'>
  money: Money
}>

/**
 * L9: the amount is promised, not gone: `balance` falls, `totalBalance` stays.
 *
 *   IA:available   −S
 *   IA:held               +S
 */
export const placeHold = ({ transactionId, accountId, money }: PayerAmount): Journal =>
  move({
    type: 'hold.placed',
    reference: transactionId,
    from: availableOf(accountId),
    to: heldOf(accountId),
    money,
  })

/**
 * L10: authorized; the held amount is debited.
 *
 *   IA:held   −S
 *   TRANSIT          +S
 */
export const captureHold = ({ transactionId, accountId, money }: PayerAmount): Journal =>
  move({
    type: 'hold.captured',
    reference: transactionId,
    from: heldOf(accountId),
    to: transitOf(transactionId),
    money,
  })

/**
 * L11: not authorized in time; the hold ends and nothing moved.
 *
 *   IA:held        −S
 *   IA:available          +S
 */
export const releaseHold = ({ transactionId, accountId, money }: PayerAmount): Journal =>
  move({
    type: 'hold.released',
    reference: transactionId,
    from: heldOf(accountId),
    to: availableOf(accountId),
    money,
  })
