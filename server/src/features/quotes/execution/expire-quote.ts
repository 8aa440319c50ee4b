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
  saveTransaction,
  saveTransactions,
} from '../../transactions/index.ts'
import { quote } from '../record/machine.ts'
import { quoteStatusOf, transactionIdOf } from '../record/quote.ts'

export const expireQuoteJob = defineJob('quotes.expire', Type.Object({ quoteId: jobId('quote') }))

/** Expires a quote that was not executed in time (QUOTE-13). Answers whether it was still pending. Refuses nothing. */
export async function expireQuote(work: Work, id: Id<'quote'>): Promise<boolean> {
  const { tx, platform } = work
  const transaction = await lockTransaction(tx, platform.id, transactionIdOf(id))
  if (transaction?.type !== 'OUTGOING') return false
  if (nextState(quote, quoteStatusOf(transaction.status), 'expire') === undefined) return false
  const expired = moveOutgoing(work, transaction, 'expire')
  saveTransaction(work, expired)
  const { id: transactionId, agentId } = expired
  if (agentId) await work.react('quotes.expired', { transactionId, agentId })
  return true
}

/** Expires a quote early, at the operator's command (OPER-134). Answers whether it was still pending. */
export async function endQuote(work: Work, id: Id<'quote'>): Promise<boolean> {
  const isEnded = await expireQuote(work, id)
  const key = transactionIdOf(id)
  if (isEnded) dropJobs(work.tx, expireQuoteJob, [{ platformId: work.platform.id, key }])
  return isEnded
}

/** Locks a customer's quotes before its accounts, in the order of executing a quote. Refuses nothing. */
export async function lockQuotesOfCustomer(
  { tx, platform }: Work,
  { customerId }: InternalEvents['customers.deletionRequested'],
): Promise<void> {
  await lockOpenQuotes(tx, platform.id, customerId)
}

/** Expires the pending quotes of a deleted customer. Refuses nothing. */
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
