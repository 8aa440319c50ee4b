import { addMs, SECOND_MS } from '../../../kernel/clock.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Money } from '../../../kernel/money.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work.ts'
import type { Customer } from '../../customers/index.ts'
import {
  insertTransactions,
  newTransaction,
  emitIncoming,
  type IncomingFailureReason,
  type IncomingTransaction,
} from '../../transactions/index.ts'
import type { PayerLink } from '../approval/approval.ts'
import { insertApproval } from '../approval/store.ts'
import { askForApproval } from '../approval/begin-approval.ts'
import type { DepositAccount } from '../receiver/deposit-accounts.ts'
import { beginApprovalJob } from '../job-definitions.ts'
import type { AskedField } from '../receiver/sandbox-directory.ts'

export type ArrivingPayment = Readonly<{
  senderUmaAddress: string
  receiver: Pick<Customer, 'id' | 'platformCustomerId'>
  /** Where it is credited (UMA-10). */
  account: DepositAccount
  sent: Money
  received: Money
  /** What the sender's side asks to know of the receiver. */
  requestedFields: readonly AskedField[]
  /** Under review for so long before the platform is asked. */
  reviewSeconds: number
  /** Stopped before anybody is asked. */
  failure?: IncomingFailureReason | undefined
  payer: PayerLink | null
}> &
  Partial<Pick<IncomingTransaction, 'description' | 'counterpartyInformation'>>

/**
 * A payment to a customer's UMA address arrives, in a Work of the customer's platform, which is asked about it: at once
 * or after a review. No money moves before it approves. Refuses nothing.
 */
export function receivePayment(work: Work, arriving: ArrivingPayment): IncomingTransaction {
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

function transactionOf(now: Date, arriving: ArrivingPayment): IncomingTransaction {
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
