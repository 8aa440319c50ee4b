/** The course of orders: answers, repetitions, ends, questions, cancellations. */
import { isDeepStrictEqual } from 'node:util'
import { addMs, DAY_MS, MINUTE_MS, SECOND_MS, systemClock } from '../../kernel/clock.ts'
import type { Push, Reception } from './inbox.ts'
import type { OrderBody } from './sample-orders.ts'
import {
  acceptance,
  answerTo,
  askedOrder,
  demandUnknown,
  isSuccess,
  orderOf,
  quiet,
  reported,
  reportsOf,
  seenIn,
  sendOrder,
  staysEnded,
  wellEnded,
  type Trial,
} from './trial.ts'
import { demand } from './verdict.ts'

export async function settles(trial: Trial): Promise<void> {
  const order = orderOf(trial)
  await wellEnded(trial, order, await acceptance(trial, order))
}

export async function countsDuplicatesOnce(trial: Trial): Promise<void> {
  const order = orderOf(trial)
  const send = () => acceptance(trial, order)
  const atOnce = await Promise.all([send(), send(), send()])
  const answers = [...atOnce, await send(), await send()]
  const references = new Set(answers.map(({ reference }) => reference))
  demand(references.size === 1, 'one reference in five answers', [...references])
  for (const answer of answers) await staysEnded(trial, order, answer)
}

export async function survivesLostAnswer(trial: Trial): Promise<void> {
  const order = orderOf(trial)
  await trial.client.sendAndCut(order.id, JSON.stringify(order))
  await staysEnded(trial, order, await acceptance(trial, order))
}

export async function refusesChangedBody(trial: Trial): Promise<void> {
  const order = orderOf(trial)
  const answer = await acceptance(trial, order)
  const reply = await sendOrder(trial, changed(order))
  demand(!isSuccess(reply), 'no 2xx for another body under the same id', seenIn(reply))
  await staysEnded(trial, order, answer)
}

/** Another amount, or another deadline where the order has no amount. */
function changed(order: OrderBody): OrderBody {
  const { amount } = order as Readonly<{ amount?: Readonly<{ amount: number }> }>
  return amount
    ? { ...order, amount: { ...amount, amount: amount.amount + 1 } }
    : { ...order, expiresAt: addMs(systemClock.now(), 2 * DAY_MS).toISOString() }
}

const demandRefusal = async (
  trial: Trial,
  reason: string,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const answer = await answerTo(trial, orderOf(trial, changes))
  const isRefused = answer.state === 'REFUSED' && answer.reason === reason
  demand(isRefused, `REFUSED with ${reason}`, answer)
}

export const refuses = (trial: Trial): Promise<void> =>
  demandRefusal(trial, 'ACCOUNT_INVALID', { testOutcome: 'REFUSE:ACCOUNT_INVALID' })

export const refusesLateOrder = (trial: Trial): Promise<void> =>
  demandRefusal(trial, 'DEADLINE_PASSED', {
    expiresAt: addMs(systemClock.now(), -MINUTE_MS).toISOString(),
  })

export async function failsLater(trial: Trial): Promise<void> {
  const order = orderOf(trial, { testOutcome: 'FAIL:ACCOUNT_CLOSED' })
  const answer = await acceptance(trial, order)
  demand(answer.state === 'ACCEPTED', 'ACCEPTED first', answer)
  const reports = await reported(trial, order, 'FAILED')
  const failed = reports.find(({ state }) => state === 'FAILED')
  demand(
    failed?.state === 'FAILED' && failed.reason === 'ACCOUNT_CLOSED',
    'FAILED with ACCOUNT_CLOSED',
    failed,
  )
}

const playReturns = async (trial: Trial, testOutcome: string): Promise<[number, number]> => {
  const order = orderOf(trial, { testOutcome })
  await wellEnded(trial, order, await acceptance(trial, order))
  await reported(trial, order, 'RETURNED')
  await quiet()
  const states = reportsOf(trial, order).map(({ state }) => state)
  demand(
    states.indexOf('RETURNED') > states.indexOf('SETTLED'),
    'RETURNED after SETTLED',
    states.join(', '),
  )
  const returns = reportsOf(trial, order).flatMap((one) => (one.state === 'RETURNED' ? [one] : []))
  const ids = returns.map(({ returnId }) => returnId)
  demand(new Set(ids).size === ids.length, 'a returnId of its own for each return', ids)
  const returned = returns.reduce((sum, { amount }) => sum + amount.amount, 0)
  return [returned, (order['amount'] as Readonly<{ amount: number }>).amount]
}

export async function returnsAll(trial: Trial): Promise<void> {
  const [returned, ordered] = await playReturns(trial, 'RETURN')
  demand(returned === ordered, `returns of ${ordered} altogether`, String(returned))
}

export async function returnsPart(trial: Trial): Promise<void> {
  const [returned, ordered] = await playReturns(trial, 'PARTIAL_RETURN')
  demand(returned < ordered, `returns of less than ${ordered} altogether`, String(returned))
}

export async function answersQuestion(trial: Trial): Promise<void> {
  const order = orderOf(trial)
  const answer = await acceptance(trial, order)
  const reports = await wellEnded(trial, order, answer)
  const asked = await askedOrder(trial, order)
  const end = reports.at(-1)?.state ?? answer.state
  demand(asked.state === end, `state ${end}`, asked)
  demand(asked.sequence === reports.length, `sequence ${reports.length}`, asked)
  demand(isDeepStrictEqual(asked.reports, reports), 'the reports as they were sent', asked)
}

export const knowsNoOther = (trial: Trial): Promise<void> => demandUnknown(trial, orderOf(trial))

export async function cancels(trial: Trial): Promise<void> {
  const order = orderOf(trial, { testOutcome: 'HOLD' })
  await acceptance(trial, order)
  await demandCancelAnswer(trial, order, 'CANCELLED')
  await reported(trial, order, 'CANCELLED')
}

export async function cancelsNothingSettled(trial: Trial): Promise<void> {
  const order = orderOf(trial)
  const answer = await acceptance(trial, order)
  await wellEnded(trial, order, answer)
  await demandCancelAnswer(trial, order, 'SETTLED')
  await staysEnded(trial, order, answer)
  const asked = await askedOrder(trial, order)
  demand(asked.state === 'SETTLED', 'state SETTLED afterwards', asked)
}

async function demandCancelAnswer(
  { client }: Trial,
  { id }: OrderBody,
  state: string,
): Promise<void> {
  const reply = await client.cancel(id)
  const { state: seen } = (reply?.json ?? {}) as Readonly<{ state?: unknown }>
  demand(isSuccess(reply) && seen === state, `cancel to answer ${state}`, seenIn(reply))
}

export async function ignoresUnknownFields(trial: Trial): Promise<void> {
  const order = orderOf(trial, { addedLater: { anything: [1, 'two', null] } })
  await wellEnded(trial, order, await acceptance(trial, order))
}

/** How long a provider may take until it has delivered each report at the third attempt. */
const REPEATED_LIMIT_MS = 40 * SECOND_MS
const ATTEMPTS: readonly Reception[] = ['FAIL', 'DROP', 'TAKE']

export async function repeatsReports(trial: Trial): Promise<void> {
  const calls = new Map<string, number>()
  const taken = new Set<string>()
  trial.box.receiveBy(({ text }: Push) => {
    const count = calls.get(text) ?? 0
    calls.set(text, count + 1)
    const reception = ATTEMPTS[count] ?? 'TAKE'
    if (reception === 'TAKE') taken.add(text)
    return reception
  })
  const order = orderOf(trial)
  await acceptance(trial, order)
  await reported(trial, order, 'SETTLED', REPEATED_LIMIT_MS)
  const isWhole = await trial.box.waitFor(
    () => ([...calls.keys()].every((text) => taken.has(text)) ? true : undefined),
    REPEATED_LIMIT_MS,
  )
  const attempts = [...calls].map(([text, count]) => `${count}: ${text}`)
  demand(isWhole === true, 'each report again after 500 and after no answer', attempts)
}

export async function answersLateOnce(trial: Trial): Promise<void> {
  const late = orderOf(trial, { testOutcome: 'SLOW:9' })
  const tooLate = orderOf(trial, { testOutcome: 'SLOW:11' })
  await Promise.all([
    acceptance(trial, late).then((answer) => wellEnded(trial, late, answer)),
    sendOrder(trial, tooLate)
      .then(() => acceptance(trial, tooLate))
      .then((answer) => staysEnded(trial, tooLate, answer)),
  ])
}
