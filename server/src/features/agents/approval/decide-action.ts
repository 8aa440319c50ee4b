import { ApiError, refuse, type Refusal } from '../../../kernel/errors.ts'
import { failNotFound, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { advance } from '../../../kernel/machine.ts'
import { dropJobs } from '../../../infra/jobs/drop-jobs.ts'
import { mergeOutbox, newOutbox } from '../../../infra/outbox.ts'
import type { Sql } from '../../../infra/db/sql.ts'
import type { InternalEvents } from '../../../infra/internal-events.ts'
import type { Work } from '../../../infra/work.ts'
import { expireQuote } from '../../quotes/index.ts'
import {
  closeUnstarted,
  lockTransaction,
  lockWaiting,
  moveIncoming,
  moveOutgoing,
  saveTransactions,
  type PaymentDecider,
  type Transaction,
} from '../../transactions/index.ts'
import { isOverdue, overdueReason, type Action } from '../actions/action.ts'
import { failureByRefusal, type ActionFailure } from '../actions/failure.ts'
import { findAction, listActionsOfTransactions, saveActions } from '../actions/store.ts'
import { expireActionJob } from '../job-definitions.ts'
import { agentAction, type ActionEvent } from '../actions/machine.ts'
import { runAction, type Held, type HeldForApproval } from '../actions/run-action.ts'
import { lockAgents, saveUsages } from '../record/store.ts'

export type Decided = Readonly<{ action: Action; payment: Transaction }>
/** What is to be written: the payment only where it became another. */
type Changed = Readonly<{ action: Action; payment: Transaction | undefined }>

export type ActionPath = Readonly<{ agentId: Id<'agent'>; actionId: Id<'agentAction'> }>

/** ACT-24: under another agent's id there is none. Fails: REFERENCE_NOT_FOUND. */
async function mustFindAction(work: Work, { agentId, actionId }: ActionPath): Promise<Action> {
  const found = await findAction(work.tx, work.platform.id, actionId)
  return found?.agentId === agentId ? found : failNotFound('agentAction')
}

const mustBeThere = <H extends Held>(held: H): H =>
  held.agent.isDeleted ? failNotFound('agent') : held

/**
 * Holds what an approval looks at. The ends of the payment come before its agent, as by a submission; what may stop the
 * payment then waits until it is decided.
 */
async function holdForApproval(work: Work, action: Action): Promise<HeldForApproval> {
  const payment = await lockTransaction(work.tx, work.platform.id, action.transactionId)
  invariant(payment, 'An action has a payment.')
  const waiting = await lockWaiting(work, payment)
  return { ...(await holdAction(work, action)), waiting }
}

async function holdAction(work: Work, { id, transactionId, agentId }: Action): Promise<Held> {
  const { tx, platform } = work
  const payment = await lockTransaction(tx, platform.id, transactionId)
  const [agent] = await lockAgents(tx, [{ platformId: platform.id, id: agentId }])
  // Read again: the agent's lock is what its actions are decided under.
  const action = await findAction(tx, platform.id, id)
  invariant(payment && agent && action, 'An action has a payment and an agent.')
  return { action, payment, agent }
}

/**
 * The platform agrees: everything is asked again but for that, and the payment runs. Where it cannot, the action fails
 * and says why (ACT-21, ACT-28). One whose time is over ends: returned with TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL
 * (ACT-30). Fails: REFERENCE_NOT_FOUND, TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL.
 */
export async function approveAction(work: Work, path: ActionPath): Promise<Decided | Refusal> {
  const found = await mustFindAction(work, path)
  return approveHeld(work, mustBeThere(await holdForApproval(work, found)))
}

async function approveHeld(work: Work, held: HeldForApproval): Promise<Decided | Refusal> {
  if (isOverdue(held.action, work.now)) return endOverdue(work, held)
  advance(agentAction, held.action.status, 'approve')
  const outcome = await attempt(work, (inner) => runAction(inner, held))
  if (outcome instanceof ApiError) return markActionFailed(work, held, failureByRefusal(outcome))
  if ('failureReason' in outcome) return markActionFailed(work, held, outcome)
  const { payment, usage } = outcome
  saveUsages(work.tx, [{ platformId: work.platform.id, id: held.agent.id, usage }])
  const action = settled(work, held.action, 'approve')
  save(work, [{ action, payment: undefined }])
  return { action, payment }
}

/** The platform does not agree: nothing moves. Returns and fails as approveAction does. */
export async function rejectAction(
  work: Work,
  path: ActionPath,
  reason: string | undefined,
): Promise<Decided | Refusal> {
  const found = await mustFindAction(work, path)
  return rejectHeld(work, mustBeThere(await holdAction(work, found)), reason)
}

async function rejectHeld(
  work: Work,
  held: Held,
  reason: string | undefined,
): Promise<Decided | Refusal> {
  if (isOverdue(held.action, work.now)) return endOverdue(work, held)
  const rejected = rejectedOf(work, held, reason)
  save(work, [rejected])
  return { action: rejected.action, payment: rejected.payment ?? held.payment }
}

/** As one of them is, all at once. */
export const rejectActions = (work: Work, helds: readonly Held[], reason: string): void =>
  save(
    work,
    helds.map((held) => rejectedOf(work, held, reason)),
  )

const rejectedOf = (
  work: Work,
  { action, payment }: Held,
  reason: string | undefined,
): Changed => ({
  action: settled(work, action, 'reject', { rejectionReason: reason ?? null }),
  payment: endedPayment(work, payment, 'reject'),
})

/** The job of a transfer that was not decided in time. Refuses nothing: one that was decided stays as it is. */
export async function expireAction(work: Work, id: Id<'agentAction'>): Promise<void> {
  const found = await findAction(work.tx, work.platform.id, id)
  if (found?.status !== 'PENDING_APPROVAL') return
  const held = await holdAction(work, found)
  if (held.action.status === 'PENDING_APPROVAL') expireHeld(work, held)
}

function expireHeld(work: Work, { action, payment }: Held): void {
  const failureReason = overdueReason(action)
  const expired = settled(work, action, 'expire', { failureReason })
  save(work, [{ action: expired, payment: endedPayment(work, payment, 'expire') }])
}

/**
 * The reaction to an expired quote: an action that waits on it fails with it (ACT-30). The payment is locked and its new
 * state queued. Refuses nothing.
 */
export async function markExpiredActionFailed(
  work: Work,
  { transactionId, agentId }: InternalEvents['quotes.expired'],
): Promise<void> {
  const { tx, platform } = work
  await lockAgents(tx, [{ platformId: platform.id, id: agentId }])
  const [action] = await listActionsOfTransactions(tx, [{ platformId: platform.id, transactionId }])
  if (action?.status !== 'PENDING_APPROVAL') return
  const failureReason = overdueReason(action)
  save(work, [{ action: settled(work, action, 'expire', { failureReason }), payment: undefined }])
}

/** Ends what is overdue; that outlives the refusal, so it is returned. */
async function endOverdue(work: Work, held: Held): Promise<Refusal> {
  const { type, transactionId } = held.action
  if (type === 'EXECUTE_QUOTE') await expireQuote(work, transactionId as string as Id<'quote'>)
  else expireHeld(work, held)
  return refuse('TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL', { status: 'EXPIRED' })
}

/** ACT-22: the same word, said of the payment, whose lock keeps the action as it is found. */
export const decideAgentPayment: PaymentDecider = async (work, transaction, decision) => {
  if (!transaction.agentId) return undefined
  const key = { platformId: work.platform.id, transactionId: transaction.id }
  const [found] = await listActionsOfTransactions(work.tx, [key])
  if (found?.status !== 'PENDING_APPROVAL') return undefined
  const decided =
    decision.kind === 'approve'
      ? await approveHeld(work, await holdForApproval(work, found))
      : await rejectHeld(work, await holdAction(work, found), decision.reason)
  return 'ok' in decided ? decided : decided.payment
}

/** Runs what may be refused; a refusal leaves no trace of it and is handed back. */
async function attempt<T>(work: Work, body: (work: Work) => Promise<T>): Promise<T | ApiError> {
  const queued: Sql[] = []
  const outbox = newOutbox()
  const tx = { ...work.tx, trail: (query: Sql) => void queued.push(query) }
  try {
    const result = await body({ ...work, tx, outbox })
    queued.forEach((query) => work.tx.trail(query))
    mergeOutbox({ from: outbox, into: work.outbox })
    return result
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return error
    throw error
  }
}

function settled(
  { now }: Work,
  before: Action,
  event: ActionEvent,
  changes: Partial<Action> = {},
): Action {
  const status = advance(agentAction, before.status, event)
  return { ...before, ...changes, status, walletStamp: null, updatedAt: now }
}

/** Undefined of a payment that is under way, or over. */
const endedPayment = (
  { now }: Work,
  before: Transaction,
  event: 'reject' | 'expire',
): Transaction | undefined =>
  before.status === 'PENDING' ? closeUnstarted(before, event, now) : undefined

function markActionFailed(work: Work, held: Held, failure: ActionFailure): Decided {
  const { failureReason, failureDetails } = failure
  const isWaiting = held.payment.status === 'PENDING'
  const action = settled(work, held.action, 'fail', { failureReason, failureDetails })
  const payment = isWaiting ? markPaymentFailed(work, held.payment, failure) : undefined
  save(work, [{ action, payment }])
  return { action, payment: payment ?? held.payment }
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

/** Queues what was decided, and the payments that ended with it. */
function save({ tx, platform: { id: platformId } }: Work, decided: readonly Changed[]): void {
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
