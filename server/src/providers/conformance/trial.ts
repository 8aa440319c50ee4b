/** One case against one provider: what it sends, and what it waits for. */
import { isDeepStrictEqual } from 'node:util'
import { setTimeout as delay } from 'node:timers/promises'
import { SECOND_MS } from '../../kernel/clock.ts'
import { bodyValidator, type Validator } from '../../infra/http/schema/validate.ts'
import { DECISIONS } from '../http/messages/decisions.ts'
import {
  AnswerSchema,
  AskAnswerSchema,
  type AnswerBody,
  type ReportBody,
} from '../http/messages/reports.ts'
import type { Box } from './inbox.ts'
import type { Manner, ProviderClient, Reply } from './provider-client.ts'
import { newOrder, SAMPLES, type OrderBody, type TestedPort } from './sample-orders.ts'
import { CaseSkip, demand, shown } from './verdict.ts'

export type Trial = Readonly<{ port: TestedPort; client: ProviderClient; box: Box }>

/** How long a report may take. */
export const REPORT_LIMIT_MS = 20 * SECOND_MS
/** Long enough for a quick provider to do a second time what it must do once. */
const QUIET_MS = 1.5 * SECOND_MS

export const quiet = (): Promise<void> => delay(QUIET_MS)

export const orderOf = (
  { port, box }: Trial,
  changes: Readonly<Record<string, unknown>> = {},
): OrderBody => newOrder(port, `${box.url}/reports`, changes)

export const isSuccess = (reply: Reply | undefined): reply is Reply =>
  reply !== undefined && reply.status >= 200 && reply.status < 300

export const seenIn = (reply: Reply | undefined): string =>
  reply ? `${reply.status} ${shown(reply.text)}` : 'no answer'

export const sendOrder = (
  { client }: Trial,
  order: OrderBody,
  manner?: Manner,
): Promise<Reply | undefined> => client.send(order.id, JSON.stringify(order), manner)

const answerErrors = bodyValidator(AnswerSchema)
const askErrors = bodyValidator(AskAnswerSchema)
const decisionErrors = new Map<string, Validator>(
  Object.entries(DECISIONS).map(([type, schema]) => [type, bodyValidator(schema)]),
)

/** The answer in a reply, which must be one by PROV-43. */
function answerIn(order: OrderBody, reply: Reply | undefined): AnswerBody {
  demand(isSuccess(reply), 'a 2xx answer within 10 s', seenIn(reply))
  const [error] = answerErrors(structuredClone(reply.json))
  demand(!error, 'an answer with a known state and its members', seenIn(reply))
  const answer = reply.json as AnswerBody
  if (answer.state === 'REFUSED' && answer.reason === 'TEST_NOT_SUPPORTED') {
    throw new CaseSkip(`the provider does not play ${String(order['testOutcome'])}`)
  }
  if (answer.state === 'DECIDED') demandDecision(order, answer)
  return answer
}

export const answerTo = async (
  trial: Trial,
  order: OrderBody,
  manner?: Manner,
): Promise<AnswerBody> => answerIn(order, await sendOrder(trial, order, manner))

/** An answer that takes the order on. */
export async function acceptance(
  trial: Trial,
  order: OrderBody,
  manner?: Manner,
): Promise<AnswerBody> {
  const answer = await answerTo(trial, order, manner)
  demand(answer.state !== 'REFUSED', 'the order to be accepted', answer)
  return answer
}

function demandDecision({ type }: OrderBody, decided: unknown): void {
  const [error] = decisionErrors.get(type)?.(structuredClone(decided)) ?? []
  demand(!error, `a decision on ${type}: ${error?.field} ${error?.message}`, decided)
}

/** The reports of an order by sequence. A repetition must be equal (PROV-62). */
export function reportsOf({ box }: Trial, { id, type }: OrderBody): readonly ReportBody[] {
  const bySequence = new Map<number, ReportBody>()
  const all = box.pushes
    .filter(({ path }) => path === '/reports')
    .flatMap(({ body }) => body['reports'] as ReportBody[])
  for (const report of all.filter(({ orderId }) => orderId === id)) {
    const known = bySequence.get(report.sequence)
    demand(
      known === undefined || isDeepStrictEqual(known, report),
      `one report with sequence ${report.sequence}`,
      [known, report],
    )
    if (report.state === 'DECIDED') demandDecision({ id, type }, report)
    bySequence.set(report.sequence, report)
  }
  return [...bySequence.values()].toSorted((a, b) => a.sequence - b.sequence)
}

const isGapless = (reports: readonly ReportBody[]): boolean =>
  reports.every(({ sequence }, index) => sequence === index + 1)

/** Waits until the reports, gapless from 1, hold this state. */
export async function reported(
  trial: Trial,
  order: OrderBody,
  state: ReportBody['state'],
  limitMs = REPORT_LIMIT_MS,
): Promise<readonly ReportBody[]> {
  const whole = (): readonly ReportBody[] | undefined => {
    const reports = reportsOf(trial, order)
    return isGapless(reports) && reports.some((one) => one.state === state) ? reports : undefined
  }
  const found = await trial.box.waitFor(whole, limitMs)
  const seen = reportsOf(trial, order).map((one) => `${one.sequence} ${one.state}`)
  demand(found !== undefined, `reports gapless from 1 with ${state}`, seen.join(', ') || 'none')
  return found
}

/** Waits for the end of an order that went well, whether its answer or a report says so, and checks it. */
export async function wellEnded(
  trial: Trial,
  order: OrderBody,
  answer: AnswerBody,
): Promise<readonly ReportBody[]> {
  const { ends } = SAMPLES[trial.port]
  if (ends === 'ACCEPTED') return []
  const isAnswered = answer.state === ends
  const reports = isAnswered ? reportsOf(trial, order) : await reported(trial, order, ends)
  demandOneEnd(trial, order, answer, reports)
  return reports
}

function demandOneEnd(
  { port }: Trial,
  order: OrderBody,
  answer: AnswerBody,
  reports: readonly ReportBody[],
): void {
  const { ends } = SAMPLES[port]
  const endings = [answer, ...reports].filter(({ state }) => state === ends)
  demand(reports.filter(({ state }) => state === ends).length <= 1, `one ${ends}`, reports)
  for (const ending of endings) {
    if (ending.state === 'SETTLED') demand(isOf(order, ending.amount), 'the ordered amount', ending)
  }
  const references = new Set(
    [answer, ...reports].flatMap(({ reference }) => (reference === undefined ? [] : [reference])),
  )
  demand(references.size <= 1, 'one reference', [...references])
}

type Amount = Readonly<{ amount: number; currency: string }>

const isOf = (order: OrderBody, { amount, currency }: Amount): boolean => {
  const ordered = order['amount'] as Amount
  return ordered.amount === amount && ordered.currency === currency
}

/** After a pause the order has still one course: no second end, no report that contradicts. */
export async function staysEnded(
  trial: Trial,
  order: OrderBody,
  answer: AnswerBody,
): Promise<void> {
  await wellEnded(trial, order, answer)
  await quiet()
  demandOneEnd(trial, order, answer, reportsOf(trial, order))
}

export type Asked = Readonly<{ id: string; state: string; sequence: number; reports: ReportBody[] }>

/** What a known order is said to be when it is asked for (PROV-45). */
export async function askedOrder({ client }: Trial, { id }: OrderBody): Promise<Asked> {
  const reply = await client.ask(id)
  demand(reply?.status === 200, 'GET to answer 200', seenIn(reply))
  const [error] = askErrors(structuredClone(reply.json))
  demand(!error, `the order with its reports: ${error?.field} ${error?.message}`, seenIn(reply))
  const asked = reply.json as Asked
  demand(asked.id === id, `id ${id}`, asked.id)
  return asked
}

/** The order never began: the exact body of PROV-46 with 404. */
export async function demandUnknown({ client }: Trial, { id }: OrderBody): Promise<void> {
  const reply = await client.ask(id)
  const { state, id: named } = (reply?.json ?? {}) as Readonly<{ state?: unknown; id?: unknown }>
  const isUnknown = reply?.status === 404 && state === 'NOT_FOUND' && named === id
  demand(isUnknown, `GET to answer 404 {"state":"NOT_FOUND","id":"${id}"}`, seenIn(reply))
}
