import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus } from '../../../test/kit/api.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { rawConnection } from '../../../test/kit/processes/raw-connection.ts'
import { sql } from '../db/statement/sql.ts'
import { createLog } from '../logging/log.ts'

type Entry = Readonly<Record<string, unknown>>

const entries: Entry[] = []
const log = createLog(
  { logLevel: 'debug' },
  { write: (line) => void entries.push(JSON.parse(line) as Entry) },
)
const kit = await startOwnKit({}, { log })
const { api, clientId, clientSecret } = await kit.platform()

/** A line may come just behind the answer. */
const entryOf = (
  id: string,
  message: string,
  field: 'requestId' | 'clientRequestId' = 'clientRequestId',
): Promise<Entry> =>
  eventually(() => {
    const found = entries.find((one) => one[field] === id && one['msg'] === message)
    assert.ok(found, `${message} of ${id}`)
    return found
  })

test('CORE-10 the line of a request carries the id that its answer carries', async () => {
  for (const [path, status] of [
    ['/config', 200],
    ['/tokens/x', 404],
    ['/nothing', 404],
  ] as const) {
    const { headers } = await api.get(path)
    const entry = await entryOf(headers.get('x-request-id') ?? '', 'request', 'requestId')
    assert.deepEqual([entry['path'], entry['status']], [`/2025-10-13${path}`, status])
  }
})

test('CORE-10 a client’s own id is logged beside ours, never instead of it', async () => {
  const known = (await api.get('/config')).headers.get('x-request-id') ?? ''
  for (let n = 0; n < 2; n += 1) {
    const { headers } = await api.get('/tokens/x', { headers: { 'x-request-id': known } })
    assert.equal(headers.get('x-request-id'), known)
  }
  await entryOf(known, 'request', 'requestId')
  const named = await eventually(() => {
    const lines = entries.filter((one) => one['clientRequestId'] === known)
    assert.equal(lines.length, 2)
    return lines
  })
  const ids = new Set([known, ...named.map((one) => one['requestId'])])
  assert.equal(ids.size, 3, 'each request has an id of its own')
  assert.equal(entries.filter((one) => one['requestId'] === known).length, 1)
})

test('CORE-10 a failure is logged under the id of its request, with its cause', async () => {
  const { db } = kit.florin.deps
  await db.read.run(sql`alter table platform_currencies rename to hidden_away`)
  try {
    const answer = await api.get('/config', { headers: { 'x-request-id': 'a failure' } })
    expectError(answer, 500, 'INTERNAL_ERROR')
  } finally {
    await db.read.run(sql`alter table hidden_away rename to platform_currencies`)
  }
  const { err } = await entryOf('a failure', 'request failed')
  assert.match(JSON.stringify(err), /platform_currencies/)
  assert.equal((await entryOf('a failure', 'request'))['status'], 500)
})

test('CORE-10 what the parser refuses is logged under the id that it was answered with', async () => {
  const connection = await rawConnection(kit.baseUrl)
  connection.send('no HTTP at all\r\n\r\n')
  const [answer] = await connection.answers()
  const id = answer?.headers.get('x-request-id') ?? ''
  assert.equal((await entryOf(id, 'request not parsed', 'requestId'))['status'], 400)
})

test('CORE-10 a body that breaks off is logged as it was answered, and is no failure', async () => {
  const connection = await rawConnection(kit.baseUrl)
  connection.send('GET /nothing HTTP/1.1\r\nHost: florin.example\r\n\r\n')
  await connection.heard()
  const head = [
    'POST /2025-10-13/tokens HTTP/1.1',
    'Host: florin.example',
    `Authorization: Basic ${btoa(`${clientId}:${clientSecret}`)}`,
    'X-Request-Id: broken off',
    'Transfer-Encoding: chunked',
  ]
  connection.send(`${head.join('\r\n')}\r\n\r\n`)
  // Answered behind it, so by then the body is waited for.
  expectStatus(await api.get('/config'), 200)
  connection.send('no length of a chunk\r\n')
  const [, answer] = await connection.answers()
  assert.equal(answer?.status, 400)
  const { because } = await entryOf('broken off', 'INVALID_REQUEST_FORMAT')
  assert.equal(because, 'aborted')
  const levels = entries
    .filter((one) => one['clientRequestId'] === 'broken off')
    .map((one) => one['level'])
  assert.ok(!levels.includes('error'))
})

test('CORE-91 a code in the path of a request is not logged', async () => {
  const code = 'abcdefghjk2345678mnp'
  const headers = { 'x-request-id': 'an invitation' }
  await api.get(`/invitations/${code}`, { headers })
  const { path } = await entryOf('an invitation', 'request')
  assert.equal(path, '/2025-10-13/invitations/[redacted]')
  assert.ok(!JSON.stringify(entries).includes(code))
})
