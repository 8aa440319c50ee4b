import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createFlorin } from '../../src/app/florin.ts'
import { addPublicRoutes } from '../../src/app/public-routes.ts'
import { startEmbeddedPostgres } from '../../src/infra/db/embedded-postgres.ts'
import { migrate } from '../../src/infra/db/migrate.ts'
import { createLog } from '../../src/infra/logging/log.ts'
import { loadSettings } from '../../src/infra/settings/settings.ts'
import { createPlatform } from '../../src/operator/create-platform.ts'
import { client, expectError, expectStatus } from '../kit/api.ts'
import { eventually } from '../kit/eventually.ts'
import { MASTER_KEY } from '../kit/processes/server-process.ts'

const log = createLog({ logLevel: 'fatal' })
const dataDir = await mkdtemp(join(process.env['TEST_SCRATCH'] ?? tmpdir(), 'florin-restart-'))
const start = () => startEmbeddedPostgres({ dataDir, log, extraOptions: { port: PORT } })
const PORT = '45432'
let database = await start()
await migrate(database.url)
const settings = loadSettings({ DATABASE_URL: database.url, MASTER_KEY }, { cwd: dataDir })
const florin = await createFlorin({
  settings: { ...settings, databaseUrl: database.url, masterKey: MASTER_KEY },
  log,
})
addPublicRoutes(florin.http, florin.deps)
const origin = await florin.http.listen({ host: '127.0.0.1', port: 0 })
const credentials = await createPlatform(florin.deps, {
  name: 'Restart',
  kind: 'REGULATED',
  environment: 'SANDBOX',
  currencies: ['USD'],
})
const api = client(`${origin}/2025-10-13`, credentials)

after(async () => {
  await florin.stop()
  await database.stop()
  await rm(dataDir, { recursive: true, force: true })
})

test('ERR-8 CORE-84 while the database is away requests fail with 503, and the service recovers by itself', async () => {
  expectStatus(await api.get('/config'), 200)
  assert.equal((await fetch(`${origin}/readyz`)).status, 200)
  await database.stop()
  const answers = await Promise.all([
    api.get('/config'),
    api.post('/tokens', { name: 'x', permissions: ['VIEW'] }),
    api.get('/tokens'),
  ])
  for (const answer of answers) {
    expectError(answer, 503, 'SERVICE_UNAVAILABLE')
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
  }
  assert.equal((await fetch(`${origin}/healthz`)).status, 200)
  assert.equal((await fetch(`${origin}/readyz`)).status, 503)
  database = await start()
  await eventually(async () => expectStatus(await api.get('/config'), 200), 20_000)
  expectStatus(await api.post('/tokens', { name: 'x', permissions: ['VIEW'] }), 201)
  await eventually(async () => assert.equal((await fetch(`${origin}/readyz`)).status, 200))
})

test('ERR-6 a request whose connection breaks in the middle answers 503 and leaves nothing half done', async () => {
  const before = expectStatus(await api.get('/tokens', { query: { limit: 100 } }), 200)
  const requests = Array.from({ length: 40 }, (_, n) =>
    api.post(
      '/tokens',
      { name: `during ${n}`, permissions: ['VIEW'] },
      { headers: { 'idempotency-key': `during-${n}` } },
    ),
  )
  await Promise.race(requests)
  await database.stop()
  const answers = await Promise.all(requests)
  assert.ok(answers.every(({ status }) => status === 201 || status === 503))
  database = await start()
  await eventually(async () => expectStatus(await api.get('/config'), 200), 20_000)
  for (let n = 0; n < requests.length; n += 1) {
    const body = { name: `during ${n}`, permissions: ['VIEW'] }
    expectStatus(
      await api.post('/tokens', body, { headers: { 'idempotency-key': `during-${n}` } }),
      201,
    )
  }
  const later = expectStatus(await api.get('/tokens', { query: { limit: 100 } }), 200)
  const made =
    (later.data as unknown as unknown[]).length - (before.data as unknown as unknown[]).length
  assert.equal(made, requests.length)
})
