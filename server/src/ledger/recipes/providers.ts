import type { Id } from '../../kernel/ids.ts'
import { minOf, type Money } from '../../kernel/money/money.ts'
import {
  availableOf,
  FX,
  LOSS_PROVIDERS,
  RECEIVABLE_PLATFORM,
  transitOf,
  worldOf,
  type LedgerAccount,
} from '../chart.ts'
import type { Journal, Posting } from '../posting.ts'
import { journal, move } from './journal.ts'
import type { OverRail } from './payments.ts'

export const PAID_ANYWAY = 'payment.paid-though-failed'

/**
 * V4: a provider paid out what was refunded already, and the service bears it.
 *
 *   LOSS:providers   −R
 *   WORLD:rail             +R
 */
export const bearLoss = ({ transactionId, rail, money }: OverRail): Journal =>
  move({
    type: PAID_ANYWAY,
    reference: transactionId,
    from: LOSS_PROVIDERS,
    to: worldOf(rail),
    money,
  })

/**
 * V4 or V3 undone: a payout that was made although it had failed came back, to the party that bore it.
 *
 *   WORLD:rail                                  −X
 *   LOSS:providers or IA(platform):available          +X
 */
export const returnPaidAnyway = ({
  transactionId,
  rail,
  money,
  total,
  to,
}: OverRail & Readonly<{ total: bigint; to: LedgerAccount }>): Journal =>
  move({
    // The total tells several returns apart, since a journal of a type is posted once.
    type: `${PAID_ANYWAY}.returned.${total}`,
    reference: transactionId,
    from: worldOf(rail),
    to,
    money,
  })

/**
 * Money that was pulled or paid in for a payment is taken back before it is paid out (PROV-67).
 *
 *   TRANSIT      −S
 *   WORLD:rail        +S
 */
export const loseFunds = ({ transactionId, rail, money }: OverRail): Journal =>
  move({
    type: 'payment.unfunded',
    reference: transactionId,
    from: transitOf(transactionId),
    to: worldOf(rail),
    money,
  })

/** An account that pays as far as its available balance goes. */
export type Payer = Readonly<{ id: Id<'internalAccount'>; available: bigint }>

type TakenBack = Readonly<{
  type: string
  reference: string
  rail: string
  /** In the currency of the accounts. */
  money: Money
  /** The money that leaves, where it came in another coin. */
  outside?: Money
  /** In the order in which they pay: the credited account, then the platform's. */
  payers: readonly Payer[]
}>

/**
 * V3: money that was credited or paid is gone outside. The accounts pay what they can, the platform owes the rest.
 *
 *   IA:available             −a
 *   IA(platform):available   −p
 *   RECEIVABLE:platform      −(X − a − p)
 *   WORLD:rail                             +X
 *
 * Money that came in another coin leaves as it came: FX takes X, and the coin leaves FX.
 */
export function takeBack({
  type,
  reference,
  rail,
  money: { amount, currency },
  outside,
  payers,
}: TakenBack): Journal {
  const shares: Posting[] = []
  let left = amount
  for (const { id, available } of payers) {
    const paid = minOf(available, left)
    shares.push({ account: availableOf(id), currency, amount: -paid })
    left -= paid
  }
  const leaving: Posting[] =
    outside && outside.currency !== currency
      ? [
          { account: FX, currency, amount },
          { account: FX, currency: outside.currency, amount: -outside.amount },
          { account: worldOf(rail), ...outside },
        ]
      : [{ account: worldOf(rail), currency, amount }]
  const owed = { account: RECEIVABLE_PLATFORM, currency, amount: -left }
  return journal({ type, reference, lines: [...shares, owed, ...leaving] })
}
