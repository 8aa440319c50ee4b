import { refuse, type Refusal } from '../../../kernel/errors.ts'
import { failNotFound, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { advance } from '../../../kernel/machine.ts'
import { attempt } from '../../../infra/work/attempt.ts'
import { dropJobs } from '../../../infra/jobs/drop-jobs.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { expireQuote, quoteIdOf } from '../../quotes/index.ts'
import {
  closeUnstarted,
  lockTransaction,
  moveIncoming,
  moveOutgoing,
  saveTransactions,
  type PaymentDecider,
  type Transaction,
} from '../../transactions/index.ts'
import { lockWaitingPayment } from '../../payments/index.ts'
import { isOverdue, overdueReason, type Action } from '../actions/action.ts'
import { failureByRefusal, type ActionFailure } from '../actions/failure.ts'
import { findAction, listActionsOfTransactions, saveActions } from '../actions/store.ts'
import { expireActionJob } from '../job-definitions.ts'
import { agentAction, type ActionEvent } from '../actions/machine.ts'
import { runAction, type LockedAction, type LockedForApproval } from '../actions/run-action.ts'
import { lockAgents, saveUsages } from '../record/store.ts'

export type DecidedAction = Readonly<{ action: Action; payment: Transaction }>
/** The rows to write; the payment only if it changed. */
type ActionChange = Readonly<{ action: Action; payment: Transaction | undefined }>

export type ActionPath = Readonly<{ agentId: Id<'agent'>; actionId: Id<'agentAction'> }>

/** An action is found under its own agent only (ACT-24). Fails: REFERENCE_NOT_FOUND. */
async function mustFindAction(work: Work, { agentId, actionId }: ActionPath): Promise<Action> {
  const found = await findAction(work.tx, work.platform.id, actionId)
  return found?.agentId === agentId ? found : failNotFound('agentAction')
}

const mustHaveAgent = <H extends LockedAction>(locked: H): H =>
  locked.agent.isDeleted ? failNotFound('agent') : locked

/**
 * Locks the rows that an approval checks: the sides of the payment before its agent, as in a submission. A change that
 * would stop the payment then waits for the decision.
 */
async function lockForApproval(work: Work, action: Action): Promise<LockedForApproval> {
  const payment = await lockTransaction(work.tx, work.platform.id, action.transactionId)
  invariant(payment, 'An action has a payment.')
  const waiting = await lockWaitingPayment(work, payment)
  return { ...(await lockAction(work, action)), waiting }
}

async function lockAction(
  work: Work,
  { id, transactionId, agentId }: Action,
): Promise<LockedAction> {
  const { tx, platform } = work
  const payment = await lockTransaction(tx, platform.id, transactionId)
  const [agent] = await lockAgents(tx, [{ platformId: platform.id, id: agentId }])
  // Read again under the agent's lock, which protects the decisions on its actions.
  const action = await findAction(tx, platform.id, id)
  invariant(payment && agent && action, 'An action has a payment and an agent.')
  return { action, payment, agent }
}

/**
 * Approves an action: all checks run again, then the payment. An action that cannot run fails with the reason (ACT-21,
 * ACT-28). An overdue action ends: its refusal TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL is returned (ACT-30). Fails:
 * REFERENCE_NOT_FOUND, TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL.
 */
export async function approveAction(
  work: Work,
  path: ActionPath,
): Promise<DecidedAction | Refusal> {
  const found = await mustFindAction(work, path)
  return approveLocked(work, mustHaveAgent(await lockForApproval(work, found)))
}

async function approveLocked(
  work: Work,
  locked: LockedForApproval,
): Promise<DecidedAction | Refusal> {
  if (isOverdue(locked.action, work.now)) return expireOverdue(work, locked)
  advance(agentAction, locked.action.status, 'approve')
  const outcome = await attempt(work, (inner) => runAction(inner, locked))
  if (!outcome.ok) return markActionFailed(work, locked, failureByRefusal(outcome.error))
  if ('failureReason' in outcome.result) return markActionFailed(work, locked, outcome.result)
  const { payment, usage } = outcome.result
  saveUsages(work.tx, [{ platformId: work.platform.id, id: locked.agent.id, usage }])
  const action = decidedAction(work, locked.action, 'approve')
  save(work, [{ action, payment: undefined }])
  return { action, payment }
}

/** Rejects an action; no money moves. Returns and fails as approveAction does. */
export async function rejectAction(
  work: Work,
  path: ActionPath,
  reason: string | undefined,
): Promise<DecidedAction | Refusal> {
  const found = await mustFindAction(work, path)
  return rejectLocked(work, mustHaveAgent(await lockAction(work, found)), reason)
}

async function rejectLocked(
  work: Work,
  locked: LockedAction,
  reason: string | undefined,
): Promise<DecidedAction | Refusal> {
  if (isOverdue(locked.action, work.now)) return expireOverdue(work, locked)
  const rejected = rejectedAction(work, locked, reason)
  save(work, [rejected])
  return { action: rejected.action, payment: rejected.payment ?? locked.payment }
}

/** Rejects several actions with one statement for each table. */
export const rejectActions = (work: Work, actions: readonly LockedAction[], reason: string): void =>
  save(
    work,
    actions.map((locked) => rejectedAction(work, locked, reason)),
  )

const rejectedAction = (
  work: Work,
  { action, payment }: LockedAction,
  reason: string | undefined,
): ActionChange => ({
  action: decidedAction(work, action, 'reject', { rejectionReason: reason ?? null }),
  payment: endedPayment(work, payment, 'reject'),
})

/** Ends a transfer that was not decided in time; a decided one does not change. Refuses nothing. */
export async function expireAction(work: Work, id: Id<'agentAction'>): Promise<void> {
  const found = await findAction(work.tx, work.platform.id, id)
  if (found?.status !== 'PENDING_APPROVAL') return
  const locked = await lockAction(work, found)
  if (locked.action.status === 'PENDING_APPROVAL') expireLocked(work, locked)
}

function expireLocked(work: Work, { action, payment }: LockedAction): void {
  const expired = expiredAction(work, action)
  save(work, [{ action: expired, payment: endedPayment(work, payment, 'expire') }])
}

const expiredAction = (work: Work, action: Action): Action =>
  decidedAction(work, action, 'expire', { failureReason: overdueReason(action) })

/**
 * Reacts to an expired quote: an action that waits for approval fails with it (ACT-30). The caller has locked the
 * payment and queued its new state. Refuses nothing.
 */
export async function markExpiredActionFailed(
  work: Work,
  { transactionId, agentId }: InternalEvents['quotes.expired'],
): Promise<void> {
  const { tx, platform } = work
  await lockAgents(tx, [{ platformId: platform.id, id: agentId }])
  const [action] = await listActionsOfTransactions(tx, [{ platformId: platform.id, transactionId }])
  if (action?.status !== 'PENDING_APPROVAL') return
  save(work, [{ action: expiredAction(work, action), payment: undefined }])
}

/** Expires an overdue action. The refusal is returned, not thrown, so that the expiry is committed. */
async function expireOverdue(work: Work, locked: LockedAction): Promise<Refusal> {
  const { type, transactionId } = locked.action
  if (type === 'EXECUTE_QUOTE') await expireQuote(work, quoteIdOf(transactionId))
  else expireLocked(work, locked)
  return refuse('TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL', { status: 'EXPIRED' })
}

/** A decision on the payment decides its action, which the lock of the payment protects (ACT-22). */
export const decideAgentPayment: PaymentDecider = async (work, transaction, decision) => {
  if (!transaction.agentId) return undefined
  const key = { platformId: work.platform.id, transactionId: transaction.id }
  const [found] = await listActionsOfTransactions(work.tx, [key])
  if (found?.status !== 'PENDING_APPROVAL') return undefined
  const decided =
    decision.kind === 'approve'
      ? await approveLocked(work, await lockForApproval(work, found))
      : await rejectLocked(work, await lockAction(work, found), decision.reason)
  return 'ok' in decided ? decided : decided.payment
}

function decidedAction(
  { now }: Work,
  before: Action,
  event: ActionEvent,
  changes: Partial<Action> = {},
): Action {
  const status = advance(agentAction, before.status, event)
  return { ...before, ...changes, status, walletStamp: null, updatedAt: now }
}

/** Undefined for a payment that has started or ended. */
const endedPayment = (
  { now }: Work,
  before: Transaction,
  event: 'reject' | 'expire',
): Transaction | undefined =>
  before.status === 'PENDING' ? closeUnstarted(before, event, now) : undefined

function markActionFailed(work: Work, locked: LockedAction, failure: ActionFailure): DecidedAction {
  const { failureReason, failureDetails } = failure
  const isWaiting = locked.payment.status === 'PENDING'
  const action = decidedAction(work, locked.action, 'fail', { failureReason, failureDetails })
  const payment = isWaiting ? markPaymentFailed(work, locked.payment, failure) : undefined
  save(work, [{ action, payment }])
  return { action, payment: payment ?? locked.payment }
}

function markPaymentFailed(
  work: Work,
  payment: Transaction,
  { failureReason: reason, paymentReason }: ActionFailure,
): Transaction {
  if (payment.type === 'INCOMING') {
    const isCompliance = paymentReason === 'COMPLIANCE_REJECTED'
    const failureReason = isCompliance ? paymentReason : 'QUOTE_EXECUTION_FAILED'
    return moveIncoming(work, payment, 'fail', { failureReason })
  }
  if (reason === 'QUOTE_EXPIRED') return moveOutgoing(work, payment, 'expire')
  return moveOutgoing(work, payment, 'fail', { failureReason: paymentReason })
}

/** Queues decided actions and the payments that ended with them. */
function save({ tx, platform: { id: platformId } }: Work, decided: readonly ActionChange[]): void {
  const actions = decided.map(({ action }) => action)
  saveActions(tx, platformId, actions)
  dropJobs(
    tx,
    expireActionJob,
    actions.map(({ id: key }) => ({ platformId, key })),
  )
  const payments = decided.flatMap(({ payment }) => payment ?? [])
  if (payments.length === 0) return
  saveTransactions(
    tx,
    payments.map((transaction) => ({ platformId, transaction })),
  )
}
