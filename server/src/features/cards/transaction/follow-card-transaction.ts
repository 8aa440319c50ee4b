import { isOutOfRange } from '../../../kernel/money/amount-range.ts'
import { addMs, HOUR_MS } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import { attempt } from '../../../infra/work/attempt.ts'
import type { Work } from '../../../infra/work/work.ts'
import { applyStep, lockCardTransaction } from './apply-step.ts'
import { endsAt, isOpen, settledOf, type CardTransaction } from './card-transaction.ts'
import * as steps from './steps.ts'
import { confirmPullJob, endAuthorizationJob } from '../job-definitions.ts'
import * as refusals from './refusals.ts'

/** The network names a transaction together with its card. */
export type TransactionReference = Readonly<{
  cardId: Id<'card'>
  /** Undefined where the text is no id of a card transaction, so nothing is found. */
  id: Id<'cardTransaction'> | undefined
}>

type ReferenceWithAmount = TransactionReference & Readonly<{ amount: bigint }>

/**
 * Applies an advice: the network states what it now holds authorized.
 * Fails: REFERENCE_NOT_FOUND, TRANSACTION_NOT_FOUND, INVALID_INPUT, AMOUNT_OUT_OF_RANGE.
 */
export async function adviseCardTransaction(
  work: Work,
  { amount, ...reference }: ReferenceWithAmount,
): Promise<CardTransaction> {
  const locked = await lockCardTransaction(work, reference)
  const { transaction } = locked
  refusals.mustBeAdvisable(transaction, amount)
  return applyStep(work, locked, ({ now, pullable }) =>
    steps.advise(transaction, amount, { now, available: pullable }),
  )
}

/**
 * Credits a return by the merchant.
 * Fails: REFERENCE_NOT_FOUND, TRANSACTION_NOT_FOUND, INVALID_INPUT, AMOUNT_OUT_OF_RANGE.
 */
export async function returnCardTransaction(
  work: Work,
  { amount, ...reference }: ReferenceWithAmount,
): Promise<CardTransaction> {
  const locked = await lockCardTransaction(work, reference)
  const { transaction } = locked
  refusals.mustBeReturnable(transaction, amount)
  return applyStep(work, locked, ({ now }) => steps.creditReturn(transaction, amount, now))
}

/**
 * Undoes the latest return. A reversal is no pull, so a closed card does not prevent it (CARD-28).
 * Fails: REFERENCE_NOT_FOUND, TRANSACTION_NOT_FOUND, INVALID_INPUT.
 */
export async function reverseCardReturn(
  work: Work,
  reference: TransactionReference,
): Promise<CardTransaction> {
  const locked = await lockCardTransaction(work, reference)
  const { transaction } = locked
  refusals.mustBeReversible(transaction)
  return applyStep(work, locked, (funds) => steps.reverseReturn(transaction, funds))
}

/**
 * Undoes a return in force of this amount, also a partial one.
 * Fails: REFERENCE_NOT_FOUND, TRANSACTION_NOT_FOUND.
 */
export async function reverseReturnOf(
  work: Work,
  { amount, ...reference }: ReferenceWithAmount,
): Promise<CardTransaction> {
  const locked = await lockCardTransaction(work, reference)
  const { transaction } = locked
  return applyStep(work, locked, (funds) => steps.reverseReturn(transaction, funds, amount))
}

/** Ends an open authorization and releases the unused reserve (CTXN-9). A closed one does not change. */
export async function endCardTransaction(
  work: Work,
  reference: TransactionReference,
): Promise<CardTransaction> {
  const locked = await lockCardTransaction(work, reference)
  const { transaction } = locked
  if (!isOpen(transaction)) return transaction
  return applyStep(work, locked, ({ now }) => steps.end(transaction, now))
}

/**
 * Lowers an authorization by an amount, or to the cleared amount; at zero it ends.
 * Fails: REFERENCE_NOT_FOUND, TRANSACTION_NOT_FOUND, INVALID_INPUT, AMOUNT_OUT_OF_RANGE.
 */
export async function lowerAuthorization(
  work: Work,
  { by, ...reference }: TransactionReference & Readonly<{ by: bigint | undefined }>,
): Promise<CardTransaction> {
  const { transaction } = await lockCardTransaction(work, reference)
  const left = by === undefined ? settledOf(transaction) : transaction.authorized - by
  refusals.mustBeAdvisable(transaction, left)
  return left === 0n
    ? endCardTransaction(work, reference)
    : adviseCardTransaction(work, { ...reference, amount: left })
}

/** Applies the outcome of a pending pull, unless a clearing has confirmed it before (CTXN-15). */
export async function settlePendingPull(work: Work, id: Id<'cardTransaction'>): Promise<void> {
  const locked = await lockCardTransaction(work, { id })
  const { transaction } = locked
  if (transaction.pendingOutcome === null) return
  const settle = (inner: Work): Promise<unknown> =>
    applyStep(inner, locked, ({ now }) => steps.settlePending(transaction, now))
  const { ok } = await attempt(work, settle, isOutOfRange)
  if (!ok) enqueue(work, confirmPullJob, { cardTransactionId: id }, inAnHour(work))
}

/** A release to a full account is retried every hour until there is room; the money stays reserved until then. */
const inAnHour = ({ now }: Work) => ({ dueAt: addMs(now, HOUR_MS) })

/** Ends an authorization after a week without a clearing or an advice; either postpones the job (CTXN-20). */
export async function endAuthorization(work: Work, id: Id<'cardTransaction'>): Promise<void> {
  const locked = await lockCardTransaction(work, { id })
  const { transaction } = locked
  if (!isOpen(transaction)) return
  const dueAt = endsAt(transaction)
  if (dueAt > work.now) {
    enqueue(work, endAuthorizationJob, { cardTransactionId: id }, { dueAt })
    return
  }
  const end = (inner: Work): Promise<unknown> =>
    applyStep(inner, locked, ({ now }) => steps.end(transaction, now))
  const { ok } = await attempt(work, end, isOutOfRange)
  if (!ok) enqueue(work, endAuthorizationJob, { cardTransactionId: id }, inAnHour(work))
}

/**
 * Takes the shortfall that the service bore from the account, at the operator's command.
 * Fails: TRANSACTION_NOT_FOUND, CONFLICT if there is no shortfall or nothing can be pulled, INSUFFICIENT_BALANCE.
 */
export async function retryPull(work: Work, id: Id<'cardTransaction'>): Promise<CardTransaction> {
  const locked = await lockCardTransaction(work, { id })
  const { transaction } = locked
  if (transaction.shortfall === 0n) fail('CONFLICT', { reason: 'NO_SHORTFALL' })
  return applyStep(work, locked, ({ now, obstacle }) =>
    obstacle ? fail('CONFLICT', { reason: obstacle }) : steps.recover(transaction, now),
  )
}
