import type { Id } from '../../kernel/ids.ts'
import type { Money } from '../../kernel/money/money.ts'
import { availableOf, SUSPENSE_REFUND_FAILED, transitOf, worldOf } from '../chart.ts'
import type { LedgerAccount } from '../chart.ts'
import type { Journal } from '../posting.ts'
import { move } from './journal.ts'

/**
 * Where a refund goes: to the internal account that paid, to the owner's account of the asset for just-in-time crypto,
 * or out over the rail by which the money came (TXN-8).
 */
export type RefundTarget =
  | Readonly<{ kind: 'account'; accountId: Id<'internalAccount'> }>
  | Readonly<{ kind: 'outside'; rail: string }>

type Refund = Readonly<{ transactionId: Id<'transaction'>; money: Money }>

function accountOf(target: RefundTarget): LedgerAccount {
  return target.kind === 'account' ? availableOf(target.accountId) : worldOf(target.rail)
}

/**
 * L8: the exact amount that was taken goes back, fees included (FEE-6).
 *
 *   TRANSIT                        −X
 *   IA:available or WORLD:rail            +X
 */
export const refund = ({
  transactionId,
  money,
  target,
}: Refund & { target: RefundTarget }): Journal =>
  move({
    type: 'refund.completed',
    reference: transactionId,
    from: transitOf(transactionId),
    to: accountOf(target),
    money,
  })

/**
 * L8f: the refund could not be made; the operator finds the amount here (TXN-7).
 *
 *   TRANSIT                  −X
 *   SUSPENSE:refund_failed         +X
 */
export const suspendRefund = ({ transactionId, money }: Refund): Journal =>
  move({
    type: 'refund.failed',
    reference: transactionId,
    from: transitOf(transactionId),
    to: SUSPENSE_REFUND_FAILED,
    money,
  })

/**
 * V1: a refund that had arrived outside came back; the operator finds it among the failed refunds.
 *
 *   WORLD:rail               −X
 *   SUSPENSE:refund_failed         +X
 */
export const suspendReturned = ({
  transactionId,
  money,
  rail,
  total,
}: Refund & Readonly<{ rail: string; total: bigint }>): Journal =>
  move({
    // Each further part has its own type, since a journal of a type is posted once.
    type: money.amount === total ? 'refund.returned' : `refund.returned.${total}`,
    reference: transactionId,
    from: worldOf(rail),
    to: SUSPENSE_REFUND_FAILED,
    money,
  })

/**
 * L8f undone, then L8: the operator's retry. Two journals to post together.
 *
 *   SUSPENSE:refund_failed   −X          TRANSIT                        −X
 *   TRANSIT                        +X    IA:available or WORLD:rail            +X
 */
export function retryRefund(input: Refund & { target: RefundTarget }): readonly [Journal, Journal] {
  const { transactionId, money } = input
  const taken = move({
    type: 'refund.retried',
    reference: transactionId,
    from: SUSPENSE_REFUND_FAILED,
    to: transitOf(transactionId),
    money,
  })
  // A refund that came back was completed before, and a journal of a type is posted once: so this has its own type.
  return [taken, { ...refund(input), type: 'refund.completed-by-retry' }]
}
