/**
 * A provider of rails as a program of its own. It pays once per order, whatever is repeated and whenever it is killed, and
 * reports until it is answered. Settings: BANK_BOOK, BANK_SECRET, BANK_SEED, PACE.
 */
import { createHash } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { newUuid } from '../../../src/kernel/ids.ts'
import { signMessage, verifyMessage } from '../../../src/providers/http/sign-message.ts'
import { randomFrom } from '../random/random-from.ts'
import {
  cutToLines,
  keyOf,
  openBook,
  type BookedOrder,
  type Money,
  type Report,
} from './bank-book.ts'
import { paceFromEnv, pacedClock } from './paced-clock.ts'

type Json = Readonly<Record<string, unknown>>
type Asked = Json &
  Readonly<{
    id: string
    type: string
    transactionId: string
    amount: Money
    expiresAt: string
    reportUrl: string
  }>

const { BANK_BOOK = '', BANK_SECRET = '', BANK_SEED = '' } = process.env
const pace = paceFromEnv(process.env)
const clock = pacedClock(pace)
cutToLines(BANK_BOOK)
const book = openBook(BANK_BOOK)
/** The longest a step takes by its clock. */
const STEP_MS_MAX = 4_000
const REPEAT_MS = 2_000
const BATCH_MAX = 100
const PUSHES_MAX = 4

/** Without a seed all is paid, and at once. */
const isLively = BANK_SEED !== ''
const random = randomFrom(Number(BANK_SEED))

const wait = (ms: number): Promise<void> => delay(ms / pace.factor)

/** What becomes of a payment hangs on seed and amount alone, so that a run can be repeated. */
function courseOf({
  id,
  amount: { amount, currency },
}: Asked): Readonly<{ answer: Json; course: readonly Json[] }> {
  const money = { amount, currency }
  const answer = { state: 'ACCEPTED', reference: `B-${id.slice(-12)}` }
  const sent = { state: 'SENT' }
  const settled = {
    state: 'SETTLED',
    amount: money,
    proofs: { bankReference: `bank-${id.slice(-12)}` },
  }
  if (!isLively) return { answer, course: [settled] }
  const choose = randomFrom(Number(BANK_SEED) + amount * 7_919)
  const back = (returnId: string, part: number) => ({
    state: 'RETURNED',
    amount: { amount: part, currency },
    returnId,
  })
  const part = Math.max(1, Math.floor(amount / 3))
  const courses = [
    { answer, course: [sent, settled] },
    { answer, course: [sent, settled] },
    { answer, course: [settled] },
    { answer: { ...answer, state: 'SETTLED', amount: money }, course: [] },
    { answer: { state: 'REFUSED', reason: 'ACCOUNT_CLOSED' }, course: [] },
    { answer, course: [sent, { state: 'FAILED', reason: 'ACCOUNT_INVALID' }] },
    { answer, course: [{ state: 'FAILED', reason: 'OTHER' }] },
    { answer, course: [sent, settled, back('r1', amount)] },
    { answer, course: [sent, settled, back('r1', part)] },
    { answer, course: [settled, back('r1', part), back('r2', amount - part)] },
  ]
  return courses[choose(courses.length)] ?? { answer, course: [settled] }
}

const unsent: Report[] = []
let pushing = 0

/** Reports travel in messages of several, out of order, until the service says what became of each. */
function push(): void {
  while (pushing < PUSHES_MAX && unsent.length > 0) {
    if (isLively) unsent.sort(() => random(2) - 0.5)
    const batch = unsent.splice(0, isLively ? 3 : BATCH_MAX)
    const [first] = batch
    const order = first && book.orders.get(first.orderId)
    if (!order) continue
    pushing += 1
    void deliver(order.reportUrl, batch).finally(() => {
      pushing -= 1
      push()
    })
  }
}

async function deliver(url: string, reports: readonly Report[]): Promise<void> {
  const id = newUuid()
  const body = JSON.stringify({ reports })
  for (;;) {
    const results = await send(url, { id, body })
    if (results) {
      for (const [index, result] of results.entries()) {
        if (result['result'] === 'REJECTED' || result['result'] === 'EXCEPTION') {
          book.add({ wrong: `${JSON.stringify(result)} to ${JSON.stringify(reports[index])}` })
        }
      }
      book.add({ heard: reports.map(keyOf) })
      return
    }
    await wait(REPEAT_MS)
  }
}

async function send(
  url: string,
  { id, body }: Readonly<{ id: string; body: string }>,
): Promise<readonly Json[] | undefined> {
  try {
    const headers = signMessage({ id, at: clock.now(), body }, [BANK_SECRET])
    const signal = AbortSignal.timeout(30_000 / pace.factor)
    const answer = await fetch(url, { method: 'POST', headers, body, signal })
    const said = (await answer.json()) as { results?: readonly Json[] }
    return answer.status === 200 && Array.isArray(said.results) ? said.results : undefined
  } catch {
    return undefined
  }
}

function report(order: BookedOrder, said: Json): void {
  const one = {
    orderId: order.id,
    sequence: order.reports.length + 1,
    at: clock.now().toISOString(),
    ...said,
    state: String(said['state']),
  }
  book.add({ report: one })
  unsent.push(one)
  push()
}

/** Goes on where the book says that it was. */
async function play(order: BookedOrder): Promise<void> {
  for (const said of order.course.slice(order.reports.length)) {
    if (isLively) await wait(random(STEP_MS_MAX))
    if (order.state === 'CANCELLED') return
    report(order, said)
  }
}

function take(asked: Asked, bytes: Buffer): Readonly<{ status: number; json: Json }> {
  const digest = createHash('sha256').update(bytes).digest('hex')
  const known = book.orders.get(asked.id)
  if (known && known.digest !== digest) {
    book.add({ wrong: `another body under ${asked.id}` })
    return { status: 409, json: {} }
  }
  if (known) return { status: 200, json: known.answer }
  const { id, type, transactionId, amount, reportUrl } = asked
  const isLate = asked.expiresAt < clock.now().toISOString()
  const { answer, course } = isLate
    ? { answer: { state: 'REFUSED', reason: 'DEADLINE_PASSED' }, course: [] }
    : courseOf(asked)
  book.add({ taken: { id, type, transactionId, amount, digest, answer, reportUrl, course } })
  const order = book.orders.get(id)
  if (order) void play(order)
  return { status: 200, json: answer }
}

function answerTo(
  method: string,
  path: string,
  bytes: Buffer,
): Readonly<{ status: number; json: Json }> {
  if (method === 'POST' && path === '/orders') {
    return take(JSON.parse(bytes.toString('utf8')) as Asked, bytes)
  }
  const [, , id = '', verb] = decodeURIComponent(path).split('/')
  const order = book.orders.get(id)
  if (!order) return { status: 404, json: { state: 'NOT_FOUND', id } }
  if (verb === 'cancel') {
    if (order.state === 'ACCEPTED') report(order, { state: 'CANCELLED' })
    return { status: 200, json: { state: order.state } }
  }
  const { reports, answer } = order
  const json = { ...answer, id, state: order.state, sequence: reports.length, reports }
  return { status: 200, json }
}

async function serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const bytes = await buffer(request)
  const signed = { headers: request.headers, body: bytes }
  const isSigned = verifyMessage(signed, { secrets: [BANK_SECRET], now: clock.now() })
  const { status, json } = isSigned
    ? answerTo(request.method ?? '', request.url ?? '', bytes)
    : { status: 401, json: {} }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
}

const server = http.createServer((request, response) => {
  serve(request, response).catch(() => response.destroy())
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`  API  http://127.0.0.1:${port}\n`)
  unsent.push(...book.unheard())
  push()
  for (const order of book.orders.values()) void play(order)
})
process.on('disconnect', () => process.exit(0))
process.channel?.unref()
