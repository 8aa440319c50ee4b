import { invariant } from '../../../kernel/invariant.ts'
import type { Money } from '../../../kernel/money/money.ts'
import type { BalanceKey } from '../../../ledger/balances/balance-rows.ts'
import type { Book } from '../../../ledger/book.ts'
import { availableOf, RECEIVABLE_PLATFORM } from '../../../ledger/chart.ts'
import type { Journal } from '../../../ledger/posting.ts'
import { creditDeposit } from '../../../ledger/recipes/deposits.ts'
import { repayReceivable } from '../../../ledger/recipes/receivable.ts'
import type { SideAccount } from '../../external-accounts/index.ts'
import type { InternalAccount } from '../../internal-accounts/index.ts'
import {
  accountIdOfSide,
  moveIncoming,
  type EventContext,
  type IncomingTransaction,
} from '../../transactions/index.ts'
import type { CollectionStep } from '../../../providers/rails/sandbox-outcomes.ts'
import { collectionLegOf, pullRailOf } from '../payment.ts'
import { orderMoney } from '../rail/order-leg.ts'
import { enqueueSteps, stepsOfCollection } from '../rail/steps.ts'

/** Whether a payment in is a transfer-in, which pulls money from an external account. */
export const isCollection = ({ source, quoteId }: IncomingTransaction): boolean =>
  quoteId === null && accountIdOfSide('externalAccount', source) !== undefined

const accountIdOf = ({ destination }: IncomingTransaction) => {
  const id = accountIdOfSide('internalAccount', destination)
  invariant(id, 'A transfer-in goes to an internal account.')
  return id
}

/** The balances that a credit may touch; a credit to a platform's account repays its debt first (L14). */
export function collectionKeysOf({ platformId, account }: CreditedAccount): BalanceKey[] {
  const { id, currency, customerId } = account
  const names = [availableOf(id), ...(customerId === null ? [RECEIVABLE_PLATFORM] : [])]
  return names.map((name) => ({ platformId, account: name, currency }))
}

type CreditedAccount = Readonly<{
  platformId: BalanceKey['platformId']
  account: Pick<InternalAccount, 'id' | 'currency' | 'customerId'>
}>

/** The account that a transfer-in credits. */
export const creditedBy = (transaction: IncomingTransaction): CreditedAccount['account'] => ({
  id: accountIdOf(transaction),
  currency: transaction.received.currency,
  customerId: transaction.customerId,
})

type Collecting = Readonly<{
  transaction: IncomingTransaction
  external: SideAccount
  book: Book
}>

/** Starts the pull. Success at once is booked now; all later steps are left to a job, or to the provider's reports. */
export function beginCollection(
  eventContext: EventContext,
  { transaction, external, book }: Collecting,
): Readonly<{ transaction: IncomingTransaction; isDueNow: boolean }> {
  const { platform, now: takenAt } = eventContext
  const rail = pullRailOf({ kind: 'external', account: external })
  const leg = collectionLegOf(external)
  const steps = stepsOfCollection(eventContext.ports, leg)
  const [first, ...rest] = steps
  // A failure is left to the job, which emits its event.
  const isDone = first?.event === 'complete' && first.afterSeconds === 0
  const move = isDone
    ? takeCollectionStep({ eventContext, book, rail }, transaction, first)
    : { transaction, journals: [] }
  book.mustApply(platform.id, takenAt, move.journals)
  const left = isDone ? rest : steps
  enqueueSteps(eventContext, { transactionId: transaction.id, steps: left, takenAt })
  const money = transaction.received
  orderMoney(eventContext, transaction, { type: 'COLLECTION', query: leg.query, money })
  return { transaction: move.transaction, isDueNow: left[0]?.afterSeconds === 0 }
}

type CollectionContext = Readonly<{ eventContext: EventContext; book: Book; rail: string }>

export type CollectionMove = Readonly<{
  transaction: IncomingTransaction
  journals: readonly Journal[]
}>

/** Takes one step of a transfer-in. Money moves only when it completes (L1), so there is nothing to refund. */
export function takeCollectionStep(
  context: CollectionContext,
  transaction: IncomingTransaction,
  step: CollectionStep,
): CollectionMove {
  const { eventContext } = context
  if (step.event === 'fail') {
    const { reason: failureReason } = step
    return {
      transaction: moveIncoming(eventContext, transaction, 'fail', { failureReason }),
      journals: [],
    }
  }
  return {
    transaction: moveIncoming(eventContext, transaction, 'complete', {
      settledAt: eventContext.now,
    }),
    journals: credits(context, transaction),
  }
}

function credits(
  { eventContext, book, rail }: CollectionContext,
  transaction: IncomingTransaction,
): Journal[] {
  const { received: money, customerId } = transaction
  const accountId = accountIdOf(transaction)
  const credit = creditDeposit({ reference: transaction.id, rail, money, accountId })
  if (customerId !== null) return [credit]
  const repaid = repayReceivable({
    credit,
    platformAccountId: accountId,
    credited: money,
    owed: owedIn(eventContext, book, money),
  })
  return repaid ? [credit, repaid] : [credit]
}

const owedIn = ({ platform }: EventContext, book: Book, { currency }: Money): bigint =>
  -book.balanceOf({ platformId: platform.id, account: RECEIVABLE_PLATFORM, currency })
