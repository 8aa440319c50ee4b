import type { Id } from '../../../kernel/ids.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { findQuoteChallenge, listChallengedQuotes, useUpChallenge } from '../../sca/index.ts'
import { markUnauthorized } from '../../payments/index.ts'
import { lockTransaction, type OutgoingTransaction } from '../../transactions/index.ts'
import type { OutgoingFailureReason } from '../../../kernel/failure-reasons.ts'
import { transactionIdOf } from '../record/quote.ts'

/**
 * Fails a quote whose proof did not come in time and releases its hold (SCA-51). A quote that was proven, or waits for
 * its next proof, does not change. Refuses nothing.
 */
export async function endAuthorization(
  work: Work,
  { quoteId, challengeId }: { quoteId: Id<'quote'>; challengeId?: Id<'scaChallenge'> },
): Promise<void> {
  const { tx, platform } = work
  const transaction = await lockTransaction(tx, platform.id, transactionIdOf(quoteId))
  if (transaction?.type !== 'OUTGOING' || transaction.status !== 'PENDING_AUTHORIZATION') return
  const challenge = await findQuoteChallenge(work, quoteId)
  if (challengeId !== undefined && challenge?.id !== challengeId) return
  await markQuoteFailed(work, { quoteId, transaction, failureReason: 'SCA_NOT_COMPLETED' })
}

type FailedQuote = Readonly<{
  quoteId: Id<'quote'>
  transaction: OutgoingTransaction
  failureReason: OutgoingFailureReason
}>

/** Fails a locked quote that awaits its proof and releases its hold. Refuses nothing. */
export async function markQuoteFailed(
  work: Work,
  { quoteId, transaction, failureReason }: FailedQuote,
): Promise<void> {
  await markUnauthorized(work, transaction, failureReason)
  useUpChallenge(work, { purpose: 'PAYOUT', quoteId })
}

/** Fails the quotes that wait for the proof of a deleted customer (SCA-51). Refuses nothing. */
export async function endAuthorizationsOfCustomer(
  work: Work,
  { customerId }: InternalEvents['customers.deleting'],
): Promise<void> {
  const quoteIds = await listChallengedQuotes(work, customerId)
  for (const quoteId of quoteIds) await endAuthorization(work, { quoteId })
}
