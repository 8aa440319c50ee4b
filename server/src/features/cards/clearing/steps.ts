/**
 * Decides what a presentment of the network pulls and books (chapter 40, sections 3.2, 6 and 7): pure. The network
 * settles whatever it presents, so a clearing that cannot be pulled is booked and borne by the service, not refused.
 */
import { minOf } from '../../../kernel/money/money.ts'
import type { Journal } from '../../../ledger/posting.ts'
import * as book from '../../../ledger/recipes/cards.ts'
import { repayReceivable } from '../../../ledger/recipes/receivable.ts'
import { newCardTransaction, type AuthorizationRequest } from '../authorization/first-step.ts'
import {
  isOpen,
  reservedOf,
  settledOf,
  type CardTransaction,
} from '../transaction/card-transaction.ts'
import {
  advanced,
  bearShortfall,
  confirmPullAndClearing,
  end,
  messageOf,
  withNextMessage,
  type Funds,
  type Step,
} from '../transaction/steps.ts'

/** The amount C that the network collects, in the card's currency, and the presented amount if foreign (CTXN-22). */
export type Clearing = Readonly<{ amount: bigint; foreign?: book.ForeignClearing }>

export type ClearingFunds = Funds & Readonly<{ owedByPlatform: bigint }>

/** Clears an existing transaction: by zero, a credit, an open authorization, late, or for a second time. */
export function clear(before: CardTransaction, clearing: Clearing, funds: ClearingFunds): Step {
  if (clearing.amount === 0n) return end(before, funds.now)
  // A pending pull is confirmed first, together with the clearing of a single-message authorization (CTXN-15).
  const { transaction: confirmed, journals } =
    before.pendingOutcome === null
      ? { transaction: before, journals: [] }
      : confirmPullAndClearing(withNextMessage(before, funds.now))
  const ready = { ...withNextMessage(confirmed, funds.now), activeAt: funds.now }
  const step =
    ready.direction === 'CREDIT'
      ? clearCredit(ready, clearing.amount)
      : clearDebit(ready, clearing, funds)
  return { ...step, journals: [...journals, ...step.journals] }
}

/** Adds to a step the end of an authorization that is still open (CTXN-9). */
export function withEnd({ transaction, journals }: Step, now: Date): Step {
  if (!isOpen(transaction)) return { transaction, journals }
  const ended = end(transaction, now)
  return { transaction: ended.transaction, journals: [...journals, ...ended.journals] }
}

/** A clearing without authorization creates its own transaction, dated by the clearing (CTXN-19). */
export function forcePost(
  request: Omit<AuthorizationRequest, 'kind' | 'amount'>,
  clearing: Clearing,
  funds: ClearingFunds,
): Step {
  const unauthorized = newCardTransaction({ ...request, kind: 'AUTHORIZATION', amount: 0n })
  const step = clear({ ...unauthorized, status: 'SETTLED' }, clearing, funds)
  return { ...step, transaction: { ...step.transaction, lastEventAt: null } }
}

/**
 * One further pull takes the part that the reserve does not cover, all or nothing. A closed authorization has no
 * reserve, so the pull takes the whole clearing (CTXN-6, CTXN-18).
 */
function clearDebit(ready: CardTransaction, clearing: Clearing, funds: ClearingFunds): Step {
  const { amount } = clearing
  const reserved = isOpen(ready) ? minOf(reservedOf(ready), amount) : 0n
  const missing = amount - reserved
  const isPulled = missing <= funds.available
  const cleared: CardTransaction = {
    ...settledBy(ready, amount),
    pulled: ready.pulled + (isPulled ? missing : 0n),
    pullCount: ready.pullCount + (missing > 0n ? 1 : 0),
  }
  const message = messageOf(ready)
  if (!isPulled) {
    return {
      transaction: advanced(bearShortfall(cleared, missing, 'CLEARING'), 'clearShort'),
      journals: clearingJournals(message, clearing, { reserved, short: missing, funds }),
    }
  }
  return {
    transaction: clearedStatus(cleared),
    journals: [
      ...(missing > 0n ? [book.pullFunds(message, missing)] : []),
      ...clearingJournals(message, clearing, { reserved: amount, short: 0n, funds }),
    ],
  }
}

/** The journals K2, K3f and K8. A platform's fee repays the platform's debt first (FEE-6). */
function clearingJournals(
  message: book.CardMessage,
  { foreign }: Clearing,
  { reserved, short, funds }: { reserved: bigint; short: bigint; funds: ClearingFunds },
): Journal[] {
  const journal = book.clear(message, { reserved, short, ...(foreign && { foreign }) })
  if (!foreign?.platformAccountId) return [journal]
  const repaid = repayReceivable({
    credit: journal,
    platformAccountId: foreign.platformAccountId,
    credited: { amount: foreign.platformFees, currency: message.currency },
    owed: funds.owedByPlatform,
  })
  return repaid ? [journal, repaid] : [journal]
}

/** The network pays a credit at clearing (CTXN-13). */
function clearCredit(ready: CardTransaction, amount: bigint): Step {
  return {
    transaction: clearedStatus(settledBy(ready, amount)),
    journals: [book.creditFromNetwork(messageOf(ready), amount)],
  }
}

function settledBy(transaction: CardTransaction, amount: bigint): CardTransaction {
  return {
    ...transaction,
    settled: settledOf(transaction) + amount,
    settlementCount: transaction.settlementCount + 1,
  }
}

function clearedStatus(cleared: CardTransaction): CardTransaction {
  const isPartial = isOpen(cleared) && settledOf(cleared) < cleared.authorized
  return advanced(cleared, isPartial ? 'clearPart' : 'clear')
}
