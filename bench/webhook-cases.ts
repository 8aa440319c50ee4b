import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { openApi } from './bench-api.ts'
import { openConnection, requestBytes } from './http-client.ts'
import { closedLoop, percentile, type Case, type Measured } from './measure.ts'
import type { Checkout, Served } from './service/checkout.ts'
import type { Arrivals } from './service/receiver.ts'
import { metered } from './service/spending.ts'

const PLATFORMS = 8
const EVENTS = 1_500
const RESOURCES = 100
const CONNECTIONS = 128
const DURATION_MS = 3_000
const WARM_UP_ROUNDS = 2
/** About as long as the body of a payment's event. */
const FILLING = 'x'.repeat(900)

/** As the service writes them in the transaction of a change; each resource's events in order. */
const WRITE_EVENTS = `
  with made as (
    insert into event_rows (platform_id, id, position, type, resource_id, at, data)
    select p, uuidv7(), nextval('event_positions'), 'OUTGOING_PAYMENT.COMPLETED', p || '-' || n % $2, now(),
      json_build_object('resource', p || '-' || n % $2, 'place', $5 + n, 'data', $4::text)::text
    from generate_series(1, $3::integer) n, unnest($1::uuid[]) p order by n
    returning *
  )
  insert into event_deliveries (platform_id, event_id, position, resource_id, at, sending, status)
  select platform_id, id, position, resource_id, at, 'RETRIED', 'PENDING' from made`

/** Events that are committed at once, until all have arrived: numbering, sending, recording (HOOK-12, HOOK-13). */
export async function webhookCases(checkout: Checkout): Promise<readonly [Case[], () => void]> {
  const receiver = fork(join(import.meta.dirname, 'service/receiver.ts'), [String(PLATFORMS)])
  const [ports] = (await once(receiver, 'message')) as [number[]]
  const platformIds: string[] = []
  for (const port of ports) platformIds.push(await addPlatform(checkout, port))
  let rounds = 0
  const cases = [
    {
      name: 'webhooks, 12000 events of 8 platforms to local endpoints',
      perSecondMin: 3_000,
      warmUpRounds: WARM_UP_ROUNDS,
      ours: metered(checkout, 1, () =>
        deliver(checkout, receiver, { platformIds, round: (rounds += 1) }),
      ),
      yardstick: () => post(ports),
      against: 'the same bodies by a plain client over 128 connections, unsigned and unrecorded',
    },
  ]
  return [cases, () => receiver.disconnect()]
}

async function addPlatform(checkout: Checkout, port: number): Promise<string> {
  const credentials = (await checkout.florin(
    'platforms create --name Receiver --kind REGULATED --environment SANDBOX --currencies USD',
  )) as Served['credentials']
  const api = await openApi({ ...checkout, credentials })
  await api.call('PATCH', '/config', { webhookEndpoint: `http://127.0.0.1:${port}/events` })
  api.close()
  return credentials.platformId.slice('Platform:'.length)
}

type Round = Readonly<{ platformIds: readonly string[]; round: number }>

async function deliver(
  { databaseUrl }: Checkout,
  receiver: ChildProcess,
  { platformIds, round }: Round,
): Promise<Measured> {
  const requests = PLATFORMS * EVENTS
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const arrived = once(receiver, 'message') as Promise<[Arrivals]>
  receiver.send(requests)
  const values = [platformIds, RESOURCES, EVENTS, FILLING, round * EVENTS]
  await client.query(WRITE_EVENTS, values)
  await client.end()
  const [{ afterMs, outOfOrder }] = await arrived
  if (outOfOrder > 0) throw new Error(`${outOfOrder} events overtook an earlier one`)
  const seconds = ((afterMs.at(-1) ?? 0) - (afterMs[0] ?? 0)) / 1_000
  return {
    perSecond: Math.round(requests / seconds),
    p50Ms: Math.round(percentile(afterMs, 0.5)),
    p99Ms: Math.round(percentile(afterMs, 0.99)),
    requests,
  }
}

async function post(ports: readonly number[]): Promise<Measured> {
  const body = { resource: 'plain', place: 0, data: FILLING }
  const request = requestBytes({ method: 'POST', path: '/events', body })
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, n) => openConnection(ports[n % PLATFORMS] as number)),
  )
  const measured = await closedLoop(CONNECTIONS, DURATION_MS, (writer) =>
    (connections[writer] as (typeof connections)[number]).send(request),
  )
  connections.forEach((connection) => connection.close())
  return measured
}
