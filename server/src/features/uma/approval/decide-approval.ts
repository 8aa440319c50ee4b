import { isPast } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
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

/** TXN-14: approve and reject of an incoming UMA payment, while its platform is asked. */
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

/** The payment, locked, if it still waits for its platform's word. */
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

/** What the webhook answered; undefined where it left the decision for later. Too late, it counts no more. */
export async function takeAnswer(
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

/** Nobody decided in time. Refuses nothing: one that was decided stays as it is. */
export async function timeOut(work: Work, id: Id<'transaction'>): Promise<void> {
  const waiting = await lockWaiting(work, id, 'PENDING')
  if (waiting) await endPayment(work, waiting, TIMED_OUT)
}

/** The operator's word on a payout by hand; undefined where none waits under this id. Fails: INVALID_INPUT (TXN-19). */
export async function settleUmaPayout(
  work: Work,
  id: Id<'transaction'>,
  said: Readonly<{ outcome: LegOutcome; names?: OutsideNames }>,
): Promise<IncomingTransaction | undefined> {
  const waiting = await lockWaiting(work, id, 'PROCESSING')
  if (!waiting) return undefined
  const leg = { leg: 'PAYOUT', names: {}, ...said } as const
  const recorded = await recordLeg(work, waiting.transaction, leg)
  return endPayout(work, waiting, said.outcome === 'CONFIRMED' ? recorded : undefined)
}
