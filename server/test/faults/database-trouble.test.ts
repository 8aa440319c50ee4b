import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createFlorin, type FlorinOptions } from '../../src/app/florin.ts'
import { addPublicRoutes } from '../../src/app/public-routes.ts'
import { sql } from '../../src/infra/db/statement/sql.ts'
import { isUnavailable } from '../../src/infra/db/connection/unavailable.ts'
import { mustParseId } from '../../src/kernel/ids.ts'
import { createLog } from '../../src/infra/logging/log.ts'
import { client, expectError, expectStatus } from '../kit/api.ts'
import { openDatabaseProxy, throughHosts } from '../kit/processes/database-proxy.ts'
import { ask } from './database-process.ts'
import { eventually } from '../kit/eventually.ts'
import { startOwnKit } from '../kit/florin.ts'
import { openReceiver } from '../kit/outside/connect-receiver.ts'
import { MASTER_KEY } from '../kit/processes/server-process.ts'

const kit = await startOwnKit({}, { worker: false })
const { settings } = kit.florin.deps
const name = new URL(kit.databaseUrl).pathname.slice(1)

async function asOwner(...statements: readonly string[]): Promise<void> {
  const owner = new pg.Client({
    connectionString: kit.databaseUrl,
    options: '-c default_transaction_read_only=off',
  })
  await owner.connect()
  try {
    for (const statement of statements) await owner.query(statement)
  } finally {
    await owner.end()
  }
}

/** The service behind a proxy, with what it logs. */
async function startBehindProxy(databaseTimeouts?: FlorinOptions['databaseTimeouts']) {
  const proxy = await openDatabaseProxy(kit.databaseUrl)
  const databaseUrl = throughHosts(kit.databaseUrl, proxy.host)
  const lines: Record<string, unknown>[] = []
  const log = createLog(
    { logLevel: 'warn' },
    { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  )
  const florin = await createFlorin({
    settings: { ...settings, databaseUrl, masterKey: MASTER_KEY },
    log,
    ...(databaseTimeouts && { databaseTimeouts }),
  })
  addPublicRoutes(florin.http, florin.deps)
  const origin = await florin.http.listen({ host: '127.0.0.1', port: 0 })
  const { clientId, clientSecret } = await kit.platform()
  const api = client(`${origin}/2025-10-13`, { clientId, clientSecret })
  return { proxy, florin, lines, origin, api }
}

const newToken = { name: 'x', permissions: ['VIEW'] }
const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

const endSessions = `select pg_terminate_backend(pid) from pg_stat_activity
                     where datname = '${name}' and pid <> pg_backend_pid()`

async function timed<T>(body: () => Promise<T>): Promise<readonly [T, number]> {
  const startedAt = performance.now()
  return [await body(), performance.now() - startedAt]
}

test('ERR-8 CORE-84 what a troubled database refuses is 503, and the service is not ready', async () => {
  const { api, origin, florin } = await startBehindProxy()
  for (const code of ['53100', '53200', '53400', '57P05', '58030']) {
    await asOwner(
      `create or replace function refuse() returns trigger language plpgsql as
       $$ begin raise exception 'in trouble' using errcode = '${code}'; end $$`,
      'create or replace trigger refuse before insert on api_tokens execute function refuse()',
    )
    const answer = await api.post('/tokens', newToken)
    expectError(answer, 503, 'SERVICE_UNAVAILABLE')
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/, code)
    expectStatus(await api.get('/config'), 200)
    assert.equal(await statusOf(`${origin}/readyz`), 503, code)
  }
  await asOwner('drop trigger refuse on api_tokens', 'drop function refuse')
  expectStatus(await api.post('/tokens', newToken), 201)
  await eventually(async () => assert.equal(await statusOf(`${origin}/readyz`), 200))
  await florin.stop()
})

test('ERR-8 CORE-84 a read-only database serves reads, refuses writes with 503, and is not ready', async () => {
  const { api, origin, florin } = await startBehindProxy()
  await asOwner(`alter database ${name} set default_transaction_read_only = on`, endSessions)
  await eventually(async () => expectStatus(await api.get('/config'), 200))
  expectError(await api.post('/tokens', newToken), 503, 'SERVICE_UNAVAILABLE')
  assert.equal(await statusOf(`${origin}/readyz`), 503)
  await asOwner(`alter database ${name} reset default_transaction_read_only`, endSessions)
  await eventually(async () => expectStatus(await api.post('/tokens', newToken), 201))
  await eventually(async () => assert.equal(await statusOf(`${origin}/readyz`), 200))
  await florin.stop()
})

test('ERR-8 CORE-84 while the database hangs requests end within 10 s and probes within 1 s', async () => {
  const { api, origin, florin, proxy, lines } = await startBehindProxy()
  expectStatus(await api.get('/config'), 200)
  assert.equal(await statusOf(`${origin}/readyz`), 200)
  proxy.pause()
  const [status, probeMs] = await timed(() => statusOf(`${origin}/readyz`))
  assert.equal(status, 503)
  assert.ok(probeMs < 1_000, `the probe took ${Math.round(probeMs)} ms`)
  const [answers, answersMs] = await timed(() =>
    Promise.all(Array.from({ length: 40 }, () => api.post('/tokens', newToken))),
  )
  for (const answer of answers) expectError(answer, 503, 'SERVICE_UNAVAILABLE')
  assert.ok(answersMs < 10_000, `the answers took ${Math.round(answersMs)} ms`)
  assert.equal(await statusOf(`${origin}/healthz`), 200)
  proxy.resume()
  await eventually(async () => expectStatus(await api.post('/tokens', newToken), 201))
  await eventually(async () => assert.equal(await statusOf(`${origin}/readyz`), 200))
  const said = lines.map(({ msg }) => msg)
  assert.deepEqual(said.slice(0, 1), ['the database is unavailable'])
  assert.ok(said.length <= 3, `one line per state and ten seconds, not: ${said.join('; ')}`)
  await florin.stop()
})

test('ERR-8 a transaction that the server ends for taking too long is 503', async () => {
  const { api, florin } = await startBehindProxy()
  await asOwner(
    `create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(3); return new; end $$`,
    'create trigger wait before insert on api_tokens for each row execute function wait()',
    `alter database ${name} set transaction_timeout = '1s'`,
    endSessions,
  )
  await eventually(async () => expectStatus(await api.get('/config'), 200))
  const answer = await api.post('/tokens', newToken)
  await asOwner(
    `alter database ${name} reset transaction_timeout`,
    'drop trigger wait on api_tokens',
    'drop function wait',
    endSessions,
  )
  expectError(answer, 503, 'SERVICE_UNAVAILABLE')
  await florin.stop()
})

test('CORE-44 a process that is cut off within a transaction holds its locks for seconds only', async () => {
  const { florin, proxy } = await startBehindProxy({ statementTimeoutMs: 500 })
  const { platformId } = await kit.platform()
  const lock = sql`select from platforms where id = ${mustParseId('platform', platformId)} for update`
  await assert.rejects(
    florin.deps.db.transaction(async (tx) => {
      await tx.run(lock)
      proxy.pause()
      // Nothing arrives any more, the rollback included.
      await tx.run(sql`select`)
    }),
    isUnavailable,
  )
  await kit.florin.deps.db.transaction((tx) => tx.run(lock))
  proxy.resume()
  await florin.stop()
})

test('CORE-85 a service whose database is away stops while a receiver still thinks', async () => {
  const { api, florin } = await startBehindProxy()
  const receiver = await openReceiver()
  const reached = Promise.withResolvers<void>()
  receiver.answerWith(() => reached.resolve())
  expectStatus(await api.patch('/config', { webhookEndpoint: receiver.url }), 200)
  await reached.promise
  const server = process.env['TEST_DATABASE_URL'] ?? ''
  await ask(server, `alter database ${name} allow_connections false`)
  await ask(server, endSessions)
  try {
    await florin.stop()
  } finally {
    await ask(server, `alter database ${name} allow_connections true`)
  }
})
