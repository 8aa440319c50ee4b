import { isPast } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  lockTransaction,
  recordLeg,
  type IncomingTransaction,
  type LegOutcome,
  type OutsideNames,
  type PaymentDecider,
} from '../../transactions/index.ts'
import type { WaitingPayment } from './approval.ts'
import { findApproval } from './store.ts'
import { endPayment, endPayout } from '../incoming/end-payment.ts'
import type { Ending } from './judge-answer.ts'

const TIMED_OUT: Ending = { kind: 'fail', reason: 'PAYMENT_APPROVAL_TIMED_OUT' }

/** Approves or rejects an incoming UMA payment that waits for its platform (TXN-14). */
export const decideUmaPayment: PaymentDecider = async (work, transaction, decision) => {
  const { tx, platform, now } = work
  if (transaction.type !== 'INCOMING' || transaction.status !== 'PENDING') return undefined
  const approval = await findApproval(tx, platform.id, transaction.id)
  if (!approval?.decideBy || isPast({ deadline: approval.decideBy, now })) return undefined
  const ending: Ending =
    decision.kind === 'approve'
      ? { kind: 'approve', info: decision.receiverCustomerInfo }
      : { kind: 'reject' }
  return endPayment(work, { transaction, approval }, ending)
}

/** Locks the payment where it still waits for its platform. */
async function lockWaiting(
  { tx, platform }: Work,
  id: Id<'transaction'>,
  status: IncomingTransaction['status'],
): Promise<WaitingPayment | undefined> {
  const transaction = await lockTransaction(tx, platform.id, id)
  if (transaction?.type !== 'INCOMING' || transaction.status !== status) return undefined
  const approval = await findApproval(tx, platform.id, id)
  return approval && { transaction, approval }
}

/** Applies the answer of the webhook; undefined leaves the decision for later. A late answer counts as a timeout. */
export async function applyAnswer(
  work: Work,
  id: Id<'transaction'>,
  answered: Ending | undefined,
): Promise<void> {
  const waiting = await lockWaiting(work, id, 'PENDING')
  const deadline = waiting?.approval.decideBy
  if (!waiting || !deadline) return
  const ending = isPast({ deadline, now: work.now }) ? TIMED_OUT : answered
  if (ending) await endPayment(work, waiting, ending)
}

/** Fails a payment that was not decided in time; a decided one does not change. Refuses nothing. */
export async function timeOutApproval(work: Work, id: Id<'transaction'>): Promise<void> {
  const waiting = await lockWaiting(work, id, 'PENDING')
  if (waiting) await endPayment(work, waiting, TIMED_OUT)
}

/** Records the operator's outcome of a manual payout; undefined where none waits under this id. Fails: INVALID_INPUT (TXN-19). */
export async function settleUmaPayout(
  work: Work,
  id: Id<'transaction'>,
  settlement: Readonly<{ outcome: LegOutcome; names?: OutsideNames }>,
): Promise<IncomingTransaction | undefined> {
  const waiting = await lockWaiting(work, id, 'PROCESSING')
  if (!waiting) return undefined
  const leg = { leg: 'PAYOUT', names: {}, ...settlement } as const
  const recorded = await recordLeg(work, waiting.transaction, leg)
  return endPayout(work, waiting, settlement.outcome === 'CONFIRMED' ? recorded : undefined)
}
