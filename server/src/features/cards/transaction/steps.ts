/**
 * The steps of a card transaction after its authorization (chapter 40, sections 3.2 and 7), except for clearings, which
 * are in clearing/steps.ts: pure. Each returns the next transaction and the journals to post. The caller has run the
 * checks of refusals.ts.
 */
import { minOf } from '../../../kernel/money/money.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { advance } from '../../../kernel/machine.ts'
import type { Journal } from '../../../ledger/posting.ts'
import * as book from '../../../ledger/recipes/cards.ts'
import {
  isOpen,
  refundedOf,
  reservedOf,
  settledOf,
  type CardTransaction,
} from './card-transaction.ts'
import { cardTransaction, type CardTransactionEvent } from './machine.ts'

export type Step = Readonly<{ transaction: CardTransaction; journals: readonly Journal[] }>

/** The amount that a step may still pull from the account; 0 if the account cannot be pulled from. */
export type Funds = Readonly<{ now: Date; available: bigint }>

export const messageOf = (transaction: CardTransaction): book.CardMessage => ({
  transactionId: transaction.id,
  sequence: transaction.messageCount,
  accountId: transaction.accountId,
  currency: transaction.currency,
})

/** Every message takes the next number and sets the same two timestamps (CTXN-21). */
export const withNextMessage = (transaction: CardTransaction, now: Date): CardTransaction => ({
  ...transaction,
  messageCount: transaction.messageCount + 1,
  lastEventAt: now,
  updatedAt: now,
})

export const advanced = (
  transaction: CardTransaction,
  event: CardTransactionEvent,
): CardTransaction => ({
  ...transaction,
  status: advance(cardTransaction, transaction.status, event),
})

const isReturned = (transaction: CardTransaction): boolean =>
  settledOf(transaction) > 0n && refundedOf(transaction) === settledOf(transaction)

const ended = (transaction: CardTransaction): CardTransaction =>
  advanced(transaction, isReturned(transaction) ? 'endRefunded' : 'end')

/** Ends an authorization, after a clearing of zero or a week of silence; releases the unused reserve (CTXN-9, CTXN-20). */
export function end(before: CardTransaction, now: Date): Step {
  invariant(isOpen(before), 'Only an open authorization ends.')
  const { transaction: ready, journals } = confirmPull(withNextMessage(before, now))
  const unused = before.direction === 'DEBIT' ? reservedOf(ready) : 0n
  return {
    transaction: ended({
      ...ready,
      settled: settledOf(ready),
      pulled: ready.pulled - unused,
      activeAt: now,
    }),
    journals: unused > 0n ? [...journals, book.releaseReserve(messageOf(ready), unused)] : journals,
  }
}

const nothingPending = { pendingPull: 0n, pendingOutcome: null } as const

/** A clearing confirms a pending pull, and so does the end of the authorization (CTXN-15). */
function confirmPull(transaction: CardTransaction): Step {
  const { pendingPull } = transaction
  return {
    transaction: { ...transaction, ...nothingPending },
    journals: pendingPull > 0n ? [book.confirmPull(messageOf(transaction), pendingPull)] : [],
  }
}

/** An advice states what the network now holds authorized (CTXN-10). */
export function advise(before: CardTransaction, amount: bigint, funds: Funds): Step {
  invariant(
    isOpen(before) && amount >= settledOf(before),
    'An advice is not below what is cleared.',
  )
  const advised: CardTransaction = {
    ...withNextMessage(before, funds.now),
    authorized: amount,
    activeAt: funds.now,
  }
  const { transaction, journals } =
    before.direction === 'CREDIT'
      ? { transaction: advised, journals: [] }
      : amount > before.authorized
        ? raise(advised, amount - before.authorized, funds)
        : lower(advised)
  const isOver = amount === settledOf(before)
  return { transaction: isOver ? ended(transaction) : transaction, journals }
}

/** A difference that cannot be pulled now is pulled at clearing. */
function raise(advised: CardTransaction, difference: bigint, { available }: Funds): Step {
  const tried = { ...advised, pullCount: advised.pullCount + 1 }
  if (difference > available) return { transaction: tried, journals: [] }
  return {
    transaction: { ...tried, pulled: advised.pulled + difference },
    journals: [book.pullFunds(messageOf(advised), difference)],
  }
}

/** The reserve is released first, so that a pending pull stays whole for as long as possible. */
function lower(advised: CardTransaction): Step {
  const excess = advised.pulled - advised.authorized
  if (excess <= 0n) return { transaction: advised, journals: [] }
  const reserved = reservedOf(advised)
  const fromReserve = minOf(reserved, excess)
  const fromHeld = excess - fromReserve
  const message = messageOf(advised)
  return {
    transaction: {
      ...advised,
      pulled: advised.authorized,
      pendingPull: advised.pendingPull - fromHeld,
    },
    journals: [
      ...(fromReserve > 0n ? [book.releaseReserve(message, fromReserve)] : []),
      ...(fromHeld > 0n ? [book.releasePull(message, fromHeld)] : []),
    ],
  }
}

/** Applies the outcome of a pending pull. A single-message purchase is cleared only now (CTXN-14). */
export function settlePending(before: CardTransaction, now: Date): Step {
  invariant(before.pendingOutcome !== null, 'Something is pending.')
  const numbered = withNextMessage(before, now)
  return before.pendingOutcome === 'CONFIRMED'
    ? confirmPullAndClearing(numbered)
    : markPullFailed(numbered)
}

/** A clearing confirms a pending pull in this way, too (CTXN-15). */
export function confirmPullAndClearing(numbered: CardTransaction): Step {
  const { transaction, journals } = confirmPull(numbered)
  const cleared = settledOf(numbered)
  if (cleared === 0n) return { transaction, journals }
  const message = messageOf(numbered)
  const clearing =
    numbered.direction === 'CREDIT'
      ? book.creditFromNetwork(message, cleared)
      : book.clear(message, { reserved: cleared, short: 0n })
  return { transaction, journals: [...journals, clearing] }
}

/** A failed pull took nothing, so nothing stays reserved; the service bears the amount that was cleared already. */
function markPullFailed(numbered: CardTransaction): Step {
  const message = messageOf(numbered)
  const failed = { ...advanced(numbered, 'failPull'), ...nothingPending }
  if (numbered.direction === 'CREDIT') return { transaction: failed, journals: [] }
  const { pendingPull } = numbered
  const cleared = settledOf(numbered)
  const reserved = numbered.pulled - pendingPull
  return {
    transaction: { ...bearShortfall(failed, cleared, 'CLEARING'), pulled: 0n },
    journals: [
      book.releasePull(message, pendingPull),
      ...(reserved > 0n ? [book.releaseReserve(message, reserved)] : []),
      ...(cleared > 0n ? [book.clear(message, { reserved: 0n, short: cleared })] : []),
    ],
  }
}

/** A return repays the shortfall first, which the service bore (CTXN-11). */
export function creditReturn(before: CardTransaction, amount: bigint, now: Date): Step {
  invariant(amount <= settledOf(before) - refundedOf(before), 'No more is given back than cleared.')
  const numbered = withNextMessage(before, now)
  const repaid = minOf(amount, before.shortfall)
  const returned = withShortfall(
    { ...numbered, refunded: refundedOf(before) + amount, returns: [...before.returns, amount] },
    before.shortfall - repaid,
  )
  const event =
    returned.shortfall > 0n ? 'returnShort' : isReturned(returned) ? 'returnAll' : 'returnPart'
  return {
    transaction: advanced(returned, event),
    journals: [book.creditReturn(messageOf(numbered), { repaid, credited: amount - repaid })],
  }
}

const withShortfall = (transaction: CardTransaction, shortfall: bigint): CardTransaction => ({
  ...transaction,
  shortfall,
  shortfallCause: shortfall > 0n ? transaction.shortfallCause : null,
})

/** Adds to an existing shortfall: a pull may fail after a reversal could not be paid. */
export const bearShortfall = (
  transaction: CardTransaction,
  amount: bigint,
  shortfallCause: NonNullable<CardTransaction['shortfallCause']>,
): CardTransaction =>
  withShortfall({ ...transaction, shortfallCause }, transaction.shortfall + amount)

/**
 * A reversal undoes one whole return in force, by default the latest (CTXN-12). If the account cannot pay it, an open
 * authorization ends first, because an exception holds no reserve.
 */
export function reverseReturn(
  before: CardTransaction,
  funds: Funds,
  amount = before.returns.at(-1),
): Step {
  invariant(amount !== undefined && before.returns.includes(amount), 'There is such a return.')
  if (isOpen(before) && amount > funds.available) {
    const over = end(before, funds.now)
    const { transaction, journals } = reverseReturn(over.transaction, funds, amount)
    return { transaction, journals: [...over.journals, ...journals] }
  }
  const numbered = withNextMessage(before, funds.now)
  const message = messageOf(numbered)
  const isWhole = before.status === 'REFUNDED'
  const undone = {
    ...numbered,
    refunded: refundedOf(before) - amount,
    returns: before.returns.toSpliced(before.returns.lastIndexOf(amount), 1),
  }
  if (amount <= funds.available) {
    return {
      transaction: advanced(undone, isWhole ? 'reverseReturn' : 'reversePart'),
      journals: [book.reverseReturn(message, amount)],
    }
  }
  return {
    transaction: advanced(
      bearShortfall(undone, amount, before.shortfallCause ?? 'RETURN_REVERSAL'),
      isWhole ? 'reverseShort' : 'reversePartShort',
    ),
    journals: [book.bearReversal(message, amount)],
  }
}

/**
 * Takes the shortfall from the account after all (K3r). Only a shortfall of a clearing counts as pulled: at most the
 * cleared amount that was not pulled. If a reversal is part of the shortfall, returns have repaid that part first.
 */
export function recover(before: CardTransaction, now: Date): Step {
  invariant(before.shortfall > 0n, 'There is a shortfall to recover.')
  const numbered = withNextMessage(before, now)
  const unpulled = before.shortfallCause === 'CLEARING' ? settledOf(before) - before.pulled : 0n
  const pull = minOf(unpulled, before.shortfall)
  const recovered = withShortfall(
    {
      ...numbered,
      pulled: before.pulled + pull,
      pullCount: before.pullCount + (pull > 0n ? 1 : 0),
    },
    0n,
  )
  return {
    transaction: advanced(recovered, isReturned(recovered) ? 'recoverRefunded' : 'recover'),
    journals: [book.recoverShortfall(messageOf(numbered), before.shortfall)],
  }
}
