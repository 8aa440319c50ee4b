import { ApiError } from '../../kernel/errors.ts'
import { failNotFound, type Id } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import { advance } from '../../kernel/machine.ts'
import { dropJobs } from '../../infra/jobs/drop-jobs.ts'
import { mergeOutbox, newOutbox } from '../../infra/outbox.ts'
import type { Sql } from '../../infra/db/sql.ts'
import type { Work } from '../../infra/work.ts'
import {
  endUnbegun,
  lockTransaction,
  moveIncoming,
  moveOutgoing,
  saveTransactions,
  type PaymentDecider,
  type Transaction,
} from '../transactions/index.ts'
import type { Action, FailureReason } from './action.ts'
import { findAction, listActionsOfTransactions, saveActions } from './action-store.ts'
import { failureReasonOf } from './failure-reason.ts'
import { EXPIRE_JOB } from './job-names.ts'
import { agentAction, type ActionEvent } from './machine.ts'
import { runAction, type Held } from './run-action.ts'
import { lockAgents, saveUsages } from './store.ts'

export type Decided = Readonly<{ action: Action; payment: Transaction }>

/** ACT-24: under another agent's id there is none. Fails: REFERENCE_NOT_FOUND. */
export async function mustHoldAction(
  work: Work,
  { agentId, actionId }: { agentId: Id<'agent'>; actionId: Id<'agentAction'> },
): Promise<Held> {
  const found = await findAction(work.tx, work.platform.id, actionId)
  if (found?.agentId !== agentId) return failNotFound('agentAction')
  const held = await holdAction(work, found)
  return held.agent.isDeleted ? failNotFound('agent') : held
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
 * and says why (ACT-21, ACT-28). Fails: TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL.
 */
export async function approveAction(work: Work, held: Held): Promise<Decided> {
  advance(agentAction, held.action.status, 'approve')
  const outcome = await attempt(work, (inner) => runAction(inner, held))
  if (outcome instanceof ApiError) return failAction(work, held, failureReasonOf(outcome))
  const { payment, usage } = outcome
  saveUsages(work.tx, [{ platformId: work.platform.id, id: held.agent.id, usage }])
  return { action: settle(work, held.action, 'approve'), payment }
}

/** The platform does not agree: nothing moves. Fails: TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL. */
export function rejectAction(work: Work, held: Held, reason: string | undefined): Decided {
  const action = settle(work, held.action, 'reject', { rejectionReason: reason ?? null })
  return { action, payment: endPayment(work, held.payment, 'reject') }
}

/** Nobody decided in time. Refuses nothing: one that was decided stays as it is. */
export async function expireAction(work: Work, id: Id<'agentAction'>): Promise<void> {
  const found = await findAction(work.tx, work.platform.id, id)
  if (found?.status !== 'PENDING_APPROVAL') return
  const held = await holdAction(work, found)
  if (held.action.status !== 'PENDING_APPROVAL') return
  settle(work, held.action, 'expire', { failureReason: 'APPROVAL_TIMED_OUT' })
  endPayment(work, held.payment, 'expire')
}

/** ACT-22: the same word, said of the payment. */
export const decideAgentPayment: PaymentDecider = async (work, transaction, decision) => {
  if (!transaction.agentId) return undefined
  const key = { platformId: work.platform.id, transactionId: transaction.id }
  const [found] = await listActionsOfTransactions(work.tx, [key])
  if (!found) return undefined
  const held = await holdAction(work, found)
  if (held.action.status !== 'PENDING_APPROVAL') return undefined
  const decided =
    decision.kind === 'approve'
      ? await approveAction(work, held)
      : rejectAction(work, held, decision.reason)
  return decided.payment
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

function settle(
  { tx, platform, now }: Work,
  before: Action,
  event: ActionEvent,
  changes: Partial<Action> = {},
): Action {
  const status = advance(agentAction, before.status, event)
  const action = { ...before, ...changes, status, walletStamp: null, updatedAt: now }
  saveActions(tx, platform.id, [action])
  dropJobs(tx, EXPIRE_JOB, [{ platformId: platform.id, key: action.id }])
  return action
}

/** A payment that is under way, or over, stays as it is: the platform may have executed the quote itself (ACT-9). */
function endPayment(work: Work, before: Transaction, event: 'reject' | 'expire'): Transaction {
  if (before.status !== 'PENDING') return before
  return save(work, endUnbegun(before, event, work.now))
}

function failAction(work: Work, { action, payment }: Held, failureReason: FailureReason): Decided {
  const failed = settle(work, action, 'fail', { failureReason })
  if (payment.status !== 'PENDING') return { action: failed, payment }
  return { action: failed, payment: save(work, failPayment(work, payment, failureReason)) }
}

function failPayment(work: Work, payment: Transaction, reason: FailureReason): Transaction {
  const failureReason = 'QUOTE_EXECUTION_FAILED'
  if (payment.type === 'INCOMING') return moveIncoming(work, payment, 'fail', { failureReason })
  if (reason === 'QUOTE_EXPIRED') return moveOutgoing(work, payment, 'expire')
  return moveOutgoing(work, payment, 'fail', { failureReason })
}

function save({ tx, platform }: Work, transaction: Transaction): Transaction {
  saveTransactions(tx, [{ platformId: platform.id, transaction }])
  return transaction
}
