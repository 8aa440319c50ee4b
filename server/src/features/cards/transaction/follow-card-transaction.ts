import { fail } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work.ts'
import { applyStep, lockCardTransaction } from './apply-step.ts'
import { endsAt, isOpen, type CardTransaction } from './card-transaction.ts'
import { end } from '../clearing/steps.ts'
import * as steps from './steps.ts'
import { END_AUTHORIZATION } from '../job-names.ts'
import * as refusals from './refusals.ts'

/** A transaction as the network names it: with its card. */
export type Named = Readonly<{
  cardId: Id<'card'>
  /** Undefined where what was named is no id of a card transaction: found nowhere. */
  id: Id<'cardTransaction'> | undefined
}>

type NamedAmount = Named & Readonly<{ amount: bigint }>

/**
 * The network says what it now holds authorized.
 * Fails: REFERENCE_NOT_FOUND, TRANSACTION_NOT_FOUND, INVALID_INPUT, AMOUNT_OUT_OF_RANGE.
 */
export async function adviseCardTransaction(
  work: Work,
  { amount, ...named }: NamedAmount,
): Promise<CardTransaction> {
  const locked = await lockCardTransaction(work, named)
  const { transaction } = locked
  refusals.mustBeAdvisable(transaction, amount)
  return applyStep(work, locked, ({ now, pullable }) =>
    steps.advise(transaction, amount, { now, available: pullable }),
  )
}

/**
 * The merchant gives back.
 * Fails: REFERENCE_NOT_FOUND, TRANSACTION_NOT_FOUND, INVALID_INPUT, AMOUNT_OUT_OF_RANGE.
 */
export async function returnCardTransaction(
  work: Work,
  { amount, ...named }: NamedAmount,
): Promise<CardTransaction> {
  const locked = await lockCardTransaction(work, named)
  const { transaction } = locked
  refusals.mustBeReturnable(transaction, amount)
  return applyStep(work, locked, ({ now }) => steps.creditReturn(transaction, amount, now))
}

/**
 * The latest return never was. It is no pull, so a closed card does not prevent it (CARD-28).
 * Fails: REFERENCE_NOT_FOUND, TRANSACTION_NOT_FOUND, INVALID_INPUT.
 */
export async function reverseCardReturn(work: Work, named: Named): Promise<CardTransaction> {
  const locked = await lockCardTransaction(work, named)
  const { transaction } = locked
  refusals.mustBeReversible(transaction)
  return applyStep(work, locked, (means) => steps.reverseReturn(transaction, means))
}

/** What was still to be confirmed is, or is not. A clearing may have confirmed it before (CTXN-15). */
export async function settlePendingPull(work: Work, id: Id<'cardTransaction'>): Promise<void> {
  const locked = await lockCardTransaction(work, { id })
  const { transaction } = locked
  if (transaction.pendingOutcome === null) return
  await applyStep(work, locked, ({ now }) => steps.settlePending(transaction, now))
}

/** CTXN-20: a week without a clearing or an advice; where there was one, it is looked at again later. */
export async function endAuthorization(work: Work, id: Id<'cardTransaction'>): Promise<void> {
  const locked = await lockCardTransaction(work, { id })
  const { transaction } = locked
  if (!isOpen(transaction)) return
  const dueAt = endsAt(transaction)
  if (dueAt > work.now) {
    enqueue(work, END_AUTHORIZATION, { payload: { cardTransactionId: id }, dueAt })
    return
  }
  await applyStep(work, locked, ({ now }) => end(transaction, now))
}

/**
 * The operator has what the service bore taken from the account after all.
 * Fails: TRANSACTION_NOT_FOUND, CONFLICT where nothing is open or nothing can be pulled, INSUFFICIENT_BALANCE.
 */
export async function retryPull(work: Work, id: Id<'cardTransaction'>): Promise<CardTransaction> {
  const locked = await lockCardTransaction(work, { id })
  const { transaction } = locked
  if (transaction.shortfall === 0n) fail('CONFLICT', { reason: 'NO_SHORTFALL' })
  return applyStep(work, locked, ({ now, obstacle }) =>
    obstacle ? fail('CONFLICT', { reason: obstacle }) : steps.recover(transaction, now),
  )
}
