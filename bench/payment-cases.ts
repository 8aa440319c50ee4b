import { randomInt } from 'node:crypto'
import pg from 'pg'
import { systemClock } from '../server/src/kernel/clock.ts'
import { newUuid } from '../server/src/kernel/ids.ts'
import type { Connection } from './http-client.ts'
import { closedLoop, type Case, type Measured } from './measure.ts'
import { quoteBody, type PaymentBench } from './payment-seed.ts'
import { metered } from './service/spending.ts'
import { TWIN } from './payment-twin.ts'

const CONNECTIONS = 64
const DURATION_MS = 3_000
const P99_MAX_MS = 100
/** In its first twenty seconds a service still compiles, opens connections and plans its statements on each of them. */
const WARM_UP_ROUNDS = 5

const anyOf = (ids: readonly string[]): string => ids[randomInt(ids.length)] as string
const uuidOf = (id: string): string => id.slice(id.indexOf(':') + 1)

const WAYS = [
  {
    name: 'payments, one platform account to 1000 payees, 64 connections',
    aim: 2,
    requests: 1,
    steps: payAtOnce,
    twin: twinPay,
  },
  {
    name: 'payments, quote and execute from 1000 customers, 64 connections',
    aim: 0.8,
    requests: 2,
    steps: quoteThenExecute,
    twin: twinQuoteThenExecute,
  },
]

const COMMON = { p99MaxMs: P99_MAX_MS, warmUpRounds: WARM_UP_ROUNDS }

const paying = (bench: PaymentBench, { requests, steps }: (typeof WAYS)[number]) =>
  metered(bench.checkout, requests, () => drive(bench, steps))

/** POST /quotes that pays at once, and the way in two requests, each against a stored function that writes the same rows. */
export async function paymentCases(bench: PaymentBench): Promise<Case[]> {
  const client = new pg.Client({ connectionString: bench.databaseUrl })
  await client.connect()
  await client.query(TWIN)
  await client.query('select bench_keep_templates($1, $2, $3, $4)', [
    bench.platformId,
    ...Object.values(bench.templates),
  ])
  await client.end()
  const against = 'the same rows by stored functions, a plain client, as many connections'
  return WAYS.map((way) => ({
    ...{ ...COMMON, name: way.name, aim: way.aim, against },
    ours: paying(bench, way),
    yardstick: () => driveTwin(bench, way.twin),
  }))
}

/** What can be compared with another service. */
export const COMPARED: readonly Pick<Case, 'name'>[] = WAYS

/** The same payments by two services. */
export const comparedCases = (own: PaymentBench, other: PaymentBench, against: string): Case[] =>
  WAYS.map((way) => ({
    ...{ ...COMMON, name: way.name, against, isAnotherService: true },
    ours: paying(own, way),
    yardstick: paying(other, way),
  }))

/** What one connection sends next, each time it is asked; every request is timed by itself. */
type Step = () => Promise<unknown>

function payAtOnce({ api, treasury, payees }: PaymentBench, connection: Connection): Step {
  return () => {
    const body = quoteBody({ from: treasury, to: anyOf(payees) })
    return api.send(connection, 'POST', '/quotes', { ...body, immediatelyExecute: true })
  }
}

const QUOTE_ID = /"id":"(Quote:[^"]+)"/

function quoteThenExecute({ api, payers, payees }: PaymentBench, connection: Connection): Step {
  let waiting: string | undefined
  return async () => {
    if (waiting !== undefined) {
      const path = `/quotes/${waiting}/execute`
      waiting = undefined
      return api.send(connection, 'POST', path)
    }
    const body = quoteBody({ from: anyOf(payers), to: anyOf(payees) })
    const quote = await api.send(connection, 'POST', '/quotes', body)
    waiting = QUOTE_ID.exec(quote.toString('utf8'))?.[1] ?? ''
    return quote
  }
}

type Steps = (bench: PaymentBench, connection: Connection) => Step

async function drive(bench: PaymentBench, stepsOf: Steps): Promise<Measured> {
  const connections = await bench.api.connect(CONNECTIONS)
  const steps = connections.map((connection) => stepsOf(bench, connection))
  const measured = await closedLoop(CONNECTIONS, DURATION_MS, (writer) => (steps[writer] as Step)())
  connections.forEach((connection) => connection.close())
  return measured
}

const call = (client: pg.Client, name: string, values: readonly unknown[]): Promise<unknown> => {
  const places = values.map((_, index) => `$${index + 1}`).join(', ')
  return client.query({ name, text: `select ${name}(${places})`, values: [...values] })
}

function twinPay({ platformId, treasury, payees }: PaymentBench, client: pg.Client): Step {
  return () => {
    const ends = [uuidOf(treasury), anyOf(payees)]
    return call(client, 'bench_pay', [platformId, newUuid(), ...ends, newUuid(), systemClock.now()])
  }
}

function twinQuoteThenExecute({ platformId, payers, payees }: PaymentBench, client: pg.Client) {
  let waiting: readonly unknown[] | undefined
  return (): Promise<unknown> => {
    const [key, now] = [newUuid(), systemClock.now()]
    if (waiting) {
      const execution = [platformId, ...waiting, key, now]
      waiting = undefined
      return call(client, 'bench_execute', execution)
    }
    waiting = [newUuid(), uuidOf(anyOf(payers))]
    return call(client, 'bench_quote', [platformId, ...waiting, anyOf(payees), key, now])
  }
}

type TwinSteps = (bench: PaymentBench, client: pg.Client) => Step

async function driveTwin(bench: PaymentBench, stepsOf: TwinSteps): Promise<Measured> {
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = new pg.Client({ connectionString: bench.databaseUrl })
      await client.connect()
      return client
    }),
  )
  const steps = clients.map((client) => stepsOf(bench, client))
  const measured = await closedLoop(CONNECTIONS, DURATION_MS, (writer) => (steps[writer] as Step)())
  await Promise.all(clients.map((client) => client.end()))
  return measured
}
