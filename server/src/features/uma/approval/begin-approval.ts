import { addMs } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import { emit } from '../../../webhooks/emit.ts'
import {
  incomingToWire,
  lockTransaction,
  saveTransaction,
  type IncomingTransaction,
} from '../../transactions/index.ts'
import { APPROVAL_TIME_MS, type Approval } from './approval.ts'
import { findApproval, setDecideBy } from './store.ts'
import { approvalTimeoutJob, askPlatformJob } from '../job-definitions.ts'

/** Emits the event that asks the platform, and enqueues its delivery and the timeout. Answers the deadline. */
export function askForApproval(
  work: Work,
  transaction: IncomingTransaction,
  { requestedFields }: Pick<Approval, 'requestedFields'>,
): Date {
  const { id: transactionId } = transaction
  const data = {
    ...incomingToWire(work.platform.id, transaction),
    ...(requestedFields.length > 0 && { requestedReceiverCustomerInfoFields: requestedFields }),
  }
  const eventId = emit(work, 'INCOMING_PAYMENT.PENDING', data, { sending: 'ASKED' })
  const decideBy = addMs(work.now, APPROVAL_TIME_MS)
  enqueue(work, askPlatformJob, { transactionId, eventId }, { key: transactionId })
  enqueue(work, approvalTimeoutJob, { transactionId }, { dueAt: decideBy, key: transactionId })
  return decideBy
}

/** Asks the platform after the review of a payment (9.4). Refuses nothing. */
export async function beginApproval(work: Work, transactionId: Id<'transaction'>): Promise<void> {
  const { tx, platform, now } = work
  const transaction = await lockTransaction(tx, platform.id, transactionId)
  const approval = await findApproval(tx, platform.id, transactionId)
  if (transaction?.type !== 'INCOMING' || !approval || approval.decideBy) return
  const asked = { ...transaction, pendingReason: null, updatedAt: now }
  saveTransaction(work, asked)
  const decideBy = askForApproval(work, asked, approval)
  setDecideBy(tx, platform.id, { transactionId, decideBy })
}
