import { fail } from '../../../kernel/errors.ts'
import { failNotFound, formatId, newId, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { reply, type Reply } from '../../../infra/http/reply.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { LaneCaller } from '../../../infra/work/lane-command.ts'
import type { Outbox } from '../../../infra/work/outbox.ts'
import type { Batch } from '../../../ledger/batch.ts'
import type { LaneKind } from '../../../ledger/lane.ts'
import { emit } from '../../../webhooks/emit.ts'
import {
  executeQuote,
  failUnsigned,
  mustBeExecutable,
  quoteToWire,
  type Execution,
  type WireQuote,
} from '../../quotes/index.ts'
import { writeVolumes } from '../../rates/index.ts'
import { recordTransaction } from '../../payments/index.ts'
import {
  saveAwaitedApprovals,
  transactionToWire,
  type Transaction,
} from '../../transactions/index.ts'
import type { Mandate } from '../../payment-terms/index.ts'
import { transferIn, transferOut } from '../../transfers/index.ts'
import { expireActionJob } from '../job-definitions.ts'
import type { ActionBody } from '../schema.ts'
import { PERMISSION_OF, approvalDeadline, type Action } from './action.ts'
import { insertActions } from './store.ts'
import type { Agent } from '../record/agent.ts'
import { mustBeLive } from '../record/find-agent.ts'
import { loadSubmissions, type Loaded, type Submission } from './load-submissions.ts'
import { movementOf, mustHavePermission, mustPermit, type Permitted } from '../policy/judge.ts'
import { saveUsages } from '../record/store.ts'
import { addUsage, usageAt, type Usage } from '../policy/usage.ts'
import { actionToWire, type ActionView } from './wire.ts'

/** The payment of a submission, executed or waiting for approval. */
type SubmittedPayment = Readonly<{
  payment: Transaction
  quote?: WireQuote
  /** Set for a quote that waits for approval. */
  quoteExpiresAt?: Date
  transaction?: ActionView['transaction']
  isWorkDue?: boolean | undefined
  /** Saves the rows of an executed payment. */
  save?: (tx: Tx) => void
}>

type Row = Readonly<{
  platformId: Id<'platform'>
  action: Action
  usage: Usage | undefined
  save: SubmittedPayment['save']
}>

type Caller = LaneCaller & Readonly<{ outbox: Outbox }>

/** Usage and actions of earlier commands in the same batch. */
const newUsages = () => new Map<Id<'agent'>, Usage>()
const newSubmittedActions = () => new Map<Id<'transaction'>, Id<'agentAction'>>()

/**
 * Submits an agent's payment under its policy. The payment runs at once, or waits for the platform's approval; usage is
 * counted together with the execution, so that two payments cannot share one limit (ACT-1 to ACT-13, ACT-20).
 * Fails: UNAUTHORIZED, FORBIDDEN with the reason, CONFLICT with the action, and as the payment does.
 */
export const submitAction: LaneKind<Submission, Loaded, Row, ActionBody> = {
  // Sorts before the payments of platforms.
  name: 'agentAction',
  load: loadSubmissions,
  keys(caller, submission, { inner }) {
    switch (submission.type) {
      case 'EXECUTE_QUOTE':
        return executeQuote.keys(caller, submission.input, inner as Execution | undefined)
      case 'TRANSFER_OUT':
        return transferOut.keys(caller, submission.input, inner as OutLoaded)
      case 'TRANSFER_IN':
        return transferIn.keys(caller, submission.input, inner as InLoaded)
    }
  },
  decide(caller, submission, loaded, batch) {
    const { state } = batch
    const agent = mustBeLive(loaded.agent)
    mustHavePermission(agent, PERMISSION_OF[submission.type])
    const usage = usageAt(state(newUsages).get(agent.id) ?? agent.usage, caller.now)
    const { policy } = agent
    const judging = mandateOf(agent, { policy, usage, prices: loaded.prices, now: caller.now })
    const submitted = decidePayment({ caller, submission, loaded, batch, agent }, judging.mandate)
    const { amount, needsApproval } = judging.permitted()
    const action = newAction(caller, { agent, submission, submitted, needsApproval })
    const used = action.status === 'APPROVED' ? addUsage(usage, amount) : undefined
    if (used) state(newUsages).set(agent.id, used)
    state(newSubmittedActions).set(action.transactionId, action.id)
    const body = actionToWire(caller.platform.id, { action, ...submitted })
    if (needsApproval) requestApproval(caller, action, body)
    const { payment } = submitted
    if (needsApproval && payment.type === 'OUTGOING') {
      recordTransaction(state, { ...payment, approvalActionId: action.id })
    }
    const row = { platformId: caller.platform.id, action, usage: used, save: submitted.save }
    return { reply: replyTo(submission, body, submitted), row }
  },
  save(tx, rows) {
    for (const { save } of rows) save?.(tx)
    insertActions(tx, rows)
    const awaited = rows.flatMap(({ platformId, action }) => {
      const { id: actionId, transactionId, type, status } = action
      const isAwaited = type === 'EXECUTE_QUOTE' && status === 'PENDING_APPROVAL'
      return isAwaited ? [{ platformId, transactionId, actionId }] : []
    })
    if (awaited.length > 0) saveAwaitedApprovals(tx, awaited)
    const booked = rows.flatMap(({ platformId, action, usage }) =>
      usage ? [{ platformId, id: action.agentId, usage }] : [],
    )
    if (booked.length > 0) saveUsages(tx, booked)
  },
  // A request with a missing or wrong signature may be repeated under the same key (SIGN-12).
  keeps: ({ status }) => status !== 401,
  saveTogether: writeVolumes,
}

type OutLoaded = Awaited<ReturnType<typeof transferOut.load>>[number]
type InLoaded = Awaited<ReturnType<typeof transferIn.load>>[number]

function replyTo(
  { type }: Submission,
  body: ActionBody,
  { isWorkDue }: SubmittedPayment,
): Reply<number, ActionBody> {
  return {
    ...reply(type === 'EXECUTE_QUOTE' ? 200 : 201, body),
    ...(isWorkDue !== undefined && { isWorkDue }),
  }
}

/** The mandate of one submission; `permitted` returns the verdict once the payment has called `permits`. */
function mandateOf(
  { id: agentId, customerId }: Agent,
  policyState: Parameters<typeof mustPermit>[0],
): Readonly<{ mandate: Mandate; permitted(): Permitted }> {
  let permitted: Permitted | undefined
  return {
    mandate: {
      agentId,
      customerId,
      permits(movement) {
        permitted = mustPermit(policyState, movement)
        return !permitted.needsApproval
      },
    },
    permitted() {
      invariant(permitted, 'Every payment calls its mandate.')
      return permitted
    },
  }
}

type ActionContext = Readonly<{
  caller: Caller
  submission: Submission
  loaded: Loaded
  batch: Batch
  agent: Agent
}>

function decidePayment(context: ActionContext, mandate: Mandate): SubmittedPayment {
  const { caller, submission, loaded, batch } = context
  if (submission.type === 'EXECUTE_QUOTE') return decideQuote(context, submission.input, mandate)
  if (submission.type === 'TRANSFER_OUT') {
    const input = { ...submission.input, mandate }
    const { reply, row } = transferOut.decide(caller, input, loaded.inner as OutLoaded, batch)
    const [payment] = row.transactions
    invariant(payment, 'A transfer has a transaction.')
    const { body: transaction } = reply
    const save = (tx: Tx): void => transferOut.save(tx, [row])
    return { payment, transaction, isWorkDue: reply.isWorkDue, save }
  }
  const input = { ...submission.input, mandate }
  const { reply, row } = transferIn.decide(caller, input, loaded.inner as InLoaded, batch)
  const save = (tx: Tx): void => transferIn.save(tx, [row])
  const { body: transaction } = reply
  return { payment: row.transaction, transaction, isWorkDue: reply.isWorkDue, save }
}

/** An agent executes only its own quotes, and each once (ACT-9, ACT-10). */
function decideQuote(
  { caller, loaded, batch, agent }: ActionContext,
  input: Extract<Submission, { type: 'EXECUTE_QUOTE' }>['input'],
  mandate: Mandate,
): SubmittedPayment {
  const execution = loaded.inner as Execution | undefined
  const before = execution?.payment.transaction
  if (!execution || before?.agentId !== agent.id) return failNotFound('quote')
  const mayRun = mandate.permits(movementOf(before, execution.payment.receiving))
  const earlier = batch.state(newSubmittedActions).get(before.id) ?? loaded.earlier
  const shown = quoteToWire({ quote: execution.quote, transaction: before }, caller.now)
  const { status: quoteStatus } = shown
  if (earlier && quoteStatus !== 'EXPIRED') {
    fail('CONFLICT', { quoteStatus, actionId: formatId('agentAction', earlier) })
  }
  if (!mayRun) {
    const payment = mustBeExecutable(caller, input, { loaded: execution, batch })
    return { payment, quote: shown, quoteExpiresAt: execution.quote.expiresAt }
  }
  const { reply, row } = executeQuote.decide(caller, input, execution, batch)
  const { executed } = row
  if (!executed) return failUnsigned(reply)
  const { transaction: payment, accepted = payment } = executed
  return {
    payment,
    quote: reply.body as WireQuote,
    transaction: transactionToWire(caller.platform.id, accepted),
    isWorkDue: reply.isWorkDue,
    save: (tx) => executeQuote.save(tx, [row]),
  }
}

type ActionDraft = Readonly<{
  agent: Agent
  submission: Submission
  submitted: SubmittedPayment
  needsApproval: boolean
}>

function newAction(
  { now }: Caller,
  { agent, submission, submitted, needsApproval }: ActionDraft,
): Action {
  const { type } = submission
  // A quote without a current price fails before anything is debited (RATE-11).
  const hasFailed = submitted.payment.status === 'FAILED'
  const stamp = type === 'EXECUTE_QUOTE' ? submission.input.signing.headers.stamp : undefined
  return {
    id: newId('agentAction'),
    agentId: agent.id,
    customerId: agent.customerId,
    type,
    status: needsApproval ? 'PENDING_APPROVAL' : hasFailed ? 'FAILED' : 'APPROVED',
    transactionId: submitted.payment.id,
    walletStamp: needsApproval ? (stamp ?? null) : null,
    rejectionReason: null,
    failureReason: hasFailed ? 'EXECUTION_FAILED' : null,
    failureDetails: null,
    expiresAt: needsApproval ? approvalDeadline(now, submitted.quoteExpiresAt) : null,
    createdAt: now,
    updatedAt: now,
  }
}

/** Emits the event that asks the platform for its approval, and schedules the expiry of the action. */
function requestApproval(caller: Caller, { id, type, expiresAt }: Action, body: ActionBody): void {
  emit(caller, 'AGENT_ACTION.PENDING_APPROVAL', body)
  // A quote's action expires with its quote, which has its own job (ACT-30).
  if (type === 'EXECUTE_QUOTE' || !expiresAt) return
  enqueue(caller, expireActionJob, { actionId: id }, { dueAt: expiresAt, key: id })
}
