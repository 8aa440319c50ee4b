import type { Id } from '../../../kernel/ids.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { findQuoteChallenge, listChallengedQuotes, useUpChallenge } from '../../sca/index.ts'
import { markUnauthorized } from '../../payments/index.ts'
import { lockTransaction, type OutgoingTransaction } from '../../transactions/index.ts'
import type { OutgoingFailureReason } from '../../../kernel/failure-reasons.ts'
import { transactionIdOf } from '../record/quote.ts'

/**
 * A quote whose proof did not come in time has failed, and what was held is free again (SCA-51). One that was proven,
 * or waits for its next proof, stays as it is. Refuses nothing.
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
  await markAwaitingFailed(work, { quoteId, transaction, failureReason: 'SCA_NOT_COMPLETED' })
}

type FailedAwaiting = Readonly<{
  quoteId: Id<'quote'>
  transaction: OutgoingTransaction
  failureReason: OutgoingFailureReason
}>

/** Fails a locked quote that awaits its proof; what was held is free again. Refuses nothing. */
export async function markAwaitingFailed(
  work: Work,
  { quoteId, transaction, failureReason }: FailedAwaiting,
): Promise<void> {
  await markUnauthorized(work, transaction, failureReason)
  useUpChallenge(work, { purpose: 'PAYOUT', quoteId })
}

/** The reaction to a deleted customer: nobody can prove its quotes any more (SCA-51). Refuses nothing. */
export async function endAuthorizationsOfCustomer(
  work: Work,
  { customerId }: InternalEvents['customers.deleting'],
): Promise<void> {
  const quoteIds = await listChallengedQuotes(work, customerId)
  for (const quoteId of quoteIds) await endAuthorization(work, { quoteId })
}
