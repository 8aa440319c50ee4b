import type { Money } from '../../kernel/money.ts'
import type { Book } from '../../ledger/book.ts'
import { RECEIVABLE_PLATFORM } from '../../ledger/chart.ts'
import type { Journal } from '../../ledger/posting.ts'
import { repayReceivable } from '../../ledger/recipes/receivable.ts'
import type { Id } from '../../kernel/ids.ts'
import type { EventContext } from './move-transaction.ts'
import { balanceAfter, type Payment } from './payment.ts'
import type { IncomingTransaction, OutgoingTransaction } from './transaction.ts'

/** In which a payment takes its steps: who tells of them, and the balances that they find. */
export type PaymentContext = Readonly<{ eventContext: EventContext; payment: Payment; book: Book }>

/** What the steps so far have made of a payment. Nothing is posted yet: all of it is, together, or nothing. */
export type PaymentState = Readonly<{
  transaction: OutgoingTransaction
  journals: readonly Journal[]
  /** TXN-3: what the receiver sees of it. */
  received: readonly IncomingTransaction[]
}>

export const beginPayment = ({ transaction }: Payment): PaymentState => ({
  transaction,
  journals: [],
  received: [],
})

export const withJournals = (
  state: PaymentState,
  ...journals: readonly Journal[]
): PaymentState => ({
  ...state,
  journals: [...state.journals, ...journals],
})

/** A credit to a platform's own account, made by a journal of the state. */
export type PlatformCredit = Readonly<{
  credit: Pick<Journal, 'type' | 'reference'>
  accountId: Id<'internalAccount'>
  money: Money
}>

/** L14: a credit to a platform's account pays first what the platform owes. */
export function repaying(
  { payment: { platformId }, book }: PaymentContext,
  state: PaymentState,
  { credit, accountId, money }: PlatformCredit,
): PaymentState {
  const key = { platformId, account: RECEIVABLE_PLATFORM, currency: money.currency }
  const repaid = repayReceivable({
    credit,
    platformAccountId: accountId,
    credited: money,
    owed: -balanceAfter(book, state.journals, key),
  })
  return repaid ? withJournals(state, repaid) : state
}
