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
import { applyStatement, endUnsent } from '../reports/apply.ts'
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

/** What the provider says in the answer to an order; undefined where that is no answer (PROV-43). */
function statementIn(answer: ProviderAnswer): Statement | undefined {
  if (!answer.answered || !isSuccess(answer.status)) return undefined
  return isAnswer(answer.body).length === 0 ? (answer.body as Statement) : undefined
}

/** Why a call has no answer, for the operator. */
function problemOf(answer: ProviderAnswer): string {
  if (!answer.answered) return answer.error.slice(0, ERROR_LENGTH_MAX)
  return `Status ${answer.status}, and the answer is not one of the protocol.`
}

/** Whether the provider answered a call of this kind in a form of the protocol. */
export function isHeard(
  what: 'send' | 'ask' | 'cancel',
  answer: ProviderAnswer,
  order: Pick<Order, 'id'>,
): boolean {
  if (!answer.answered) return false
  if (what === 'send') return statementIn(answer) !== undefined
  if (what === 'cancel') return isSuccess(answer.status) && isCancelAnswer(answer.body).length === 0
  const isKnown = isSuccess(answer.status) && isAskAnswer(answer.body).length === 0
  return isKnown || isNeverHeard(answer, order)
}

/** What is said of another order is no answer to this one (PROV-46). */
function isNeverHeard(answer: ProviderAnswer, { id }: Pick<Order, 'id'>): boolean {
  if (!answer.answered || answer.status !== 404 || isNotFound(answer.body).length > 0) return false
  return (answer.body as Readonly<{ id: string }>).id === formatId('order', id)
}

/** Whether the answer to an order changes the order alone, whatever was reported meanwhile. */
export function hasNoEffect({ accepted }: OrderKind, answer: ProviderAnswer): boolean {
  const state = statementIn(answer)?.state
  return state === undefined || state === 'SENT' || (state === 'ACCEPTED' && !accepted)
}

/** The answer to an order, which may have moved on by a report meanwhile. */
export async function recordSent(locked: LockedOrder, answer: ProviderAnswer): Promise<void> {
  const { work, order } = locked
  const statement = statementIn(answer)
  if (!statement) {
    saveOrder(work.tx, { ...order, lastError: problemOf(answer) }, work.now)
    return
  }
  await applyAnswer({ ...locked, order: { ...order, lastError: null } }, statement)
}

/** Undefined where it has no effect: while a contradiction is open only that the provider is at it counts (PROV-68). */
async function applyAnswer(locked: LockedOrder, statement: Statement): Promise<Order | undefined> {
  const isCourse = statement.state === 'ACCEPTED' || statement.state === 'SENT'
  if (!isCourse && (await isContradicted(locked.work.tx, locked.order))) return undefined
  return (await applyStatement(locked, statement)).order
}

type AskAnswer = Readonly<{
  id: string
  state: Statement['state']
  reference?: string
  reason?: string
  reports: readonly Report[]
}>

/** Reports that are listed count as if they had been sent; a state that only the answer names counts as well (PROV-45). */
export async function recordAsked(locked: LockedOrder, answer: ProviderAnswer): Promise<void> {
  const { work } = locked
  if (isNeverHeard(answer, locked.order))
    return locked.order.asksFirst ? sendAfterAll(locked) : recordNeverHeard(locked)
  if (!answer.answered || !isHeard('ask', answer, locked.order)) {
    saveOrder(work.tx, { ...locked.order, lastError: problemOf(answer) }, work.now)
    return
  }
  const { id, reports, ...asked } = answer.body as AskAnswer
  if (id !== formatId('order', locked.order.id)) return
  let order = known(locked)
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
  const said = { ...(reference !== undefined && { reference }) }
  if (state === 'ACCEPTED' || state === 'SENT') return { state, ...said }
  if (state === 'CANCELLED') return { state, ...said }
  const isEnded = state === 'REFUSED' || state === 'FAILED'
  return isEnded && reason !== undefined ? { state, reason, ...said } : undefined
}

/** What a provider has is not sent again, whether or not we know when it was sent. */
const known = ({ order, work: { now } }: LockedOrder): Order =>
  order.asksFirst ? { ...order, asksFirst: false, expiresAt: order.expiresAt ?? now } : order

/** The provider has not got it, so that it goes on as it was when the backup was made (OPER-93). */
function sendAfterAll({ work: { tx, now }, order }: LockedOrder): void {
  const { executeAt, expiresAt } = order
  const asked = { asks: 0, askingSince: null, asksFirst: false }
  const queued = { state: 'QUEUED', attempts: 0 } as const
  const nextAt = executeAt > now ? executeAt : now
  saveOrder(tx, { ...order, ...asked, ...(expiresAt === null && queued), nextAt }, now)
}

/** Two such answers, late enough and far enough apart, mean that the order never arrived (PROV-46). */
async function recordNeverHeard(locked: LockedOrder): Promise<void> {
  const { work, order } = locked
  const { now } = work
  const { lastAttemptAt, neverHeardAt, state } = order
  const isQuiet = lastAttemptAt !== null && now.getTime() - lastAttemptAt.getTime() >= QUIET_MS
  if (state !== 'UNKNOWN' || !isPastSending(order, now) || !isQuiet) return
  const isSecond =
    neverHeardAt !== null && now.getTime() - neverHeardAt.getTime() >= NEVER_HEARD_APART_MS
  if (isSecond && !(await isContradicted(work.tx, order))) await endUnsent(locked, 'NEVER_RECEIVED')
  else saveOrder(work.tx, { ...order, neverHeardAt: neverHeardAt ?? now }, now)
}

/** Whether the order is cancelled now; undefined where nothing is known (PROV-50). */
export async function recordCancelled(
  locked: LockedOrder,
  answer: ProviderAnswer,
): Promise<Order | undefined> {
  const { work, order } = locked
  if (!answer.answered || !isHeard('cancel', answer, order)) return undefined
  const { state } = answer.body as Readonly<{ state: string }>
  if (state === 'CANCELLED' && isOpen(order.state)) {
    return applyAnswer(locked, { state })
  }
  const refused = { ...order, cancelNextAt: null }
  saveOrder(work.tx, refused, work.now)
  return refused
}
