import type { Id } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { Money } from '../../kernel/money/money.ts'
import { availableOf, FX, heldOf, SUSPENSE_UNATTRIBUTED, transitOf, worldOf } from '../chart.ts'
import type { Journal } from '../posting.ts'
import { journal, move } from './journal.ts'
import type { OverRail } from './payments.ts'

/** Money from outside over a rail or network. `reference` is the incoming transaction. */
type Deposit = Readonly<{ reference: string; rail: string; money: Money }>
type AccountDeposit = Deposit & Readonly<{ accountId: Id<'internalAccount'> }>

/**
 * L1: a deposit, a funding, a transfer-in or a UMA receipt is credited.
 *
 *   WORLD:rail     −X
 *   IA:available         +X
 */
export const creditDeposit = ({ reference, rail, money, accountId }: AccountDeposit): Journal =>
  move({
    type: 'deposit.credited',
    reference,
    from: worldOf(rail),
    to: availableOf(accountId),
    money,
  })

/**
 * L1 in another coin (IACC-12): the coin stays in FX, and so does the fraction below a unit of the account's currency.
 *
 *   coin                    account's currency
 *   WORLD:rail   −X         FX             −Y
 *   FX                +X    IA:available        +Y
 */
export function creditConvertedDeposit({
  reference,
  rail,
  money,
  accountId,
  credited,
}: AccountDeposit & { credited: Money }): Journal {
  // Dust of less than one unit of the account's currency credits nothing.
  invariant(money.amount > 0n && credited.amount >= 0n, 'A deposit is of more than zero.')
  return journal({
    type: 'deposit.credited',
    reference,
    lines: [
      { account: worldOf(rail), currency: money.currency, amount: -money.amount },
      { account: FX, currency: money.currency, amount: money.amount },
      { account: FX, currency: credited.currency, amount: -credited.amount },
      { account: availableOf(accountId), currency: credited.currency, amount: credited.amount },
    ],
  })
}

/**
 * L12, first: a deposit under review belongs to its owner but cannot be spent.
 *
 *   WORLD:rail   −X
 *   IA:held            +X
 */
export const holdDeposit = ({ reference, rail, money, accountId }: AccountDeposit): Journal =>
  move({
    type: 'deposit.held',
    reference,
    from: worldOf(rail),
    to: heldOf(accountId),
    money,
  })

/**
 * L12, cleared.
 *
 *   IA:held        −X
 *   IA:available         +X
 */
export const clearDeposit = ({
  reference,
  money,
  accountId,
}: Omit<AccountDeposit, 'rail'>): Journal =>
  move({
    type: 'deposit.cleared',
    reference,
    from: heldOf(accountId),
    to: availableOf(accountId),
    money,
  })

/**
 * L12, refused: the deposit goes back to its sender.
 *
 *   IA:held      −X
 *   WORLD:rail         +X
 */
export const refuseDeposit = ({ reference, rail, money, accountId }: AccountDeposit): Journal =>
  move({
    type: 'deposit.refused',
    reference,
    from: heldOf(accountId),
    to: worldOf(rail),
    money,
  })

/**
 * L13: an incoming UMA payment on its way to the receiver's default external account; deliverOutside (L5) or
 * refund (L8) follows.
 *
 *   WORLD:rail   −X
 *   TRANSIT            +X
 */
export const receiveForPayout = ({ transactionId, rail, money }: OverRail): Journal =>
  move({
    type: 'deposit.received_for_payout',
    reference: transactionId,
    from: worldOf(rail),
    to: transitOf(transactionId),
    money,
  })

/**
 * L15, first: an unallocated deposit waits for the operator (IACC-10), in the house platform's book.
 *
 *   WORLD:rail              −X
 *   SUSPENSE:unattributed         +X
 */
export const parkDeposit = ({ reference, rail, money }: Deposit): Journal =>
  move({
    type: 'deposit.parked',
    reference,
    from: worldOf(rail),
    to: SUSPENSE_UNATTRIBUTED,
    money,
  })

/**
 * L15, attributed. The owner's account is in another book than the suspense, so the amount passes from one to the
 * other over the rail it came by: each journal balances by itself, and together they are the entry of L15. This is the
 * journal of the house platform; the owner's is creditDeposit.
 *
 *   house                              owner's platform
 *   SUSPENSE:unattributed   −X         WORLD:rail     −X
 *   WORLD:rail                    +X   IA:available         +X
 */
export const handOverDeposit = ({ reference, rail, money }: Deposit): Journal =>
  move({
    type: 'deposit.attributed',
    reference,
    from: SUSPENSE_UNATTRIBUTED,
    to: worldOf(rail),
    money,
  })

/**
 * L15, sent back.
 *
 *   SUSPENSE:unattributed   −X
 *   WORLD:rail                    +X
 */
export const sendBackDeposit = ({ reference, rail, money }: Deposit): Journal =>
  move({
    type: 'deposit.sent_back',
    reference,
    from: SUSPENSE_UNATTRIBUTED,
    to: worldOf(rail),
    money,
  })
