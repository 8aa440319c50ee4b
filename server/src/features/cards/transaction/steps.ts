/**
 * What happens to a card transaction after its authorization (chapter 40, sections 3.2 and 7), but for clearings, which
 * are in clearing.ts: pure. Each step answers the transaction as it is then, and the journals that take it there. Rules
 * that refuse come before, in refusals.ts.
 */
import { invariant } from '../../../kernel/invariant.ts'
import type { Journal } from '../../../ledger/posting.ts'
import * as book from '../../../ledger/recipes/cards.ts'
import {
  isOpen,
  refundedOf,
  reservedOf,
  settledOf,
  type CardTransaction,
  type CardTransactionStatus,
} from './card-transaction.ts'

export type Step = Readonly<{ transaction: CardTransaction; journals: readonly Journal[] }>

/** What a step may still take from the account: nothing where it cannot be pulled from any more. */
export type Means = Readonly<{ now: Date; available: bigint }>

export const eventOf = (transaction: CardTransaction): book.CardEvent => ({
  transactionId: transaction.id,
  sequence: transaction.eventCount,
  accountId: transaction.accountId,
  currency: transaction.currency,
})

/** Every event has the next number, and moves the same two times (CTXN-21). */
export const begun = (transaction: CardTransaction, now: Date): CardTransaction => ({
  ...transaction,
  eventCount: transaction.eventCount + 1,
  lastEventAt: now,
  updatedAt: now,
})

/** An authorization that is over: given back as a whole, or settled. */
export const statusAtEnd = (transaction: CardTransaction): CardTransactionStatus =>
  settledOf(transaction) > 0n && refundedOf(transaction) === settledOf(transaction)
    ? 'REFUNDED'
    : 'SETTLED'

const nothingPending = { pendingPull: 0n, pendingOutcome: null } as const

/** CTXN-15: what is pending is confirmed by a clearing, and by the end of the authorization. */
export function confirmed(transaction: CardTransaction): Step {
  const { pendingPull } = transaction
  return {
    transaction: { ...transaction, ...nothingPending },
    journals: pendingPull > 0n ? [book.confirmPull(eventOf(transaction), pendingPull)] : [],
  }
}

/** CTXN-10: the network says what it now holds authorized. */
export function advise(before: CardTransaction, amount: bigint, means: Means): Step {
  invariant(
    isOpen(before) && amount >= settledOf(before),
    'An advice is not below what is cleared.',
  )
  const advised: CardTransaction = {
    ...begun(before, means.now),
    authorized: amount,
    activeAt: means.now,
  }
  const { transaction, journals } =
    before.direction === 'CREDIT'
      ? { transaction: advised, journals: [] }
      : amount > before.authorized
        ? raise(advised, amount - before.authorized, means)
        : lower(advised)
  const isOver = amount === settledOf(before)
  return {
    transaction: isOver ? { ...transaction, status: statusAtEnd(transaction) } : transaction,
    journals,
  }
}

/** What cannot be pulled now is tried again at clearing. */
function raise(advised: CardTransaction, difference: bigint, { available }: Means): Step {
  const tried = { ...advised, pullCount: advised.pullCount + 1 }
  if (difference > available) return { transaction: tried, journals: [] }
  return {
    transaction: { ...tried, pulled: advised.pulled + difference },
    journals: [book.pullFunds(eventOf(advised), difference)],
  }
}

/** The reserve first: what is still to be confirmed stays as it is for as long as that goes. */
function lower(advised: CardTransaction): Step {
  const excess = advised.pulled - advised.authorized
  if (excess <= 0n) return { transaction: advised, journals: [] }
  const reserved = reservedOf(advised)
  const fromReserve = reserved < excess ? reserved : excess
  const fromHeld = excess - fromReserve
  const event = eventOf(advised)
  return {
    transaction: {
      ...advised,
      pulled: advised.authorized,
      pendingPull: advised.pendingPull - fromHeld,
    },
    journals: [
      ...(fromReserve > 0n ? [book.releaseReserve(event, fromReserve)] : []),
      ...(fromHeld > 0n ? [book.releasePull(event, fromHeld)] : []),
    ],
  }
}

/** The confirmation that was still to come. A single-message purchase is cleared only now (CTXN-14). */
export function settlePending(before: CardTransaction, now: Date): Step {
  invariant(before.pendingOutcome !== null, 'Something is pending.')
  const begunNow = begun(before, now)
  return before.pendingOutcome === 'CONFIRMED' ? succeed(begunNow) : markPendingFailed(begunNow)
}

/** Also what a clearing makes of a pull that is still pending (CTXN-15). */
export function succeed(begunNow: CardTransaction): Step {
  const { transaction, journals } = confirmed(begunNow)
  const cleared = settledOf(begunNow)
  if (cleared === 0n) return { transaction, journals }
  const event = eventOf(begunNow)
  const clearing =
    begunNow.direction === 'CREDIT'
      ? book.creditFromNetwork(event, cleared)
      : book.clear(event, { reserved: cleared, short: 0n })
  return { transaction, journals: [...journals, clearing] }
}

/** Nothing was taken after all, so nothing stays reserved; what was cleared already the service bears. */
function markPendingFailed(begunNow: CardTransaction): Step {
  const event = eventOf(begunNow)
  const failed = { ...begunNow, ...nothingPending, status: 'EXCEPTION' } as const
  if (begunNow.direction === 'CREDIT') return { transaction: failed, journals: [] }
  const { pendingPull } = begunNow
  const cleared = settledOf(begunNow)
  const reserved = begunNow.pulled - pendingPull
  return {
    transaction: { ...bear(failed, cleared, 'CLEARING'), pulled: 0n },
    journals: [
      book.releasePull(event, pendingPull),
      ...(reserved > 0n ? [book.releaseReserve(event, reserved)] : []),
      ...(cleared > 0n ? [book.clear(event, { reserved: 0n, short: cleared })] : []),
    ],
  }
}

/** CTXN-11: the merchant gives back; what the service bore is repaid first. */
export function creditReturn(before: CardTransaction, amount: bigint, now: Date): Step {
  invariant(amount <= settledOf(before) - refundedOf(before), 'No more is given back than cleared.')
  const started = begun(before, now)
  const repaid = amount < before.shortfall ? amount : before.shortfall
  const returned = withShortfall(
    { ...started, refunded: refundedOf(before) + amount, returns: [...before.returns, amount] },
    before.shortfall - repaid,
  )
  return {
    transaction: { ...returned, status: statusAfterReturn(returned) },
    journals: [book.creditReturn(eventOf(started), { repaid, credited: amount - repaid })],
  }
}

function statusAfterReturn(returned: CardTransaction): CardTransactionStatus {
  if (returned.status === 'PARTIALLY_SETTLED' || returned.shortfall > 0n) return returned.status
  return statusAtEnd(returned)
}

const withShortfall = (transaction: CardTransaction, shortfall: bigint): CardTransaction => ({
  ...transaction,
  shortfall,
  shortfallCause: shortfall > 0n ? transaction.shortfallCause : null,
})

/** The service bears it, on top of what it bears already: a pull may fail after a reversal could not be paid. */
export const bear = (
  transaction: CardTransaction,
  amount: bigint,
  shortfallCause: NonNullable<CardTransaction['shortfallCause']>,
): CardTransaction =>
  withShortfall({ ...transaction, shortfallCause }, transaction.shortfall + amount)

/** CTXN-12: the latest return in force never was, as a whole. */
export function reverseReturn(before: CardTransaction, means: Means): Step {
  const amount = before.returns.at(-1)
  invariant(before.status === 'REFUNDED' && amount !== undefined, 'There is a return to reverse.')
  const started = begun(before, means.now)
  const event = eventOf(started)
  const undone = {
    ...started,
    refunded: refundedOf(before) - amount,
    returns: before.returns.slice(0, -1),
  }
  if (amount <= means.available) {
    return {
      transaction: { ...undone, status: 'SETTLED' },
      journals: [book.reverseReturn(event, amount)],
    }
  }
  return {
    transaction: { ...bear(undone, amount, 'RETURN_REVERSAL'), status: 'EXCEPTION' },
    journals: [book.bearReversal(event, amount)],
  }
}

/**
 * K3r: what was borne is taken from the account after all. Only what was short at clearing is a pull: never more than
 * is cleared and not pulled. Where a reversal is part of it, too, returns have repaid that first.
 */
export function recover(before: CardTransaction, now: Date): Step {
  invariant(before.shortfall > 0n, 'There is a shortfall to recover.')
  const started = begun(before, now)
  const unpulled = before.shortfallCause === 'CLEARING' ? settledOf(before) - before.pulled : 0n
  const pull = unpulled < before.shortfall ? unpulled : before.shortfall
  const recovered = withShortfall(
    {
      ...started,
      pulled: before.pulled + pull,
      pullCount: before.pullCount + (pull > 0n ? 1 : 0),
    },
    0n,
  )
  return {
    transaction: { ...recovered, status: statusAtEnd(recovered) },
    journals: [book.recoverShortfall(eventOf(started), before.shortfall)],
  }
}
