/** The built-in sandbox's outcomes as a provider that speaks the protocol (PROV-152). */
import { createHash, randomUUID } from 'node:crypto'
import type http from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../../src/kernel/clock.ts'
import { newSecret, signMessage, verifyMessage } from '../../../src/providers/http/sign-message.ts'
import {
  quotePayout,
  transferOut,
  type PayoutStep,
} from '../../../src/providers/rails/sandbox-outcomes.ts'
import { serveHttp } from './loopback-server.ts'

type Json = Readonly<Record<string, unknown>>
type Asked = Json &
  Readonly<{ id: string; reportUrl: string; amount: { amount: number; currency: string } }>
type Kept = {
  readonly digest: string
  readonly answer: Json
  readonly reference: string
  readonly reportUrl: string
  state: string
  readonly reports: Json[]
}

type Carelessness = Readonly<{
  /** Every order is a new one. */
  isForgetful?: boolean
  /** Any signature will do. */
  isTrusting?: boolean
}>

/** The end of an account number by which the sandbox is asked for each outcome. */
const STEPS: Readonly<Record<string, readonly PayoutStep[]>> = {
  SETTLE: quotePayout(undefined),
  SLOW: quotePayout(undefined),
  RETURN: quotePayout('005'),
  'REFUSE:ACCOUNT_INVALID': transferOut('003'),
  'FAIL:ACCOUNT_CLOSED': transferOut('004'),
  // It times out after 30 s; nobody waits for that.
  HOLD: transferOut('005'),
}

/** What a provider says where the service would say this of a payment (PROV-49). */
const REASONS: Readonly<Record<string, string>> = {
  ACCOUNT_INVALID: 'ACCOUNT_INVALID',
  ACCOUNT_CANNOT_RECEIVE: 'ACCOUNT_CLOSED',
}

const outcomeOf = (asked: Asked): string => String(asked['testOutcome'])

const stepsOf = (asked: Asked): readonly PayoutStep[] | undefined =>
  STEPS[outcomeOf(asked).replace(/^SLOW:.*/, 'SLOW')]

const FINAL = ['FAILED', 'CANCELLED', 'RETURNED']

type Bank = Carelessness & Readonly<{ secrets: readonly string[]; orders: Map<string, Kept> }>

export async function startSandboxProvider(carelessness: Carelessness = {}) {
  const secrets = [newSecret(), newSecret()]
  const bank: Bank = { ...carelessness, secrets, orders: new Map() }
  const { url } = await serveHttp((request, response) => void handle(bank, request, response))
  return { url, secrets }
}

async function handle(
  bank: Bank,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const body = await buffer(request)
  const signed = verifyMessage(
    { headers: request.headers, body },
    { secrets: bank.secrets, now: systemClock.now() },
  )
  const isTaken = signed !== undefined || bank.isTrusting === true
  const { status, body: said } = isTaken ? await route(bank, request, body) : refusal(401)
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
}

async function route(bank: Bank, { method, url: path = '' }: http.IncomingMessage, body: Buffer) {
  const [, , id = '', verb] = path.split('/')
  if (method === 'POST' && path === '/orders') return take(bank, body)
  const kept = bank.orders.get(id)
  if (!kept) return { status: 404, body: { state: 'NOT_FOUND', id } }
  if (verb === 'cancel') return answered({ state: cancel(bank, id, kept) })
  const { state, reference, reports } = kept
  return answered({ id, state, reference, sequence: reports.length, reports })
}

async function take(bank: Bank, body: Buffer) {
  const asked = parsed(body)
  if (!asked || !isWellFormed(asked)) return refusal(400)
  const digest = createHash('sha256').update(body).digest('hex')
  const known = bank.isForgetful ? undefined : bank.orders.get(asked.id)
  if (known) return known.digest === digest ? answered(known.answer) : refusal(409)
  const outcome = outcomeOf(asked)
  const reference = `sandbox-${randomUUID()}`
  const reason = refusalOf(asked)
  const answer = reason ? { state: 'REFUSED', reason } : { state: 'ACCEPTED', reference }
  const { reportUrl } = asked
  const kept = { digest, answer, reference, reportUrl, state: answer.state, reports: [] }
  bank.orders.set(asked.id, kept)
  if (!reason) void play(bank, asked, kept)
  if (outcome.startsWith('SLOW:')) await delay(Number(outcome.slice(5)) * 1_000)
  return answered(answer)
}

async function play(bank: Bank, asked: Asked, kept: Kept): Promise<void> {
  const { amount, currency } = asked.amount
  for (const step of stepsOf(asked) ?? []) {
    // The sandbox's clock is moved by hand; here a second of it passes in a hundredth.
    if (step.afterSeconds > 0) await delay(step.afterSeconds * 10)
    if (asked['testOutcome'] === 'HOLD' || FINAL.includes(kept.state)) return
    const said = {
      process: () => ({ state: 'SENT' }),
      complete: () => ({ state: 'SETTLED', amount: { amount, currency } }),
      fail: () => ({ state: 'FAILED', reason: REASONS['reason' in step ? step.reason : ''] }),
      return: () => ({
        state: 'RETURNED',
        amount: { amount, currency },
        returnId: randomUUID(),
      }),
    }[step.event]()
    report(bank, asked.id, kept, said)
  }
}

function report(bank: Bank, id: string, kept: Kept, said: Json): void {
  const head = { orderId: id, sequence: kept.reports.length + 1, reference: kept.reference }
  const one = { ...head, at: systemClock.now().toISOString(), ...said }
  kept.state = String(said['state'])
  kept.reports.push(one)
  void push(bank, kept.reportUrl, JSON.stringify({ reports: [one] }))
}

function cancel(bank: Bank, id: string, kept: Kept): string {
  if (kept.state === 'ACCEPTED') report(bank, id, kept, { state: 'CANCELLED' })
  return kept.state
}

async function push({ secrets }: Bank, address: string, body: string): Promise<void> {
  const id = randomUUID()
  for (let waitMs = 50; waitMs < 10_000; waitMs *= 2) {
    const headers = signMessage({ id, at: systemClock.now(), body }, secrets.slice(0, 1))
    const reply = await fetch(address, { method: 'POST', headers, body }).catch(() => undefined)
    if (reply?.ok) return
    await delay(waitMs)
  }
}

const answered = (body: Json) => ({ status: 200, body })
const refusal = (status: number) => ({ status, body: { message: 'refused' } })

/** Of other ports only the type is looked at. */
const isWellFormed = ({ type, amount }: Asked): boolean =>
  type !== 'PAYOUT' || typeof amount.amount === 'number'

function parsed(body: Buffer): Asked | undefined {
  try {
    return JSON.parse(body.toString('utf8')) as Asked
  } catch {
    return undefined
  }
}

function refusalOf(asked: Asked): string | undefined {
  const steps = stepsOf(asked)
  if (asked['type'] !== 'PAYOUT') return 'INVALID_ORDER'
  if (String(asked['expiresAt']) < systemClock.now().toISOString()) return 'DEADLINE_PASSED'
  if (!steps) return 'TEST_NOT_SUPPORTED'
  const failure = steps.find((step) => step.event === 'fail')
  return outcomeOf(asked).startsWith('REFUSE:') && failure ? REASONS[failure.reason] : undefined
}
