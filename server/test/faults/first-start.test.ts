import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { client, expectStatus } from '../kit/api.ts'
import { eventually } from '../kit/eventually.ts'
import { startServerProcess } from '../kit/processes/server-process.ts'

const scratch = process.env['TEST_SCRATCH']
assert.ok(scratch, 'run the tests with npm test')
const dataDir = await mkdtemp(join(scratch, 'first-start-'))
after(() => rm(dataDir, { recursive: true, force: true }))

const start = () => startServerProcess({ DATA_DIR: dataDir, MASTER_KEY: '', DATABASE_URL: '' })

type Kept = Readonly<{ platformId: string; clientId: string; clientSecret: string }>

async function kept(): Promise<Kept> {
  return JSON.parse(await readFile(join(dataDir, 'sandbox-platform.json'), 'utf8')) as Kept
}

test('CORE-80 the first start makes a database, a key and a sandbox platform whose credentials work', async () => {
  const server = await start()
  const credentials = await kept()
  const config = expectStatus(await client(server.baseUrl, credentials).get('/config'), 200)
  assert.ok(config.supportedCurrencies)
  for (const file of ['sandbox-platform.json', 'master.key']) {
    assert.equal((await stat(join(dataDir, file))).mode & 0o777, 0o600, file)
  }
  const { platformId, clientId, clientSecret } = credentials
  await eventually(() => {
    for (const one of [platformId, clientId, clientSecret]) {
      assert.ok(server.printed().includes(` ${one}\n`), `${one} is printed`)
    }
    const names = `FLORIN_PLATFORM_ID=${platformId} FLORIN_CLIENT_ID=${clientId} FLORIN_CLIENT_SECRET=${clientSecret}`
    const line = /export FLORIN_ORIGIN=(\S+) (.*)/.exec(server.printed())
    assert.equal(line?.[2], names, 'as the guides name them')
    assert.match(line[1] ?? '', /^http:\/\/127\.0\.0\.1:\d+$/, 'with the port in use')
  })
  assert.equal(await server.end('SIGINT'), 0)
})

test('CORE-80 a later start keeps platform and data, also after the service was killed', async () => {
  const credentials = await kept()
  let server = await start()
  const made = { name: 'kept', permissions: ['VIEW'] }
  expectStatus(await client(server.baseUrl, credentials).post('/tokens', made), 201)
  await server.end('SIGKILL')
  server = await start()
  assert.deepEqual(await kept(), credentials)
  const listed = await client(server.baseUrl, credentials).get('/tokens', {
    query: { name: 'kept' },
  })
  assert.equal((expectStatus(listed, 200).data as unknown as unknown[]).length, 1)
  await server.end('SIGTERM')
})

test('CORE-80 CORE-82 in production the embedded database begins empty, and no secret is made or printed', async () => {
  const own = await mkdtemp(join(scratch, 'production-start-'))
  after(() => rm(own, { recursive: true, force: true }))
  const server = await startServerProcess({
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://pay.example',
    DATA_DIR: own,
    DATABASE_URL: '',
  })
  await eventually(() => assert.match(server.printed(), /embedded PostgreSQL/))
  assert.doesNotMatch(server.printed(), /secret|Client id|curl/i)
  await assert.rejects(stat(join(own, 'sandbox-platform.json')), { code: 'ENOENT' })
  assert.equal(await server.end('SIGTERM'), 0)
})
