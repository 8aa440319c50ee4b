import { formatId } from '../../kernel/ids.ts'
import { bodyValidator } from '../../infra/http/schema/validate.ts'
import type { ProviderAnswer } from '../../providers/http/call-provider.ts'
import {
  AnswerSchema,
  AskAnswerSchema,
  CancelAnswerSchema,
  NotFoundAnswerSchema,
} from '../../providers/http/messages/reports.ts'
import { isOpen, reportStatesOf, type Order, type Report, type Statement } from '../order.ts'
import { isContradicted } from '../exceptions/store.ts'
import { addReport } from '../reports/take-report.ts'
import { applyStatement, markNeverReceived } from '../reports/apply.ts'
import { isPastSending, NEVER_HEARD_APART_MS, QUIET_MS } from '../schedule.ts'
import type { OrderKind } from '../order-kind.ts'
import { saveOrder } from '../store.ts'
import type { LockedOrder } from '../with-order.ts'

const isAnswer = bodyValidator(AnswerSchema)
const isAskAnswer = bodyValidator(AskAnswerSchema)
const isCancelAnswer = bodyValidator(CancelAnswerSchema)
const isNotFound = bodyValidator(NotFoundAnswerSchema)

const ERROR_LENGTH_MAX = 200

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** The statement in the answer to an order; undefined if the answer does not follow the protocol (PROV-43). */
function statementIn(answer: ProviderAnswer): Statement | undefined {
  if (!answer.answered || !isSuccess(answer.status)) return undefined
  return isAnswer(answer.body).length === 0 ? (answer.body as Statement) : undefined
}

/** Explains to the operator why a call counts as unanswered. */
function problemOf(answer: ProviderAnswer): string {
  if (!answer.answered) return answer.error.slice(0, ERROR_LENGTH_MAX)
  return `Status ${answer.status}, and the answer is not one of the protocol.`
}

/** Whether the answer to a call of this kind follows the protocol. */
export function isValidAnswer(
  what: 'send' | 'ask' | 'cancel',
  answer: ProviderAnswer,
  order: Pick<Order, 'id'>,
): boolean {
  if (!answer.answered) return false
  if (what === 'send') return statementIn(answer) !== undefined
  if (what === 'cancel') return isSuccess(answer.status) && isCancelAnswer(answer.body).length === 0
  const isKnown = isSuccess(answer.status) && isAskAnswer(answer.body).length === 0
  return isKnown || isNotFoundAnswer(answer, order)
}

/** A 404 that names another order is no answer to this one (PROV-46). */
function isNotFoundAnswer(answer: ProviderAnswer, { id }: Pick<Order, 'id'>): boolean {
  if (!answer.answered || answer.status !== 404 || isNotFound(answer.body).length > 0) return false
  return (answer.body as Readonly<{ id: string }>).id === formatId('order', id)
}

/** Whether the answer changes the order alone, whatever was reported in the meantime. */
export function changesOrderOnly({ onAccepted }: OrderKind, answer: ProviderAnswer): boolean {
  const state = statementIn(answer)?.state
  return state === undefined || state === 'SENT' || (state === 'ACCEPTED' && !onAccepted)
}

/** Applies the answer to an order, which a report may have moved in the meantime. */
export async function recordSent(locked: LockedOrder, answer: ProviderAnswer): Promise<void> {
  const { work, order } = locked
  const statement = statementIn(answer)
  if (!statement) {
    saveOrder(work.tx, { ...order, lastError: problemOf(answer) }, work.now)
    return
  }
  await applyAnswer({ ...locked, order: { ...order, lastError: null } }, statement)
}

/** Undefined if the answer has no effect: while a contradiction is open only progress counts (PROV-68). */
async function applyAnswer(locked: LockedOrder, statement: Statement): Promise<Order | undefined> {
  const isProgress = statement.state === 'ACCEPTED' || statement.state === 'SENT'
  if (!isProgress && (await isContradicted(locked.work.tx, locked.order))) return undefined
  return (await applyStatement(locked, statement)).order
}

type AskAnswer = Readonly<{
  id: string
  state: Statement['state']
  reference?: string
  reason?: string
  reports: readonly Report[]
}>

/** Applies the reports that the answer lists as if they had been sent, then a state that only the answer names (PROV-45). */
export async function recordAsked(locked: LockedOrder, answer: ProviderAnswer): Promise<void> {
  const { work } = locked
  if (isNotFoundAnswer(answer, locked.order))
    return locked.order.asksFirst ? requeueAfterRestore(locked) : recordNotFound(locked)
  if (!answer.answered || !isValidAnswer('ask', answer, locked.order)) {
    saveOrder(work.tx, { ...locked.order, lastError: problemOf(answer) }, work.now)
    return
  }
  const { id, reports, ...asked } = answer.body as AskAnswer
  if (id !== formatId('order', locked.order.id)) return
  let order = confirmed(locked)
  for (const report of reports.toSorted((a, b) => a.sequence - b.sequence)) {
    if (report.orderId !== id || report.sequence <= order.sequence) continue
    if (!reportStatesOf(order).includes(report.state)) continue
    const added = await addReport({ ...locked, order }, report)
    order = added.order
    if (added.result.result === 'EXCEPTION') return
  }
  const statement = order.state === 'UNKNOWN' ? statementOf(asked) : undefined
  if (statement) await applyAnswer({ ...locked, order }, statement)
}

function statementOf({
  state,
  reference,
  reason,
}: Omit<AskAnswer, 'id' | 'reports'>): Statement | undefined {
  const details = { ...(reference !== undefined && { reference }) }
  if (state === 'ACCEPTED' || state === 'SENT') return { state, ...details }
  if (state === 'CANCELLED') return { state, ...details }
  const isFailed = state === 'REFUSED' || state === 'FAILED'
  return isFailed && reason !== undefined ? { state, reason, ...details } : undefined
}

/** An order that the provider has is not sent again, even if the restored database knows of no attempt (OPER-93). */
const confirmed = ({ order, work: { now } }: LockedOrder): Order =>
  order.asksFirst ? { ...order, asksFirst: false, expiresAt: order.expiresAt ?? now } : order

/** The provider does not have the order, so it continues as it was when the backup was made (OPER-93). */
function requeueAfterRestore({ work: { tx, now }, order }: LockedOrder): void {
  const { executeAt, expiresAt } = order
  const asked = { asks: 0, askingSince: null, asksFirst: false }
  const queued = { state: 'QUEUED', attempts: 0 } as const
  const nextAt = executeAt > now ? executeAt : now
  saveOrder(tx, { ...order, ...asked, ...(expiresAt === null && queued), nextAt }, now)
}

/** Two "not found" answers, late enough and far enough apart, prove that the order never arrived (PROV-46). */
async function recordNotFound(locked: LockedOrder): Promise<void> {
  const { work, order } = locked
  const { now } = work
  const { lastAttemptAt, neverHeardAt, state } = order
  const isQuiet = lastAttemptAt !== null && now.getTime() - lastAttemptAt.getTime() >= QUIET_MS
  if (state !== 'UNKNOWN' || !isPastSending(order, now) || !isQuiet) return
  const isSecond =
    neverHeardAt !== null && now.getTime() - neverHeardAt.getTime() >= NEVER_HEARD_APART_MS
  if (isSecond && !(await isContradicted(work.tx, order))) await markNeverReceived(locked)
  else saveOrder(work.tx, { ...order, neverHeardAt: neverHeardAt ?? now }, now)
}

/** Records the answer to a cancellation and returns the order; undefined if there was no valid answer (PROV-50). */
export async function recordCancelled(
  locked: LockedOrder,
  answer: ProviderAnswer,
): Promise<Order | undefined> {
  const { work, order } = locked
  if (!answer.answered || !isValidAnswer('cancel', answer, order)) return undefined
  const { state } = answer.body as Readonly<{ state: string }>
  if (state === 'CANCELLED' && isOpen(order.state)) {
    return applyAnswer(locked, { state })
  }
  const refused = { ...order, cancelNextAt: null }
  saveOrder(work.tx, refused, work.now)
  return refused
}
