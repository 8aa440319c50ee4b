import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { basicAuth } from '../../../../test/kit/api.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { rawConnection, type RawConnection } from '../../../../test/kit/processes/raw-connection.ts'
import { startServerProcess } from '../../../../test/kit/processes/server-process.ts'
import { connectionsMax } from './connections.ts'

const kit = await startOwnKit()
const platform = await kit.platform()
const head = (...lines: string[]): string =>
  [
    'POST /2025-10-13/tokens HTTP/1.1',
    'Host: florin.example',
    'Content-Type: application/json',
    'Content-Length: 1000',
    ...lines,
    '',
    '{',
  ].join('\r\n')

test('CORE-20 400 refused requests whose bodies trickle are answered and closed, and others go on', async () => {
  const open = await Promise.all(Array.from({ length: 400 }, () => rawConnection(kit.baseUrl)))
  for (const { send } of open) send(head())
  await Promise.all(open.map(({ heard }) => heard()))
  assert.equal((await platform.api.get('/config')).status, 200)
  const answers = await Promise.all(open.map((one) => one.answers()))
  assert.deepEqual(
    answers.filter(([answer, ...more]) => answer?.status !== 401 || more.length > 0),
    [],
  )
})

test('ERR-5 400 bodies that are waited for keep nobody else waiting', async () => {
  const authorization = `Authorization: ${basicAuth(platform)}`
  const open = await Promise.all(Array.from({ length: 400 }, () => rawConnection(kit.baseUrl)))
  for (const { send } of open) send(head(authorization))
  const answer = await platform.api.post('/tokens', { name: 'other', permissions: ['VIEW'] })
  assert.equal(answer.status, 201, answer.text)
  // A wrong length ends each of them.
  for (const { send } of open) send(`${' '.repeat(2_000)}\r\n\r\n`)
  await Promise.all(open.map((one) => one.answers()))
})

test('CORE-84 the connections of the API leave descriptors to the database and the disk', () => {
  const { settings } = kit.florin.deps
  const limits = (soft: string) => `Max open files            ${soft}              4096  files\n`
  assert.equal(connectionsMax(settings, limits('1024')), 1024 - 96 - settings.databasePoolSize - 16)
  assert.equal(connectionsMax(settings, limits('64')), 32)
  assert.equal(connectionsMax(settings, ''), connectionsMax(settings, limits('1024')))
})

test('CORE-84 with 256 descriptors and 300 idle connections the API goes on answering', async () => {
  const { databaseUrl, dataDir } = kit
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
  const service = await startServerProcess(env, { openFiles: 256 })
  const open = await Promise.all(Array.from({ length: 300 }, () => rawConnection(service.baseUrl)))
  for (let n = 0; n < 20; n += 1) {
    const answer = await fetch(`${service.baseUrl}/config`, {
      headers: { authorization: basicAuth(platform), connection: 'close' },
    })
    assert.equal(answer.status, 200)
    await answer.text()
  }
  await service.end('SIGTERM')
  await Promise.all(open.map((one) => one.answers()))
})

const SECOND_MS = 1_000
const authorized = `Authorization: ${basicAuth(platform)}`
const uploading = head()
  .replace('/tokens', '/documents')
  .replace('application/json', 'multipart/form-data; boundary=x')

/** What the service does in how many milliseconds with one request whose body does not come. */
async function limitOf(t: TestContext, connection: RawConnection, request: string) {
  const timers = t.mock.method(globalThis, 'setTimeout').mock
  connection.send(request)
  const { arguments: args } = await eventually(() => {
    const [set, ...more] = timers.calls.filter(({ stack }) =>
      stack.stack?.includes('slow-requests.ts:'),
    )
    assert.ok(set && more.length === 0, `${timers.callCount()} timers`)
    return set
  })
  const [end, ms] = args as [() => void, number]
  return { end, ms }
}

test('ERR-5 a JSON body has 30 s to arrive, then it is refused and its connection closed', async (t) => {
  const connection = await rawConnection(kit.baseUrl)
  const { end, ms } = await limitOf(t, connection, head(authorized))
  assert.equal(ms, 30 * SECOND_MS)
  end()
  const [answer, ...more] = await connection.answers()
  assert.deepEqual([answer?.status, more], [400, []])
  assert.match(answer?.body ?? '', /took too long to arrive/)
})

test('ERR-5 headers have half a minute, an upload half an hour', () => {
  const { headersTimeout, requestTimeout } = kit.florin.http.server
  assert.deepEqual([headersTimeout, requestTimeout], [30 * SECOND_MS, 30 * 60 * SECOND_MS])
})

for (const [what, request, seconds] of [
  ['JSON body', head(), 5],
  ['upload', uploading, 20],
] as const) {
  test(`CORE-20 a refused ${what} is closed ${seconds} s after its answer`, async (t) => {
    const connection = await rawConnection(kit.baseUrl)
    const { end, ms } = await limitOf(t, connection, request)
    assert.equal(ms, seconds * SECOND_MS)
    await connection.heard()
    end()
    const answers = await connection.answers()
    assert.deepEqual(
      answers.map(({ status }) => status),
      [401],
    )
  })
}
