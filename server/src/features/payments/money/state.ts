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
  saveTransactions,
} from '../../transactions/index.ts'
import {
  balanceAfter,
  type Payment,
  settlementKeysOf,
  loadPayment,
  type RefundOption,
} from '../payment.ts'
import type { Work } from '../../../infra/work/work.ts'
import { failShort, postWith } from '../../../ledger/post.ts'
import { subtractVolume } from '../../rates/index.ts'

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

/**
 * Runs steps of a payment whose lock the caller holds, in an ordinary Work: posts what they move, stores what they
 * make of it, and takes back what they uncount (LIM-4). Fails as the steps do; nothing has happened then.
 */
export async function runPayment(
  work: Work,
  before: OutgoingTransaction,
  decide: (context: PaymentContext, state: PaymentState) => PaymentState,
  giving: RefundOption = {},
): Promise<OutgoingTransaction> {
  const payment = await loadPayment(work, before, giving)
  const state = await postWith(work, settlementKeysOf(payment), (book) =>
    applySteps({ eventContext: work, payment, book }, decide),
  )
  saveState(work, before, state)
  return state.transaction
}

/** The steps alone, on a book that is open for them. Fails as they do, and where a balance falls short. */
export function applySteps(
  context: PaymentContext,
  decide: (context: PaymentContext, state: PaymentState) => PaymentState,
): PaymentState {
  const { eventContext, payment, book } = context
  const state = decide(context, beginPayment(payment))
  const shortfall = book.apply(payment.platformId, eventContext.now, state.journals)
  if (shortfall) failShort(shortfall)
  return state
}

/** Queues what the steps have made of a payment for the commit. */
export function saveState(
  work: Work,
  before: OutgoingTransaction,
  { transaction, received }: PaymentState,
): void {
  const { tx, platform } = work
  saveTransactions(tx, [{ platformId: platform.id, transaction }])
  if (received.length > 0) {
    insertTransactions(
      tx,
      received.map((one) => ({ platformId: platform.id, transaction: one })),
    )
  }
  uncount(work, before, transaction)
}

function uncount(
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
