import { isOutOfRange } from '../../../kernel/money/amount-range.ts'
import { addMs, HOUR_MS, SECOND_MS } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import { nextState } from '../../../kernel/machine.ts'
import { attempt } from '../../../infra/work/attempt.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { BalanceKey } from '../../../ledger/balances/balance-rows.ts'
import type { Book } from '../../../ledger/book.ts'
import { postWith } from '../../../ledger/post.ts'
import { listSideAccounts, spendInvoice } from '../../external-accounts/index.ts'
import { collectionKeysOf, creditedBy, takeCollectionStep } from '../money/collection.ts'
import {
  accountIdOfSide,
  incoming,
  outgoing,
  lockTransaction,
  saveTransaction,
  type IncomingTransaction,
  type OutgoingTransaction,
} from '../../transactions/index.ts'
import { enqueueSteps, splitSteps, type PaymentStep, type SettleJob } from './steps.ts'
import { loadPayment, pullRailOf, settlementKeysOf, type RefundOption } from '../payment.ts'
import { applySteps, runPayment, saveState } from '../money/state.ts'
import { failedAtOnce, type CollectionStep } from '../../../providers/rails/sandbox-outcomes.ts'
import { takeSteps } from '../money/take-step.ts'

/**
 * Takes the steps of a payment that are due, and queues a job for the rest. A transaction that has ended meanwhile, by
 * cancellation, does not change. Refuses nothing.
 */
export async function settleTransaction(
  work: Work,
  { transactionId, steps, dueAt }: SettleJob & Readonly<{ dueAt: Date }>,
): Promise<void> {
  const { due, later } = splitSteps(steps)
  const [first] = due
  const transaction = await lockTransaction(work.tx, work.platform.id, transactionId)
  if (!first || !transaction) return
  const left =
    transaction.type === 'INCOMING'
      ? await collect(work, transaction, due as readonly CollectionStep[])
      : await settle(work, transaction, due as readonly PaymentStep[])
  if (!left) return
  const takenAt = addMs(dueAt, -first.afterSeconds * SECOND_MS)
  enqueueSteps(work, { transactionId, steps: later, takenAt })
}

function mayTake({ status }: OutgoingTransaction, { event }: PaymentStep): boolean {
  if (event === 'pull' || event === 'handOver') return status === 'PROCESSING'
  if (event === 'order') return status === 'PROCESSING' || status === 'PENDING'
  return nextState(outgoing, status, event) !== undefined
}

/** False where the later steps are dropped. */
async function settle(
  work: Work,
  transaction: OutgoingTransaction,
  due: readonly PaymentStep[],
): Promise<boolean> {
  if (!due[0] || !mayTake(transaction, due[0])) return false
  const isPayable = await mayPayInvoice(work, transaction, due)
  const steps = isPayable ? due : failedAtOnce('LIGHTNING_PAYMENT_FAILED')
  const mayRefund =
    isIntoAccount(transaction) || steps.some(({ event }) => event === 'fail' || event === 'return')
  await runPayment(work, transaction, (context, state) => takeSteps(context, state, steps), {
    mayRefund,
  })
  return isPayable
}

/** Steps of a payment that are posted together with the journals of another book. */
type PreparedSteps = Readonly<{
  /** The balances to lock. */
  keys: readonly BalanceKey[]
  /** Takes the steps and posts into the open book; what it answers saves the payment. */
  take: (book: Book) => () => void
}>

/** Prepares the steps of a payment whose lock the caller holds. */
export async function prepareSteps(
  work: Work,
  before: OutgoingTransaction,
  steps: readonly PaymentStep[],
  refundOption: RefundOption,
): Promise<PreparedSteps> {
  const payment = await loadPayment(work, before, refundOption)
  return {
    keys: settlementKeysOf(payment),
    take(book) {
      const state = applySteps({ eventContext: work, payment, book }, (context, started) =>
        takeSteps(context, started, steps),
      )
      return () => saveState(work, before, state)
    },
  }
}

/** An internal account may be full, in which case the payment is refunded. */
const isIntoAccount = ({ destination }: OutgoingTransaction): boolean =>
  accountIdOfSide('internalAccount', destination) !== undefined

/** False where the invoice is paid already: the second payment is refunded (EACC-18). */
async function mayPayInvoice(
  work: Work,
  transaction: OutgoingTransaction,
  due: readonly PaymentStep[],
): Promise<boolean> {
  const isCompleting = due.some(({ event }) => event === 'complete')
  return !isCompleting || spendDestination(work, transaction)
}

/** Marks the invoice of a payment as paid. False where another payment was faster (EACC-18). */
export async function spendDestination(
  work: Work,
  { destination }: OutgoingTransaction,
): Promise<boolean> {
  const id = accountIdOfSide('externalAccount', destination)
  return id === undefined || spendInvoice(work, id)
}

async function collect(
  work: Work,
  transaction: IncomingTransaction,
  [step]: readonly CollectionStep[],
): Promise<boolean> {
  if (!step || nextState(incoming, transaction.status, step.event) === undefined) return false
  await collectOrWait(work, transaction.id, (inner) => runCollection(inner, transaction, step))
  return true
}

/** A pull into a full account is retried every hour until there is room. */
export async function collectOrWait(
  work: Work,
  transactionId: Id<'transaction'>,
  collecting: (work: Work) => Promise<unknown>,
): Promise<void> {
  const { ok } = await attempt(work, collecting, isOutOfRange)
  if (ok) return
  const steps = [{ afterSeconds: 0, event: 'complete' }] as const
  enqueueSteps(work, { transactionId, steps, takenAt: addMs(work.now, HOUR_MS) })
}

/** Takes one step of a transfer-in whose lock the caller holds. */
export async function runCollection(
  work: Work,
  transaction: IncomingTransaction,
  step: CollectionStep,
): Promise<IncomingTransaction> {
  const { platform, now } = work
  const rail = await collectionRailOf(work, transaction)
  const keys = collectionKeysOf({ platformId: platform.id, account: creditedBy(transaction) })
  const moved = await postWith(work, keys, (book) => {
    const move = takeCollectionStep({ eventContext: work, book, rail }, transaction, step)
    book.mustApply(platform.id, now, move.journals)
    return move.transaction
  })
  saveTransaction(work, moved)
  return moved
}

async function collectionRailOf(
  { tx, platform }: Work,
  { source }: IncomingTransaction,
): Promise<string> {
  const id = accountIdOfSide('externalAccount', source)
  const [account] = id ? await listSideAccounts(tx, [{ platformId: platform.id, id }]) : []
  return account ? pullRailOf({ kind: 'external', account }) : ''
}
