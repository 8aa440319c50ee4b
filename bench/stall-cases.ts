/**
 * What single callers have been able to stop the process with. Each case prints for how long the event loop stood still at
 * most, and how long a small request of another caller took meanwhile.
 */
import { connect as connectSocket, type Socket } from 'node:net'
import { deflateSync } from 'node:zlib'
import { API_VERSION } from '../server/src/infra/http/api-version.ts'
import { openApi, type Api } from './bench-api.ts'
import type { Checkout } from './service/checkout.ts'
import { probe } from './service/spending.ts'

type Stall = Readonly<{ name: string; run(at: At): Promise<unknown> }>
type At = Readonly<{ api: Api; origin: string; authorization: string; sockets: Socket[] }>

/** What a neighbour may notice: the loop gives turns, and `GET /config` comes back. */
const LOOP_DELAY_MAX_MS = 250
const NEIGHBOUR_MAX_MS = 2_000
const NEIGHBOUR_PAUSE_MS = 20

export async function runStalls(checkout: Checkout): Promise<boolean> {
  const { origin, credentials } = checkout
  const token = `${credentials.clientId}:${credentials.clientSecret}`
  const authorization = `Basic ${Buffer.from(token).toString('base64')}`
  const at: At = { api: await openApi(checkout), origin, authorization, sockets: [] }
  let isWell = true
  for (const stall of STALLS) {
    await probe(checkout)
    const slowestMs = await whileRunning(at, stall.run(at))
    const { longestDelayMs: delayMs } = await probe(checkout)
    const reached = delayMs <= LOOP_DELAY_MAX_MS && slowestMs <= NEIGHBOUR_MAX_MS
    isWell &&= reached
    const line = {
      case: `stall: ${stall.name}`,
      longestLoopDelayMs: delayMs,
      neighbourMs: slowestMs,
      reached,
    }
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
  for (const socket of at.sockets) socket.destroy()
  at.api.close()
  return isWell
}

/** The slowest small request that another caller made while something ran. */
async function whileRunning(
  { origin, authorization }: At,
  running: Promise<unknown>,
): Promise<number> {
  let isOver = false
  const done = running.finally(() => (isOver = true))
  let slowest = 0
  while (!isOver) {
    const from = performance.now()
    await fetch(`${origin}/${API_VERSION}/config`, { headers: { authorization } })
    slowest = Math.max(slowest, performance.now() - from)
    await new Promise((resolve) => setTimeout(resolve, NEIGHBOUR_PAUSE_MS))
  }
  await done
  return Math.round(slowest)
}

const post = (
  { origin, authorization }: At,
  path: string,
  body: BodyInit,
  type = 'application/json',
) =>
  fetch(`${origin}/${API_VERSION}${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': type },
    body,
  }).then((answer) => answer.arrayBuffer())

const form = ({ origin, authorization }: At, path: string, fields: FormData) =>
  fetch(`${origin}/${API_VERSION}${path}`, {
    method: 'POST',
    headers: { authorization },
    body: fields,
  }).then((answer) => answer.arrayBuffer())

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n))

/** A picture of a few bytes with text that unpacks to a gigabyte. */
function textBomb(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
  }
  const packed = deflateSync(Buffer.alloc(50_000_000))
  const text = Buffer.concat([Buffer.from('Comment\0\0'), packed])
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    ...times(20, () => chunk('zTXt', text)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const STALLS: readonly Stall[] = [
  {
    name: 'sixty cards are issued at once',
    async run({ api }) {
      const { id } = await api.call('POST', '/customers', {
        customerType: 'INDIVIDUAL',
        fullName: 'Mira Example',
      })
      const accounts = await api.call(
        'GET',
        `/customers/internal-accounts?customerId=${String(id)}&currency=USD`,
      )
      const [account] = accounts['data'] as { id: string }[]
      const connections = await api.connect(8)
      const body = { customerId: id, form: 'VIRTUAL', fundingSource: account?.id }
      await Promise.all(
        connections.map(async (connection) => {
          for (let n = 0; n < 8; n += 1) await api.send(connection, 'POST', '/cards', body)
          connection.close()
        }),
      )
    },
  },
  {
    name: 'GET /docs with a header of blanks',
    run: ({ origin }) =>
      Promise.all(
        times(20, () =>
          fetch(`${origin}/docs`, {
            headers: { 'if-none-match': `"a"${' '.repeat(7_000)},${' '.repeat(7_000)}"b"` },
          }),
        ),
      ),
  },
  {
    name: 'documents that unpack to a gigabyte',
    run: (at) =>
      Promise.all(
        times(5, () => {
          const fields = new FormData()
          fields.set('documentHolder', 'Customer:00000000-0000-7000-8000-000000000000')
          fields.set('documentType', 'PASSPORT')
          fields.set('country', 'US')
          fields.set(
            'file',
            new Blob([new Uint8Array(textBomb())], { type: 'image/png' }),
            'photo.png',
          )
          return form(at, '/documents', fields)
        }),
      ),
  },
  {
    name: 'bodies that cost more than they weigh',
    run: async (at) => {
      await post(at, '/customers', `{"beneficialOwners":[${times(5_000, () => '{}').join()}]}`)
      await post(at, '/customers', `{${times(60_000, (n) => `"k${n}":1`).join()}}`)
      const csv = new FormData()
      const rows = times(30_000, (n) => `INDIVIDUAL,c-${n}`).join('\n')
      csv.set(
        'file',
        new Blob([`customerType,platformCustomerId\n${rows}`], { type: 'text/csv' }),
        'customers.csv',
      )
      await form(at, '/customers/bulk/csv', csv)
    },
  },
  {
    name: '400 sockets that send a byte now and then',
    async run({ origin, sockets }) {
      const { port } = new URL(origin)
      const trickling = times(400, () => connectSocket({ host: '127.0.0.1', port: Number(port) }))
      for (const socket of trickling) {
        socket.on('error', () => undefined)
        socket.write(
          `POST /${API_VERSION}/quotes HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n`,
        )
      }
      sockets.push(...trickling)
      for (let n = 0; n < 20; n += 1) {
        for (const socket of trickling) if (socket.writable) socket.write('x: y\r\n')
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
  },
  {
    name: 'readiness under 500 connections',
    async run({ api, origin }) {
      const connections = await api.connect(500)
      const until = performance.now() + 2_000
      let isOver = false
      const load = Promise.all(
        connections.map(async (connection) => {
          while (performance.now() < until) {
            // What is shed under overload is an answer as well.
            await api.send(connection, 'GET', '/tokens').catch(() => undefined)
          }
          connection.close()
        }),
      ).then(() => (isOver = true))
      while (!isOver) await fetch(`${origin}/readyz`)
      await load
    },
  },
]
