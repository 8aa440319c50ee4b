import { randomInt } from 'node:crypto'
import pg from 'pg'
import { systemClock } from '../server/src/kernel/clock.ts'
import { newUuid } from '../server/src/kernel/ids.ts'
import type { Connection } from './http-client.ts'
import { closedLoop, type Case, type Measured } from './measure.ts'
import { quoteBody, type PaymentBench } from './payment-seed.ts'
import { TWIN } from './payment-twin.ts'

const CONNECTIONS = 64
const DURATION_MS = 3_000
const P99_MAX_MS = 100

const anyOf = (ids: readonly string[]): string => ids[randomInt(ids.length)] as string
const uuidOf = (id: string): string => id.slice(id.indexOf(':') + 1)

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
  const common = { against, p99MaxMs: P99_MAX_MS }
  return [
    {
      ...common,
      name: 'payments, one platform account to 1000 payees, 64 connections',
      aim: 2,
      ours: () => drive(bench, payAtOnce),
      yardstick: () => driveTwin(bench, twinPay),
    },
    {
      ...common,
      name: 'payments, quote and execute from 1000 customers, 64 connections',
      aim: 0.8,
      ours: () => drive(bench, quoteAndExecute),
      yardstick: () => driveTwin(bench, twinQuoteAndExecute),
    },
  ]
}

type Pay = (bench: PaymentBench, connection: Connection) => Promise<unknown>

function payAtOnce({ api, treasury, payees }: PaymentBench, connection: Connection) {
  const body = quoteBody({ from: treasury, to: anyOf(payees) })
  return api.send(connection, 'POST', '/quotes', { ...body, immediatelyExecute: true })
}

const QUOTE_ID = /"id":"(Quote:[^"]+)"/

async function quoteAndExecute({ api, payers, payees }: PaymentBench, connection: Connection) {
  const body = quoteBody({ from: anyOf(payers), to: anyOf(payees) })
  const quote = await api.send(connection, 'POST', '/quotes', body)
  const id = QUOTE_ID.exec(quote.toString('utf8'))?.[1] ?? ''
  return api.send(connection, 'POST', `/quotes/${id}/execute`)
}

async function drive(bench: PaymentBench, pay: Pay): Promise<Measured> {
  const connections = await bench.api.connect(CONNECTIONS)
  const measured = await closedLoop(CONNECTIONS, DURATION_MS, (writer) =>
    pay(bench, connections[writer] as Connection),
  )
  connections.forEach((connection) => connection.close())
  return measured
}

type TwinPay = (bench: PaymentBench, client: pg.Client) => Promise<unknown>

const call = (client: pg.Client, name: string, values: readonly unknown[]): Promise<unknown> => {
  const places = values.map((_, index) => `$${index + 1}`).join(', ')
  return client.query({ name, text: `select ${name}(${places})`, values: [...values] })
}

function twinPay({ platformId, treasury, payees }: PaymentBench, client: pg.Client) {
  const ends = [uuidOf(treasury), anyOf(payees)]
  return call(client, 'bench_pay', [platformId, newUuid(), ...ends, newUuid(), systemClock.now()])
}

async function twinQuoteAndExecute(
  { platformId, payers, payees }: PaymentBench,
  client: pg.Client,
): Promise<unknown> {
  const [id, from, to] = [newUuid(), uuidOf(anyOf(payers)), anyOf(payees)]
  await call(client, 'bench_quote', [platformId, id, from, to, newUuid(), systemClock.now()])
  return call(client, 'bench_execute', [platformId, id, from, newUuid(), systemClock.now()])
}

async function driveTwin(bench: PaymentBench, pay: TwinPay): Promise<Measured> {
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = new pg.Client({ connectionString: bench.databaseUrl })
      await client.connect()
      return client
    }),
  )
  const measured = await closedLoop(CONNECTIONS, DURATION_MS, (writer) =>
    pay(bench, clients[writer] as pg.Client),
  )
  await Promise.all(clients.map((client) => client.end()))
  return measured
}
