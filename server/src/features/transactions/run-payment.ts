import type { Work } from '../../infra/work.ts'
import { failShort, postWith } from '../../ledger/post.ts'
import { subtractVolume } from '../rates/index.ts'
import { loadPayment, type RefundOption } from './load-payment.ts'
import { beginPayment, type PaymentState, type PaymentContext } from './payment-run.ts'
import { settlementKeysOf } from './payment.ts'
import { insertTransactions, saveTransactions } from './store.ts'
import type { OutgoingTransaction } from './transaction.ts'

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
