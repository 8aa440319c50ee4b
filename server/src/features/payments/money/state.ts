import type { Money } from '../../../kernel/money/money.ts'
import type { Book } from '../../../ledger/book.ts'
import { RECEIVABLE_PLATFORM } from '../../../ledger/chart.ts'
import type { Journal } from '../../../ledger/posting.ts'
import { repayReceivable } from '../../../ledger/recipes/receivable.ts'
import type { Id } from '../../../kernel/ids.ts'
import {
  type EventContext,
  type IncomingTransaction,
  type OutgoingTransaction,
  insertTransactions,
  saveTransaction,
} from '../../transactions/index.ts'
import {
  balanceAfter,
  type Payment,
  settlementKeysOf,
  loadPayment,
  type RefundOption,
} from '../payment.ts'
import type { Work } from '../../../infra/work/work.ts'
import { postWith } from '../../../ledger/post.ts'
import { subtractVolume } from '../../rates/index.ts'

/** What the steps of a payment work on: where events go, the payment, and its locked balances. */
export type PaymentContext = Readonly<{ eventContext: EventContext; payment: Payment; book: Book }>

/** The result of a payment's steps so far. Nothing is posted yet: its journals are posted together or not at all. */
export type PaymentState = Readonly<{
  transaction: OutgoingTransaction
  journals: readonly Journal[]
  /** The transactions of receivers inside (TXN-3). */
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

/** A credit to a platform's account repays the platform's debt first (L14). */
export function repayDebt(
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

/**
 * Runs steps of a payment whose lock the caller holds: posts their journals, saves its transactions, and subtracts a
 * released amount from the daily volume (LIM-4). Fails as the steps do; nothing is changed then.
 */
export async function runPayment(
  work: Work,
  before: OutgoingTransaction,
  decide: (context: PaymentContext, state: PaymentState) => PaymentState,
  refundOption: RefundOption = {},
): Promise<OutgoingTransaction> {
  const payment = await loadPayment(work, before, refundOption)
  const state = await postWith(work, settlementKeysOf(payment), (book) =>
    applySteps({ eventContext: work, payment, book }, decide),
  )
  saveState(work, before, state)
  return state.transaction
}

/** Runs the steps and posts into an open book, without saving. Fails as they do, and where a balance falls short. */
export function applySteps(
  context: PaymentContext,
  decide: (context: PaymentContext, state: PaymentState) => PaymentState,
): PaymentState {
  const { eventContext, payment, book } = context
  const state = decide(context, beginPayment(payment))
  book.mustApply(payment.platformId, eventContext.now, state.journals)
  return state
}

/** Queues the rows of a payment's new state for the commit. */
export function saveState(
  work: Work,
  before: OutgoingTransaction,
  { transaction, received }: PaymentState,
): void {
  const { tx, platform } = work
  saveTransaction(work, transaction)
  if (received.length > 0) {
    insertTransactions(
      tx,
      received.map((one) => ({ platformId: platform.id, transaction: one })),
    )
  }
  subtractReleasedVolume(work, before, transaction)
}

function subtractReleasedVolume(
  { tx, platform }: Work,
  before: OutgoingTransaction,
  after: OutgoingTransaction,
): void {
  if (before.volumeDay === null || after.volumeDay !== null) return
  const { sent, received } = before
  subtractVolume(tx, {
    platformId: platform.id,
    sending: sent.currency,
    receiving: received?.currency ?? sent.currency,
    day: before.volumeDay,
    amount: sent.amount,
  })
}
