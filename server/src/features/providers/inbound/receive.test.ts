import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from '../../../infra/http/schema/type.ts'
import {
  expectError,
  expectStatus,
  items,
  text,
  type Answer,
  type Body,
} from '../../../../test/kit/api.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { sendAsProvider, type SentMessage } from '../../../../test/kit/outside/send-as-provider.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import { pruneMessages } from '../../../infra/providers/message-rows.ts'
import { createLog } from '../../../infra/logging/log.ts'
import { audit } from '../../../infra/work/audit.ts'
import { inWork } from '../../../infra/work/in-work.ts'
import type { Work, WorkFor } from '../../../infra/work/work.ts'
import { DatabaseUnavailable } from '../../../infra/db/connection/unavailable.ts'
import { addMs, HOUR_MS, SECOND_MS } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import { mustParseId, newUuid } from '../../../kernel/ids.ts'
import { newSecret, signMessage } from '../../../providers/http/sign-message.ts'
import { createReceiver } from './receive.ts'
import { batchRoute, type Inbound, type ItemResult } from './routes.ts'

// Time stands still unless a test moves it, so that limits can be counted.
let now = new Date('2026-11-15T10:00:00Z')
const lines: string[] = []
const log = createLog({ logLevel: 'debug' }, { write: (line) => void lines.push(line) })
const kit = await startOwnKit({}, { clock: { now: () => now }, worker: false, log })
const { deps } = kit.florin
const HTTP = '--kind http --url http://127.0.0.1:9700'
const bank = await operate(kit, `providers add --name bank ${HTTP} --ports rails,deposits`)
const feed = await operate(kit, `providers add --name feed ${HTTP} --ports prices`)

const report = (): object => ({
  orderId: `Order:${newUuid()}`,
  sequence: 1,
  state: 'SENT',
  at: now.toISOString(),
})
const BATCH = { reports: [report()] }

const send = (message: Partial<SentMessage> = {}) =>
  sendAsProvider(kit, { provider: bank, path: 'reports', body: BATCH, ...message })

const countMessages = async (): Promise<number> =>
  (await deps.db.read.many(sql`select 1 from provider_messages`)).length

const unknown: Body = { ...bank, providerId: `Provider:${newUuid()}` as unknown as Body }
const UNSIGNED: readonly (readonly [string, () => Partial<SentMessage>])[] = [
  ['another secret', () => ({ secrets: [newSecret()] })],
  ['the secret of another provider', () => ({ secrets: [text(feed['secret'])] })],
  ['no signature', () => ({ headers: { 'webhook-signature': '' } })],
  ['no message id', () => ({ headers: { 'webhook-id': '' } })],
  ['301 s ago', () => ({ at: addMs(now, -301 * SECOND_MS) })],
  ['301 s ahead', () => ({ at: addMs(now, 301 * SECOND_MS) })],
  ['an unknown provider', () => ({ provider: unknown })],
  [
    'an id of another kind',
    () => ({ provider: { ...bank, providerId: 'bank' as unknown as Body } }),
  ],
  ['a body that is no JSON, unsigned', () => ({ body: 'x', secrets: [newSecret()] })],
]

test('PROV-22 every unsigned call gets the same answer, and nothing is written', async () => {
  const before = await countMessages()
  const bodies = await Promise.all(
    UNSIGNED.map(async ([what, message]) => {
      const answer = await send(message())
      assert.equal(answer.status, 401, what)
      return answer.text
    }),
  )
  assert.equal(new Set(bodies).size, 1)
  assert.equal((JSON.parse(bodies[0] ?? '') as { code: string }).code, 'INVALID_SIGNATURE')
  assert.equal(await countMessages(), before)
})

test('PROV-22 a removed provider is unknown', async () => {
  const gone = await operate(kit, `providers add --name gone ${HTTP} --ports identity`)
  expectStatus(await send({ provider: gone }), 200)
  await operate(kit, 'providers remove gone')
  expectError(await send({ provider: gone }), 401, 'INVALID_SIGNATURE')
})

test('PROV-23 either secret is taken for the overlap, then the new one alone', async () => {
  const rotating = await operate(kit, `providers add --name rotating ${HTTP} --ports identity`)
  const { secret } = await operate(kit, 'providers rotate-secret rotating')
  const by = (one: Body | undefined) => send({ provider: rotating, secrets: [text(one)] })
  expectStatus(await by(secret), 200)
  expectStatus(await by(rotating['secret']), 200)
  now = addMs(now, 25 * HOUR_MS)
  expectStatus(await by(secret), 200)
  expectError(await by(rotating['secret']), 401, 'INVALID_SIGNATURE')
})

test('PROV-24 an id seen before gets the stored answer; with another body it is refused', async () => {
  const messageId = newUuid()
  const { text: first } = await send({ messageId })
  const again = await send({ messageId, at: addMs(now, 10 * SECOND_MS) })
  assert.deepEqual([again.status, again.text], [200, first])
  const other = { reports: [report(), report()] }
  const details = expectError(await send({ messageId, body: other }), 409, 'CONFLICT')
  assert.deepEqual(details, { reason: 'MESSAGE_ID_REUSED' })
  const [row] = await deps.db.read.many<{ answer: Buffer }>(
    sql`select sealed_answer as answer from provider_messages where message_id = ${messageId}`,
  )
  assert.ok(!row?.answer.includes('REJECTED'), 'it is sealed')
  now = addMs(now, 24 * HOUR_MS)
  const next = expectStatus(await send({ messageId, body: other }), 200)
  assert.equal(items(next['results']).length, 2)
  now = addMs(now, 24 * HOUR_MS)
  await pruneMessages(deps.db, now)
  assert.equal(await countMessages(), 0)
})

test('PROV-24 of two bodies under one id at once, one is taken', async () => {
  const messageId = newUuid()
  const bodies = [1, 2, 3, 4].map((count) => ({ reports: Array.from({ length: count }, report) }))
  const answers = await Promise.all(bodies.map((body) => send({ messageId, body })))
  const statuses = answers.map(({ status }) => status).toSorted()
  assert.deepEqual(statuses, [200, 409, 409, 409])
})

test('PROV-27 another version is refused, none means the first; unknown fields are ignored', async () => {
  const wrong = await send({ headers: { 'provider-protocol-version': '2' } })
  const details = expectError(wrong, 400, 'INVALID_INPUT')
  assert.deepEqual(details['errors'], [
    { field: 'Provider-Protocol-Version', constraint: { enum: ['1'] }, message: 'must be 1' },
  ])
  const extra = { reports: [{ ...report(), colour: 'red' }], note: 'x' }
  const { results } = expectStatus(await send({ body: extra }), 200)
  assert.equal(items(results)[0]?.['code'], 'REFERENCE_NOT_FOUND')
})

const TEN_MEGABYTES = 10 * 1024 * 1024

const WRONG: readonly (readonly [number, string, Partial<SentMessage>])[] = [
  [400, 'INVALID_REQUEST_FORMAT', { body: '{' }],
  [400, 'INVALID_INPUT', { body: [] }],
  [400, 'INVALID_INPUT', { body: {} }],
  [400, 'INVALID_INPUT', { body: { reports: [] } }],
  [400, 'INVALID_INPUT', { body: { reports: Array.from({ length: 101 }, report) } }],
  [403, 'FORBIDDEN', { provider: feed }],
  [404, 'REFERENCE_NOT_FOUND', { path: 'rumours' }],
  [413, 'PAYLOAD_TOO_LARGE', { body: ' '.repeat(TEN_MEGABYTES) }],
  [405, 'METHOD_NOT_ALLOWED', { method: 'GET', body: '' }],
  [415, 'UNSUPPORTED_MEDIA_TYPE', { headers: { 'content-type': 'text/plain' } }],
]

for (const [status, code, message] of WRONG) {
  test(`PROV-28 ${status} ${code} is answered in the envelope, and the id can be used again`, async () => {
    const messageId = newUuid()
    const answer = await send({ messageId, ...message })
    const details = expectError(answer, status, code)
    if (status === 403) assert.deepEqual(details, { reason: 'PORT_NOT_GRANTED' })
    assert.match(answer.headers.get('x-request-id') ?? '', /./)
    expectStatus(await send({ messageId }), 200)
  })
}

test('PROV-28 PROV-29 an item that is malformed or of nothing is rejected at its index', async () => {
  const body = { reports: [{ ...report(), sequence: 0 }, report(), 7] }
  const results = items(expectStatus(await send({ body }), 200)['results'])
  assert.deepEqual(
    results.map(({ result, code }) => [result, code]),
    [
      ['REJECTED', 'INVALID_INPUT'],
      ['REJECTED', 'REFERENCE_NOT_FOUND'],
      ['REJECTED', 'INVALID_INPUT'],
    ],
  )
  assert.equal(results[0]?.['details']?.['errors']?.[0]?.['field'], 'sequence')
})

test('PROV-28 ERR-5 an item with text that cannot be kept is rejected alone', async () => {
  const unstorable = { ...report(), reference: 'ACME\u0000' }
  const body = { reports: [unstorable, report()] }
  const results = items(expectStatus(await send({ body }), 200)['results'])
  assert.deepEqual(
    results.map(({ code }) => code),
    ['INVALID_INPUT', 'REFERENCE_NOT_FOUND'],
  )
  assert.equal(results[0]?.['details']?.['errors']?.[0]?.['field'], 'reference')
})

const platform = await kit.platform({ environment: 'PRODUCTION' })
const sandbox = await kit.platform()
const platformId = mustParseId('platform', platform.platformId)

/** Leaves an audit entry of the item, then does what the item says. */
async function takeNote(inbound: Inbound, item: { note: string }): Promise<ItemResult> {
  const id = item.note === 'sandbox' ? mustParseId('platform', sandbox.platformId) : platformId
  return inbound.inPlatform(id, async (work) => {
    audit(work, { action: 'take note', resource: item.note })
    await work.tx.run(sql`select 1`)
    if (item.note === 'refused') fail('INVALID_AMOUNT')
    if (item.note === 'bug') throw new Error('a bug')
    if (item.note === 'outage') throw new DatabaseUnavailable('gone')
    return { result: 'APPLIED' }
  })
}

const notes = batchRoute({
  path: 'reports',
  list: 'notes',
  item: Type.Object({ note: Type.String() }),
  take: takeNote,
})

async function receive(list: readonly string[], messageId = newUuid()): Promise<unknown> {
  const body = JSON.stringify({ notes: list.map((note) => ({ note })) })
  const headers = signMessage({ id: messageId, at: now, body }, [text(bank['secret'])])
  const providerId = text(bank['providerId'])
  const rawBody = Buffer.from(body)
  const call = { requestId: newUuid(), providerId, headers, rawBody, ip: '127.0.0.1' }
  const host = {
    deps,
    inWork: <T>(options: WorkFor, run: (work: Work) => Promise<T>) => inWork(deps, options, run),
  }
  return createReceiver(host, {})(notes, call)
}

const noted = async (): Promise<string[]> =>
  items(await operate(kit, 'audit list --limit 100 --action', 'take note'))
    .map(({ resource }) => text(resource))
    .toSorted()

test('PROV-28 PROV-4 each item has a transaction of its own and its own result', async () => {
  const answer = await receive(['a1', 'refused', 'sandbox', 'a2'])
  const { results } = answer as { results: ItemResult[] }
  assert.deepEqual(
    results.map(({ result, code }) => [result, code]),
    [
      ['APPLIED', undefined],
      ['REJECTED', 'INVALID_AMOUNT'],
      ['REJECTED', 'REFERENCE_NOT_FOUND'],
      ['APPLIED', undefined],
    ],
  )
  assert.deepEqual(await noted(), ['a1', 'a2'])
  const [entry] = items(await operate(kit, 'audit list --action', 'take note'))
  assert.equal(entry?.['actor'], 'provider:bank')
})

test('PROV-28 a bug in one item stops no other, and the answer asks for repetition', async () => {
  const messageId = newUuid()
  await assert.rejects(receive(['b1', 'bug', 'b2'], messageId), /a bug/)
  assert.deepEqual(await noted(), ['a1', 'a2', 'b1', 'b2'])
  await assert.rejects(receive(['b1', 'bug', 'b2'], messageId), /a bug/, 'it is taken again')
  await assert.rejects(receive(['b1'], messageId), { code: 'CONFLICT' })
})

test('PROV-28 an outage stops the batch', async () => {
  await assert.rejects(receive(['c1', 'outage', 'c2']), DatabaseUnavailable)
  assert.ok((await noted()).includes('c1'))
  assert.ok(!(await noted()).includes('c2'))
})

test('PROV-30 after 200 calls at once a provider is told to wait, others are not', async () => {
  const busy = await operate(kit, `providers add --name busy ${HTTP} --ports screening`)
  const answers: Answer[] = []
  // Few at a time, so that none is refused for the load that all of them are.
  for (let round = 0; round < 7; round += 1) {
    const calls = Array.from({ length: 30 }, () => send({ provider: busy, body: { reports: [] } }))
    answers.push(...(await Promise.all(calls)))
  }
  const limited = answers.filter(({ status }) => status === 429)
  assert.equal(limited.length, 10)
  assert.ok(limited.every(({ headers }) => headers.get('retry-after') === '1'))
  expectStatus(await send(), 200)
  now = addMs(now, SECOND_MS)
  expectStatus(await send({ provider: busy }), 200)
})

test('PROV-30 neither body, signature nor secret is logged', async () => {
  const mark = newUuid()
  const { headers } = await send({ body: { reports: [{ ...report(), reference: mark }] } })
  await send({ body: mark, messageId: mark })
  await eventually(() => assert.ok(lines.join().includes(headers.get('x-request-id') ?? '-')))
  const logged = lines.join('\n')
  assert.ok(logged.includes('provider reports'))
  const secrets = [mark, 'v1,', 'whsec_', text(bank['secret']).slice(6)]
  assert.deepEqual(
    secrets.filter((secret) => logged.includes(secret)),
    [],
  )
})
