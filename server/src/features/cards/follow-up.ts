/**
 * What happens to a card transaction after its authorization (chapter 40, sections 3.2 and 7): pure. Each step
 * answers the transaction as it is then, and the journals that take it there. Rules that refuse come before, in
 * refusals.ts.
 */
import { invariant } from '../../kernel/invariant.ts'
import type { Journal } from '../../ledger/posting.ts'
import * as book from '../../ledger/recipes/cards.ts'
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

const eventOf = (transaction: CardTransaction): book.CardEvent => ({
  transactionId: transaction.id,
  sequence: transaction.eventCount,
  accountId: transaction.accountId,
  currency: transaction.currency,
})

/** Every event has the next number, and moves the same two times (CTXN-21). */
const begun = (transaction: CardTransaction, now: Date): CardTransaction => ({
  ...transaction,
  eventCount: transaction.eventCount + 1,
  lastEventAt: now,
  updatedAt: now,
})

/** An authorization that is over: given back as a whole, or settled. */
const statusAtEnd = (transaction: CardTransaction): CardTransactionStatus =>
  settledOf(transaction) > 0n && refundedOf(transaction) === settledOf(transaction)
    ? 'REFUNDED'
    : 'SETTLED'

const nothingPending = { pendingPull: 0n, pendingOutcome: null } as const

/** CTXN-15: a clearing confirms what is pending. */
function confirmed(transaction: CardTransaction): Step {
  const { pendingPull } = transaction
  return {
    transaction: { ...transaction, ...nothingPending },
    journals: pendingPull > 0n ? [book.confirmPull(eventOf(transaction), pendingPull)] : [],
  }
}

function settledBy(transaction: CardTransaction, amount: bigint): CardTransaction {
  return {
    ...transaction,
    settled: settledOf(transaction) + amount,
    settlementCount: transaction.settlementCount + 1,
  }
}

/** The network collects, the whole amount or a part of it (CTXN-6 to CTXN-8). */
export function clear(before: CardTransaction, amount: bigint, means: Means): Step {
  invariant(isOpen(before) && amount > 0n, 'Only an open authorization is cleared.')
  const started = { ...begun(before, means.now), activeAt: means.now }
  if (before.direction === 'CREDIT') return clearCredit(started, amount)
  const { transaction: ready, journals } = confirmed(started)
  const event = eventOf(ready)
  const cleared = settledBy(ready, amount)
  const missing = settledOf(cleared) - ready.pulled
  if (missing > means.available) {
    const reserved = reservedOf(ready)
    return {
      transaction: {
        ...bear(cleared, missing, 'CLEARING'),
        pullCount: ready.pullCount + 1,
        status: 'EXCEPTION',
      },
      journals: [...journals, book.clearWithShortfall(event, { reserved, short: missing })],
    }
  }
  const pulls = missing > 0n ? [book.pullFunds(event, missing)] : []
  return {
    transaction: {
      ...cleared,
      pulled: ready.pulled + (missing > 0n ? missing : 0n),
      pullCount: ready.pullCount + pulls.length,
      status: statusAfterClearing(cleared),
    },
    journals: [...journals, ...pulls, book.clearFromReserve(event, amount)],
  }
}

const statusAfterClearing = (cleared: CardTransaction): CardTransactionStatus =>
  settledOf(cleared) < cleared.authorized ? 'PARTIALLY_SETTLED' : 'SETTLED'

/** CTXN-13: on a credit the network pays. */
function clearCredit(started: CardTransaction, amount: bigint): Step {
  const cleared = settledBy({ ...started, ...nothingPending }, amount)
  return {
    transaction: { ...cleared, status: statusAfterClearing(cleared) },
    journals: [book.creditFromNetwork(eventOf(started), amount)],
  }
}

/** CTXN-9: a clearing of nothing, or a week of silence: what was not used goes back. */
export function end(before: CardTransaction, now: Date): Step {
  invariant(isOpen(before), 'Only an open authorization ends.')
  const { transaction: ready, journals } = confirmed(begun(before, now))
  const unused = before.direction === 'DEBIT' ? reservedOf(ready) : 0n
  const ended: CardTransaction = {
    ...ready,
    settled: settledOf(ready),
    pulled: ready.pulled - unused,
    activeAt: now,
  }
  return {
    transaction: { ...ended, status: statusAtEnd(ended) },
    journals: unused > 0n ? [...journals, book.releaseReserve(eventOf(ready), unused)] : journals,
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
  return before.pendingOutcome === 'CONFIRMED' ? succeed(begunNow) : failPending(begunNow)
}

function succeed(begunNow: CardTransaction): Step {
  const { transaction, journals } = confirmed(begunNow)
  const cleared = settledOf(begunNow)
  if (cleared === 0n) return { transaction, journals }
  const event = eventOf(begunNow)
  const clearing =
    begunNow.direction === 'CREDIT'
      ? book.creditFromNetwork(event, cleared)
      : book.clearFromReserve(event, cleared)
  return { transaction, journals: [...journals, clearing] }
}

/** Nothing was taken after all, so nothing stays reserved; what was cleared already the service bears. */
function failPending(begunNow: CardTransaction): Step {
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
      ...(cleared > 0n ? [book.clearWithShortfall(event, { reserved: 0n, short: cleared })] : []),
    ],
  }
}

/** CTXN-11: the merchant gives back; what the service bore is repaid first. */
export function giveBack(before: CardTransaction, amount: bigint, now: Date): Step {
  invariant(amount <= settledOf(before) - refundedOf(before), 'No more is given back than cleared.')
  const started = begun(before, now)
  const repaid = amount < before.shortfall ? amount : before.shortfall
  const returned = withShortfall(
    { ...started, refunded: refundedOf(before) + amount, returns: [...before.returns, amount] },
    before.shortfall - repaid,
  )
  return {
    transaction: { ...returned, status: statusAfterReturn(returned) },
    journals: [book.giveBack(eventOf(started), { repaid, credited: amount - repaid })],
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
const bear = (
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
