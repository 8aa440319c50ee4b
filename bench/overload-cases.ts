/**
 * More callers than the service can serve within two seconds. Prints how long those waited that were accepted, which
 * share was refused, and how long the probe took meanwhile.
 */
import { API_VERSION } from '../server/src/infra/http/api-version.ts'
import type { Served } from './service/checkout.ts'
import { openConnection, requestBytes, type Connection } from './http-client.ts'
import { percentile } from './measure.ts'

type Load = Readonly<{ name: string; connections: number; requests: readonly Buffer[] }>
type Counted = { accepted: number[]; shed: number; failed: number }

const DURATION_MS = 10_000
/** The least that `Retry-After` says. */
const PAUSE_MS = 1_000
const ACCEPTED_P99_MAX_MS = 2_000
const READY_MAX_MS = 500

export async function runOverload(served: Served): Promise<boolean> {
  let isWell = true
  for (const load of loadsOn(served)) isWell = (await runLoad(served, load)) && isWell
  return isWell
}

function loadsOn({ credentials }: Served): Load[] {
  const { clientId, clientSecret } = credentials
  const token = `${clientId}:${clientSecret}`
  const headers = { authorization: `Basic ${Buffer.from(token).toString('base64')}` }
  const at = (path: string): string => `/${API_VERSION}${path}`
  const read = requestBytes({ method: 'GET', path: at('/transactions'), headers })
  const body = { customerType: 'INDIVIDUAL', fullName: 'Mira Example' }
  const write = requestBytes({ method: 'POST', path: at('/customers'), headers, body })
  return [
    { name: '1,000 connections that read and write', connections: 1_000, requests: [read, write] },
    { name: '3,000 connections that read', connections: 3_000, requests: [read] },
    { name: '3,000 connections that write', connections: 3_000, requests: [write] },
  ]
}

async function runLoad({ origin }: Served, load: Load): Promise<boolean> {
  const { connections: count, requests } = load
  const { port } = new URL(origin)
  const connections = await Promise.all(
    Array.from({ length: count }, () => openConnection(Number(port))),
  )
  const counted: Counted = { accepted: [], shed: 0, failed: 0 }
  const endAt = performance.now() + DURATION_MS
  const probed = probe(origin, endAt)
  await Promise.all(
    connections.map(async (connection, n) => {
      const request = requests[n % requests.length] as Buffer
      while (performance.now() < endAt) await sendOne(connection, request, counted)
      connection.close()
    }),
  )
  const ready = await probed
  const accepted = counted.accepted.toSorted((a, b) => a - b)
  const p99Ms = Math.round(percentile(accepted, 0.99))
  const readyMs = Math.round(ready.at(-1) ?? Infinity)
  const reached = p99Ms <= ACCEPTED_P99_MAX_MS && readyMs <= READY_MAX_MS && counted.failed === 0
  const all = accepted.length + counted.shed
  const line = {
    case: `overload: ${load.name}`,
    acceptedPerSecond: Math.round(accepted.length / (DURATION_MS / 1_000)),
    p50Ms: Math.round(percentile(accepted, 0.5)),
    p99Ms,
    longestMs: Math.round(accepted.at(-1) ?? 0),
    shedShare: Math.round((counted.shed / all) * 100) / 100,
    failed: counted.failed,
    readyP50Ms: Math.round(percentile(ready, 0.5)),
    readyLongestMs: readyMs,
    reached,
  }
  process.stdout.write(`${JSON.stringify(line)}\n`)
  return reached
}

async function sendOne(connection: Connection, request: Buffer, counted: Counted): Promise<void> {
  const from = performance.now()
  const { status } = await connection.send(request)
  if (status < 300) counted.accepted.push(performance.now() - from)
  else if (status === 503) {
    counted.shed += 1
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  } else counted.failed += 1
}

/** What the probe took each time, least first. */
async function probe(origin: string, endAt: number): Promise<number[]> {
  const took: number[] = []
  while (performance.now() < endAt) {
    const from = performance.now()
    const answer = await fetch(`${origin}/readyz`)
    await answer.arrayBuffer()
    took.push(answer.ok ? performance.now() - from : Infinity)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return took.toSorted((a, b) => a - b)
}
