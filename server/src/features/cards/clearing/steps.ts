/**
 * Which clearing a presentment of the network is, what it pulls and what it books (chapter 40, sections 3.2, 6 and 7):
 * pure. The network settles whatever it presents, so a clearing that cannot be pulled is booked and borne, not refused.
 */
import { invariant } from '../../../kernel/invariant.ts'
import type { Journal } from '../../../ledger/posting.ts'
import * as book from '../../../ledger/recipes/cards.ts'
import { repayReceivable } from '../../../ledger/recipes/receivable.ts'
import {
  isOpen,
  reservedOf,
  settledOf,
  type CardTransaction,
  type CardTransactionStatus,
} from '../transaction/card-transaction.ts'
import { begin, type Asked } from '../authorization/first-step.ts'
import {
  bear,
  begun,
  confirmed,
  eventOf,
  statusAtEnd,
  succeed,
  type Means,
  type Step,
} from '../transaction/steps.ts'

/** What the network collects: C, in the card's currency, and what it is of where that is another one (CTXN-22). */
export type Clearing = Readonly<{ amount: bigint; foreign?: book.ForeignClearing }>

export type ClearingMeans = Means & Readonly<{ owedByPlatform: bigint }>

/** A clearing on a transaction that there is: of nothing, of a credit, of an open authorization, late or second. */
export function clear(before: CardTransaction, clearing: Clearing, means: ClearingMeans): Step {
  if (clearing.amount === 0n) return end(before, means.now)
  // A pull that is pending is confirmed first, and with it what one message cleared already (CTXN-15).
  const { transaction: sure, journals } =
    before.pendingOutcome === null
      ? { transaction: before, journals: [] }
      : succeed(begun(before, means.now))
  const ready = { ...begun(sure, means.now), activeAt: means.now }
  const step =
    ready.direction === 'CREDIT'
      ? clearCredit(ready, clearing.amount)
      : clearDebit(ready, clearing, means)
  return { ...step, journals: [...journals, ...step.journals] }
}

/** CTXN-19: a clearing without authorization is a transaction of its own, of the time of the clearing. */
export function forcePost(
  asked: Omit<Asked, 'kind' | 'amount'>,
  clearing: Clearing,
  means: ClearingMeans,
): Step {
  const unauthorized = begin({ ...asked, kind: 'AUTHORIZATION', amount: 0n })
  const step = clear({ ...unauthorized, status: 'SETTLED' }, clearing, means)
  return { ...step, transaction: { ...step.transaction, lastEventAt: null } }
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

/**
 * What the reserve does not cover is taken by one further pull, all or nothing. An authorization that is over has no
 * reserve, so all of the clearing is (CTXN-6, CTXN-18).
 */
function clearDebit(ready: CardTransaction, clearing: Clearing, means: ClearingMeans): Step {
  const { amount } = clearing
  const reserved = isOpen(ready) ? least(reservedOf(ready), amount) : 0n
  const missing = amount - reserved
  const isPulled = missing <= means.available
  const cleared: CardTransaction = {
    ...settledBy(ready, amount),
    pulled: ready.pulled + (isPulled ? missing : 0n),
    pullCount: ready.pullCount + (missing > 0n ? 1 : 0),
  }
  const event = eventOf(ready)
  if (!isPulled) {
    return {
      transaction: { ...bear(cleared, missing, 'CLEARING'), status: 'EXCEPTION' },
      journals: collected(event, clearing, { reserved, short: missing, means }),
    }
  }
  return {
    transaction: { ...cleared, status: statusAfterClearing(ready, cleared) },
    journals: [
      ...(missing > 0n ? [book.pullFunds(event, missing)] : []),
      ...collected(event, clearing, { reserved: amount, short: 0n, means }),
    ],
  }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** K2, K3f and K8. A platform's fee pays first what the platform owes (FEE-6). */
function collected(
  event: book.CardEvent,
  { foreign }: Clearing,
  { reserved, short, means }: { reserved: bigint; short: bigint; means: ClearingMeans },
): Journal[] {
  const journal = book.clear(event, { reserved, short, ...(foreign && { foreign }) })
  if (!foreign?.platformAccountId) return [journal]
  const repaid = repayReceivable({
    credit: journal,
    platformAccountId: foreign.platformAccountId,
    credited: { amount: foreign.platformFees, currency: event.currency },
    owed: means.owedByPlatform,
  })
  return repaid ? [journal, repaid] : [journal]
}

/** CTXN-13: on a credit the network pays. */
function clearCredit(ready: CardTransaction, amount: bigint): Step {
  const cleared = settledBy(ready, amount)
  return {
    transaction: { ...cleared, status: statusAfterClearing(ready, cleared) },
    journals: [book.creditFromNetwork(eventOf(ready), amount)],
  }
}

function settledBy(transaction: CardTransaction, amount: bigint): CardTransaction {
  return {
    ...transaction,
    settled: settledOf(transaction) + amount,
    settlementCount: transaction.settlementCount + 1,
  }
}

/** A clearing that was pulled repays no shortfall, so an exception stays one (CTXN-18). */
function statusAfterClearing(
  before: CardTransaction,
  cleared: CardTransaction,
): CardTransactionStatus {
  if (before.status === 'EXCEPTION') return 'EXCEPTION'
  const isPartial = isOpen(before) && settledOf(cleared) < cleared.authorized
  return isPartial ? 'PARTIALLY_SETTLED' : 'SETTLED'
}
