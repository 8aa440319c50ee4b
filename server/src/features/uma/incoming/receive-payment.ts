import { addMs, SECOND_MS } from '../../../kernel/clock.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Money } from '../../../kernel/money/money.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Customer } from '../../customers/index.ts'
import {
  insertTransactions,
  newTransaction,
  emitIncoming,
  type IncomingTransaction,
} from '../../transactions/index.ts'
import type { IncomingFailureReason } from '../../../kernel/failure-reasons.ts'
import type { PayerLink } from '../approval/approval.ts'
import { insertApproval } from '../approval/store.ts'
import { askForApproval } from '../approval/begin-approval.ts'
import type { DepositAccount } from '../receiver/deposit-accounts.ts'
import { beginApprovalJob } from '../job-definitions.ts'
import type { RequestedField } from '../receiver/sandbox-directory.ts'

export type IncomingPayment = Readonly<{
  senderUmaAddress: string
  receiver: Pick<Customer, 'id' | 'platformCustomerId'>
  /** The account that is credited (UMA-10). */
  account: DepositAccount
  sent: Money
  received: Money
  /** Data about the receiver that the sender's side requests. */
  requestedFields: readonly RequestedField[]
  /** The review before the platform is asked. */
  reviewSeconds: number
  /** The payment fails at once, and no platform is asked. */
  failure?: IncomingFailureReason | undefined
  payer: PayerLink | null
}> &
  Partial<Pick<IncomingTransaction, 'description' | 'counterpartyInformation'>>

/**
 * Receives a payment to a customer's UMA address, in a Work of the customer's platform, and asks that platform for
 * approval, at once or after a review. No money moves before the approval. Refuses nothing.
 */
export function receivePayment(work: Work, arriving: IncomingPayment): IncomingTransaction {
  const { tx, platform, now } = work
  const { requestedFields, reviewSeconds, failure, payer } = arriving
  const transaction = transactionOf(now, arriving)
  insertTransactions(tx, [{ platformId: platform.id, transaction }])
  if (failure) {
    emitIncoming(work, transaction)
    return transaction
  }
  const { id: transactionId } = transaction
  const isAskedNow = reviewSeconds === 0
  const decideBy = isAskedNow ? askForApproval(work, transaction, { requestedFields }) : null
  insertApproval(tx, platform.id, { transactionId, requestedFields, decideBy, payer })
  if (!isAskedNow) {
    const dueAt = addMs(now, reviewSeconds * SECOND_MS)
    enqueue(work, beginApprovalJob, { transactionId }, { dueAt, key: transactionId })
  }
  return transaction
}

function transactionOf(now: Date, arriving: IncomingPayment): IncomingTransaction {
  const { senderUmaAddress, receiver, account, sent, received, reviewSeconds, failure } = arriving
  const { description = null, counterpartyInformation = null } = arriving
  return newTransaction<IncomingTransaction>({
    id: newId('transaction'),
    type: 'INCOMING',
    status: failure ? 'FAILED' : 'PENDING',
    failureReason: failure ?? null,
    pendingReason: !failure && reviewSeconds > 0 ? 'COMPLIANCE_REVIEW' : null,
    customerId: receiver.id,
    platformCustomerId: receiver.platformCustomerId,
    source: {
      sourceType: 'UMA_ADDRESS',
      umaAddress: senderUmaAddress,
      currency: sent.currency,
    },
    destination: {
      destinationType: 'ACCOUNT',
      accountId: account.accountId,
      currency: received.currency,
    },
    sent,
    received,
    description,
    counterpartyInformation,
    createdAt: now,
  })
}
