import { formatId, type Id } from '../../../kernel/ids.ts'
import type { IncomingFailureReason } from '../../../kernel/failure-reasons.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  availableOf,
  heldOf,
  RECEIVABLE_PLATFORM,
  type LedgerAccount,
} from '../../../ledger/chart.ts'
import { storedKeys } from '../../../ledger/book.ts'
import type { ExtraJournals } from '../../../ledger/command-in-work.ts'
import { post, postWith } from '../../../ledger/post.ts'
import { clearDeposit, holdDeposit, refuseDeposit } from '../../../ledger/recipes/deposits.ts'
import { repayReceivable } from '../../../ledger/recipes/receivable.ts'
import { emit } from '../../../webhooks/emit.ts'
import type { AccountSnapshot } from '../../internal-accounts/index.ts'
import {
  incomingToWire,
  insertTransactions,
  moveIncoming,
  newTransaction,
  reportedArrival,
  saveTransaction,
  type IncomingTransaction,
} from '../../transactions/index.ts'
import type { ArrivedMoney, Deposit } from '../deposit.ts'

/**
 * Holds a deposit for review, or until the customer's data is complete (L12): the owner sees the money and cannot spend it.
 * The extra journals are posted in the same step.
 */
export async function holdForReview(
  work: Work,
  { id, money, report }: ArrivedMoney,
  account: AccountSnapshot,
  beside?: ExtraJournals,
): Promise<void> {
  const { tx, platform, now } = work
  const { via, source } = reportedArrival(report, { currency: money.currency })
  const transaction = newTransaction<IncomingTransaction>({
    id,
    type: 'INCOMING',
    status: 'PENDING',
    pendingReason: 'COMPLIANCE_REVIEW',
    customerId: account.customerId,
    platformCustomerId: account.platformCustomerId,
    source,
    destination: {
      destinationType: 'ACCOUNT',
      accountId: formatId('internalAccount', account.id),
      currency: account.currency,
    },
    sent: money,
    received: money,
    createdAt: now,
  })
  const journals = [holdDeposit({ reference: id, rail: via, money, accountId: account.id })]
  const keys = [...storedKeys(platform.id, journals), ...(beside?.keys ?? [])]
  await postWith(work, keys, (book) => {
    beside?.apply(book)
    book.mustApply(platform.id, now, journals)
  })
  insertTransactions(tx, [{ platformId: platform.id, transaction }])
  emit(work, 'INCOMING_PAYMENT.PENDING', incomingToWire(platform.id, transaction))
}

type HeldDeposit = Readonly<{
  deposit: Deposit
  transaction: IncomingTransaction
  accountId: Id<'internalAccount'>
}>

/** Makes a held deposit available (L12); a platform's deposit first repays its debt (L14). */
export async function clearHeldDeposit(
  work: Work,
  { deposit: { money }, transaction, accountId }: HeldDeposit,
): Promise<void> {
  const { platform, now } = work
  const { currency } = money
  const keys = [availableOf(accountId), heldOf(accountId), RECEIVABLE_PLATFORM]
  const keyOf = (account: LedgerAccount) => ({ platformId: platform.id, account, currency })
  await postWith(work, keys.map(keyOf), (book) => {
    const credit = clearDeposit({ reference: transaction.id, money, accountId })
    const owed = transaction.customerId === null ? -book.balanceOf(keyOf(RECEIVABLE_PLATFORM)) : 0n
    const repaid = repayReceivable({ credit, platformAccountId: accountId, credited: money, owed })
    book.mustApply(platform.id, now, repaid ? [credit, repaid] : [credit])
  })
  saveTransaction(
    work,
    moveIncoming(work, transaction, 'complete', { pendingReason: null, settledAt: now }),
  )
}

/** Sends a held deposit back to its sender (L12). */
export async function refuseHeldDeposit(
  work: Work,
  { deposit: { money, report }, transaction, accountId }: HeldDeposit,
  failureReason: IncomingFailureReason,
): Promise<void> {
  const { rail } = report
  await post(work, [refuseDeposit({ reference: transaction.id, rail, money, accountId })])
  saveTransaction(
    work,
    moveIncoming(work, transaction, 'fail', { pendingReason: null, failureReason }),
  )
}
