import type { Work } from '../../infra/work.ts'
import { failShort, postWith } from '../../ledger/post.ts'
import { subtractVolume } from '../rates/index.ts'
import { loadPayment, type GivingBack } from './load-payment.ts'
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
  giving: GivingBack = {},
): Promise<OutgoingTransaction> {
  const payment = await loadPayment(work, before, giving)
  const run = await postWith(work, settlementKeysOf(payment), (book) =>
    playPayment({ teller: work, payment, book }, decide),
  )
  storeRun(work, before, run)
  return run.transaction
}

/** The steps alone, on a book that is open for them. Fails as they do, and where a balance falls short. */
export function playPayment(scene: Scene, decide: (scene: Scene, run: Run) => Run): Run {
  const { teller, payment, book } = scene
  const run = decide(scene, startRun(payment))
  const shortfall = book.apply(payment.platformId, teller.now, run.journals)
  if (shortfall) failShort(shortfall)
  return run
}

/** Queues what the steps have made of a payment for the commit. */
export function storeRun(
  work: Work,
  before: OutgoingTransaction,
  { transaction, received }: Run,
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
