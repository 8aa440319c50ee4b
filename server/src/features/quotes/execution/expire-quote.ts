import { Type } from '../../../infra/http/schema/type.ts'
import type { Id } from '../../../kernel/ids.ts'
import { nextState } from '../../../kernel/machine.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import { defineJob, jobId } from '../../../infra/jobs/define-job.ts'
import { dropJobs } from '../../../infra/jobs/drop-jobs.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  lockOpenQuotes,
  lockPendingQuotes,
  lockTransaction,
  moveOutgoing,
  saveTransactions,
} from '../../transactions/index.ts'
import { quote } from '../record/machine.ts'
import { quoteStatusOf, transactionIdOf } from '../record/quote.ts'

export const expireQuoteJob = defineJob('quotes.expire', Type.Object({ quoteId: jobId('quote') }))

/**
 * A quote that nobody executed in time is over (QUOTE-13); one that was executed stays as it is. Answers whether it is
 * over by this. Refuses nothing.
 */
export async function expireQuote(work: Work, id: Id<'quote'>): Promise<boolean> {
  const { tx, platform } = work
  const transaction = await lockTransaction(tx, platform.id, transactionIdOf(id))
  if (transaction?.type !== 'OUTGOING') return false
  if (nextState(quote, quoteStatusOf(transaction.status), 'expire') === undefined) return false
  const expired = moveOutgoing(work, transaction, 'expire')
  saveTransactions(tx, [{ platformId: platform.id, transaction: expired }])
  const { id: transactionId, agentId } = expired
  if (agentId) await work.react('quotes.expired', { transactionId, agentId })
  return true
}

/** Ends a quote before its time, as the operator may (OPER-134). Answers whether it was still open. */
export async function endQuote(work: Work, id: Id<'quote'>): Promise<boolean> {
  const isEnded = await expireQuote(work, id)
  const key = transactionIdOf(id)
  if (isEnded) dropJobs(work.tx, expireQuoteJob, [{ platformId: work.platform.id, key }])
  return isEnded
}

/** Locks a customer's quotes before its accounts, in the order in which executing a quote locks them. Refuses nothing. */
export async function lockQuotesOfCustomer(
  { tx, platform }: Work,
  { customerId }: InternalEvents['customers.deletionAsked'],
): Promise<void> {
  await lockOpenQuotes(tx, platform.id, customerId)
}

/** Nobody executes a deleted customer's quotes any more: they are over with it. Refuses nothing. */
export async function expireQuotesOfCustomer(
  work: Work,
  { customerId }: InternalEvents['customers.deleting'],
): Promise<void> {
  const { tx, platform } = work
  const pending = await lockPendingQuotes(tx, platform.id, customerId)
  if (pending.length === 0) return
  const expired = pending.map((transaction) => moveOutgoing(work, transaction, 'expire'))
  saveTransactions(
    tx,
    expired.map((transaction) => ({ platformId: platform.id, transaction })),
  )
  dropJobs(
    tx,
    expireQuoteJob,
    expired.map(({ id }) => ({ platformId: platform.id, key: id })),
  )
}
