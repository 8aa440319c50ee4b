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
/** What is to be written: the payment only where it became another. */
type Changed = Readonly<{ action: Action; payment: Transaction | undefined }>

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
  const action = settled(work, held.action, 'approve')
  save(work, [{ action, payment: undefined }])
  return { action, payment }
}

/** The platform does not agree: nothing moves. Fails: TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL. */
export function rejectAction(work: Work, held: Held, reason: string | undefined): Decided {
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

/** Nobody decided in time. Refuses nothing: one that was decided stays as it is. */
export async function expireAction(work: Work, id: Id<'agentAction'>): Promise<void> {
  const found = await findAction(work.tx, work.platform.id, id)
  if (found?.status !== 'PENDING_APPROVAL') return
  const held = await holdAction(work, found)
  if (held.action.status !== 'PENDING_APPROVAL') return
  const action = settled(work, held.action, 'expire', { failureReason: 'APPROVAL_TIMED_OUT' })
  save(work, [{ action, payment: endedPayment(work, held.payment, 'expire') }])
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

function settled(
  { now }: Work,
  before: Action,
  event: ActionEvent,
  changes: Partial<Action> = {},
): Action {
  const status = advance(agentAction, before.status, event)
  return { ...before, ...changes, status, walletStamp: null, updatedAt: now }
}

/** Undefined of a payment that is under way, or over: the platform may have executed the quote itself (ACT-9). */
const endedPayment = (
  { now }: Work,
  before: Transaction,
  event: 'reject' | 'expire',
): Transaction | undefined =>
  before.status === 'PENDING' ? endUnbegun(before, event, now) : undefined

function failAction(work: Work, held: Held, failureReason: FailureReason): Decided {
  const isWaiting = held.payment.status === 'PENDING'
  const action = settled(work, held.action, 'fail', { failureReason })
  const payment = isWaiting ? failPayment(work, held.payment, failureReason) : undefined
  save(work, [{ action, payment }])
  return { action, payment: payment ?? held.payment }
}

function failPayment(work: Work, payment: Transaction, reason: FailureReason): Transaction {
  const failureReason = 'QUOTE_EXECUTION_FAILED'
  if (payment.type === 'INCOMING') return moveIncoming(work, payment, 'fail', { failureReason })
  if (reason === 'QUOTE_EXPIRED') return moveOutgoing(work, payment, 'expire')
  return moveOutgoing(work, payment, 'fail', { failureReason })
}

/** Queues what was decided, and the payments that ended with it. */
function save({ tx, platform: { id: platformId } }: Work, decided: readonly Changed[]): void {
  const actions = decided.map(({ action }) => action)
  saveActions(tx, platformId, actions)
  dropJobs(
    tx,
    EXPIRE_JOB,
    actions.map(({ id: key }) => ({ platformId, key })),
  )
  const payments = decided.flatMap(({ payment }) => payment ?? [])
  if (payments.length === 0) return
  saveTransactions(
    tx,
    payments.map((transaction) => ({ platformId, transaction })),
  )
}
