import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text as textOf } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { findFreePort } from '../../src/infra/db/embedded/postmaster.ts'
import { sql } from '../../src/infra/db/statement/sql.ts'
import { checkLedger } from '../../src/ledger/reports/check-ledger.ts'
import { createPlatform } from '../../src/operator/create-platform.ts'
import { client, expectStatus, text, type Api } from '../kit/api.ts'
import { eventually } from '../kit/eventually.ts'
import { rawConnection } from '../kit/processes/raw-connection.ts'
import { startReceiver } from '../kit/outside/receiver.ts'
import { openProcessKit } from '../kit/processes/process-kit.ts'
import { MASTER_KEY, SERVER, type ServerProcess } from '../kit/processes/server-process.ts'

const { operator, start } = await openProcessKit()

/** What the test before has left running. */
let left: ServerProcess | undefined

/** That one, where there is one: a start takes more than a second of processor time. */
async function startOrTake(): Promise<ServerProcess> {
  const server = left ?? (await start())
  left = undefined
  return server
}

async function newPlatform() {
  const credentials = await createPlatform(operator.deps, {
    name: 'Crash',
    kind: 'REGULATED',
    environment: 'SANDBOX',
    currencies: ['USD'],
  })
  return { credentials, api: ({ baseUrl }: ServerProcess): Api => client(baseUrl, credentials) }
}

async function accountOf(api: Api): Promise<string> {
  const body = expectStatus(await api.get('/platform/internal-accounts'), 200)
  return text(body.data[0]?.id)
}

async function balanceOf(api: Api): Promise<unknown> {
  const body = expectStatus(await api.get('/platform/internal-accounts'), 200)
  return body.data[0]?.balance.amount
}

/** A connection that died is no answer; the caller tries again under the same key, as any client should. */
const fund = (api: Api, account: string, key: string) =>
  api
    .post(
      `/sandbox/internal-accounts/${account}/fund`,
      { amount: 7 },
      { headers: { 'idempotency-key': key } },
    )
    .catch(() => undefined)

async function soundBook(): Promise<void> {
  const { problems } = await checkLedger(operator.deps.db)
  assert.deepEqual(problems, [])
}

/** As if a minute had passed: the dead process's hold on its attempts ends. */
async function letLeasesRunOut(): Promise<void> {
  await operator.deps.db.read.run(
    sql`update event_attempts set leased_until = ${new Date(0)} where leased_until is not null`,
  )
}

test('CORE-43 LEDG-6 a service killed in the middle of its batches loses nothing and does nothing twice', async () => {
  const { api } = await newPlatform()
  const keys = Array.from({ length: 100 }, (_, n) => `crash-${n}`)
  let server = await startOrTake()
  const account = await accountOf(api(server))
  let answered = 0
  for (let round = 0; round < 2; round += 1) {
    const first = api(server)
    const requests = keys.map(async (key) => {
      const answer = await fund(first, account, key)
      if (answer?.status === 200) answered += 1
    })
    // Kill when some have been answered and many have not: some of those are committed all the same.
    await eventually(() => assert.ok(answered > round * 20), 20_000)
    await server.end('SIGKILL')
    await Promise.all(requests)
    await soundBook()
    server = await start()
  }
  for (const key of keys) {
    await eventually(async () => assert.equal((await fund(api(server), account, key))?.status, 200))
  }
  assert.equal(await balanceOf(api(server)), 7 * keys.length)
  const replay = await fund(api(server), account, keys[0] as string)
  assert.equal(replay?.headers.get('idempotent-replayed'), 'true')
  await soundBook()
  left = server
})

test('HOOK-12 HOOK-33 a service killed while a receiver thinks delivers again, with the same id and bytes', async () => {
  const { api } = await newPlatform()
  const receiver = await startReceiver()
  after(() => receiver.stop())
  let server = await startOrTake()
  expectStatus(await api(server).patch('/config', { webhookEndpoint: receiver.url }), 200)
  await eventually(() => assert.equal(receiver.ofType('TEST').length, 1))
  // It takes the event and never answers.
  receiver.answerWith(() => undefined)
  const account = await accountOf(api(server))
  assert.equal((await fund(api(server), account, 'once'))?.status, 200)
  await eventually(() => assert.equal(receiver.ofType('INCOMING_PAYMENT.COMPLETED').length, 1))
  await server.end('SIGKILL')
  receiver.answer(200)
  await letLeasesRunOut()
  server = await start()
  await eventually(
    () => assert.ok(receiver.ofType('INCOMING_PAYMENT.COMPLETED').length >= 2),
    20_000,
  )
  const [first, second] = receiver.ofType('INCOMING_PAYMENT.COMPLETED')
  assert.equal(second?.event.id, first?.event.id)
  assert.deepEqual(second?.raw, first?.raw)
  await eventually(async () => {
    const event = expectStatus(await api(server).get(`/events/${first?.event.id}`), 200)
    assert.equal(event.deliveryStatus, 'DELIVERED')
  })
  left = server
})

test('CORE-85 SIGTERM finishes what is in flight and exits 0', async () => {
  const { api } = await newPlatform()
  const server = await startOrTake()
  const account = await accountOf(api(server))
  const requests = Array.from({ length: 50 }, (_, n) => fund(api(server), account, `term-${n}`))
  const first = await Promise.race(requests)
  assert.equal(first?.status, 200)
  assert.equal(await server.end('SIGTERM'), 0)
  const answers = await Promise.all(requests)
  const taken = answers.filter((answer) => answer?.status === 200).length
  const next = await start()
  assert.equal(await balanceOf(api(next)), 7 * taken, 'every taken request was answered')
  left = next
})

test('CORE-85 SIGTERM while the dashboard is still to come exits 0', async () => {
  const [port, adminPort] = [await findFreePort(), await findFreePort()]
  const { databaseUrl = '' } = operator.deps.settings
  const child = spawn(process.execPath, [SERVER], {
    env: {
      ...{ DATABASE_URL: databaseUrl, MASTER_KEY, PORT: `${port}`, ADMIN_PORT: `${adminPort}` },
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  after(() => void child.kill('SIGKILL'))
  const complaints = textOf(child.stderr)
  await eventually(async () =>
    assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200),
  )
  child.kill('SIGTERM')
  const [status] = (await once(child, 'exit')) as [number | null]
  assert.deepEqual([status, await complaints], [0, ''])
})

test('CORE-85 ERR-1 ERR-8 a request in flight at SIGTERM gets its answer, one that comes after it 503', async () => {
  const { credentials, api } = await newPlatform()
  const { clientId, clientSecret, platformId } = credentials
  const server = await startOrTake()
  const { host, pathname } = new URL(server.baseUrl)
  const body = '{"umaDomain":"late.example.com"}'
  const head = (method: string): string[] => [
    `${method} ${pathname}/config HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Basic ${btoa(`${clientId}:${clientSecret}`)}`,
  ]
  const typed = ['Content-Type: application/json', `Content-Length: ${body.length}`]
  const connection = await rawConnection(server.baseUrl)
  const ended = await operator.deps.db.transaction(async (tx) => {
    await tx.run(
      sql`select 1 from platforms where id = ${platformId.replace('Platform:', '')} for update`,
    )
    connection.send([...head('PATCH'), ...typed, '', body].join('\r\n'))
    await eventually(async () => assert.equal(await waitingForLocks(), 1))
    const exit = server.end('SIGTERM')
    await eventually(() => assert.rejects(rawConnection(server.baseUrl), 'nothing is accepted'))
    connection.send([...head('GET'), 'X-Request-Id: late', '', ''].join('\r\n'))
    return { exit }
  })
  assert.equal(await ended.exit, 0)
  const [first, second] = await connection.answers()
  assert.equal(first?.status, 200, first?.body)
  assert.equal(second?.status, 503)
  assert.equal((JSON.parse(second.body) as { code: string }).code, 'SERVICE_UNAVAILABLE')
  for (const [name, value] of [
    ['retry-after', '1'],
    ['x-request-id', 'late'],
    ['connection', 'close'],
  ]) {
    assert.equal(second.headers.get(name ?? ''), value)
  }
  const next = await start()
  const config = expectStatus(await api(next).get('/config'), 200)
  assert.equal(config.umaDomain, 'late.example.com')
  left = next
})

async function waitingForLocks(): Promise<number> {
  const { count } = await operator.deps.db.read.one<{ count: number }>(
    sql`select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return count
}

test('CORE-62 CORE-81 two processes share one database, its jobs and its webhooks', async () => {
  const { api } = await newPlatform()
  const receiver = await startReceiver()
  after(() => receiver.stop())
  const servers = await Promise.all([startOrTake(), start()])
  const [one, other] = servers.map(api) as [Api, Api]
  expectStatus(await one.patch('/config', { webhookEndpoint: receiver.url }), 200)
  const account = await accountOf(one)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => fund(n % 2 ? one : other, account, `shared-${n}`)),
  )
  assert.ok(answers.every((answer) => answer?.status === 200))
  assert.equal(await balanceOf(other), 7 * 50)
  await eventually(
    () => assert.equal(receiver.ofType('INCOMING_PAYMENT.COMPLETED').length, 50),
    20_000,
  )
  const ids = receiver.ofType('INCOMING_PAYMENT.COMPLETED').map(({ event }) => event.id)
  assert.equal(new Set(ids).size, 50, 'each event was sent once')
  await Promise.all(servers.map((server) => server.end('SIGTERM')))
  await soundBook()
})
