import type { Work } from '../../infra/work.ts'
import { failShort, postWith } from '../../ledger/post.ts'
import { subtractVolume } from '../rates/index.ts'
import { loadPayment } from './load-payment.ts'
import { startRun, type Run, type Scene } from './payment-run.ts'
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
  decide: (scene: Scene, run: Run) => Run,
): Promise<OutgoingTransaction> {
  const { tx, platform, now } = work
  const payment = await loadPayment(work, before)
  const { transaction, received } = await postWith(work, settlementKeysOf(payment), (book) => {
    const run = decide({ teller: work, payment, book }, startRun(payment))
    const shortfall = book.apply(platform.id, now, run.journals)
    if (shortfall) failShort(shortfall)
    return run
  })
  saveTransactions(tx, [{ platformId: platform.id, transaction }])
  if (received.length > 0) {
    insertTransactions(
      tx,
      received.map((one) => ({ platformId: platform.id, transaction: one })),
    )
  }
  uncount(work, before, transaction)
  return transaction
}

function uncount(
  { tx, platform }: Work,
  before: OutgoingTransaction,
  after: OutgoingTransaction,
): void {
  if (before.countedOn === null || after.countedOn !== null) return
  const { sent, received } = before
  subtractVolume(tx, {
    platformId: platform.id,
    sending: sent.currency,
    receiving: received?.currency ?? sent.currency,
    day: before.countedOn,
    amount: sent.amount,
  })
}
