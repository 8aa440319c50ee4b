import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { expectError, expectStatus, text } from '../../test/kit/api.ts'
import { advance, connect, openReceiver } from '../../test/kit/outside/connect-receiver.ts'
import { startOwnKit, type TestPlatform } from '../../test/kit/florin.ts'
import { sql } from '../infra/db/statement/sql.ts'
import { verifyWebhook } from '../../test/kit/outside/verify-webhook.ts'
import { newUuid } from '../kernel/ids.ts'

const kit = await startOwnKit({ WIRE_BRAND: 'Acme' })
const DAY_SECONDS = 86_400

const events = async ({ api }: TestPlatform) => expectStatus(await api.get('/events'), 200).data

test('HOOK-41 sends a TEST and answers what the receiver answered', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  const url = await connect(platform, receiver)
  receiver.answer(201, 'thank you')
  const answer = expectStatus(await platform.api.post('/sandbox/webhooks/test'), 200)
  assert.deepEqual(answer, { url, response_status: 201, response_body: 'thank you' })
  const [, second] = receiver.ofType('TEST')
  assert.deepEqual(second?.event.data, {})
  const [event] = await events(platform)
  assert.equal(event?.id, second.event.id)
  assert.equal(event.deliveryStatus, 'DELIVERED')
  assert.equal(event.attempts.length, 1)
})

test('HOOK-24 CORE-11 it is signed, under the brand’s header name', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  expectStatus(await platform.api.post('/sandbox/webhooks/test'), 200)
  const [, delivery] = receiver.deliveries
  assert.ok(delivery)
  const signature = text(delivery.headers['x-acme-signature'])
  assert.ok(verifyWebhook(platform.webhookPublicKey, signature, delivery.raw))
  assert.equal(delivery.headers['x-service-signature'], undefined)
})

test('HOOK-41 CORE-94 a long answer is cut at 500 characters', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  receiver.answer(200, 'x'.repeat(100_000))
  const answer = expectStatus(await platform.api.post('/sandbox/webhooks/test'), 200)
  assert.equal(answer.response_body.length, 500)
})

test('HOOK-41 any other status is an error that shows it, and is not retried', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  const url = await connect(platform, receiver)
  for (const status of [500, 302, 409]) {
    receiver.answer(status, 'no')
    const answer = await platform.api.post('/sandbox/webhooks/test')
    const details = expectError(answer, 400, 'WEBHOOK_DELIVERY_ERROR')
    assert.deepEqual(details, { url, response_status: status, response_body: 'no' })
  }
  assert.equal(receiver.ofType('TEST').length, 4)
  await advance(platform, DAY_SECONDS)
  assert.equal(receiver.ofType('TEST').length, 4)
  const statuses = (await events(platform)).map((event) => event.deliveryStatus)
  assert.deepEqual(statuses, ['DELIVERED', 'FAILED', 'FAILED', 'DELIVERED'])
})

test('HOOK-41 an endpoint that cannot be reached is an error that names it', async () => {
  const platform = await kit.platform()
  const url = 'http://127.0.0.1:9/hook'
  expectStatus(await platform.api.patch('/config', { webhookEndpoint: url }), 200)
  const answer = await platform.api.post('/sandbox/webhooks/test')
  const details = expectError(answer, 400, 'WEBHOOK_DELIVERY_ERROR')
  assert.equal(details['url'], url)
  assert.equal(details['response_status'], undefined)
})

test('HOOK-42 without an endpoint it is refused, and nothing is emitted', async () => {
  const platform = await kit.platform()
  const answer = await platform.api.post('/sandbox/webhooks/test')
  expectError(answer, 400, 'WEBHOOK_ENDPOINT_NOT_SET')
  assert.deepEqual(await events(platform), [])
})

test('CORE-41 under one key one TEST is sent, also when it fails', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  receiver.answer(500)
  const headers = { 'Idempotency-Key': newUuid() }
  const send = () => platform.api.post('/sandbox/webhooks/test', undefined, { headers })
  expectError(await send(), 400, 'WEBHOOK_DELIVERY_ERROR')
  const replayed = await send()
  expectError(replayed, 400, 'WEBHOOK_DELIVERY_ERROR')
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true')
  assert.equal(receiver.ofType('TEST').length, 2)
})

test('CORE-42 while one under the same key waits for its answer, a second is refused and sends nothing', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  const { promise: asked, resolve: noteAsked } = Promise.withResolvers<ServerResponse>()
  receiver.answerWith((_delivery, response) => {
    receiver.answer(200)
    noteAsked(response)
  })
  const headers = { 'Idempotency-Key': newUuid() }
  const send = () => platform.api.post('/sandbox/webhooks/test', undefined, { headers })
  const first = send()
  const waiting = await asked
  expectError(await send(), 409, 'IDEMPOTENCY_KEY_IN_USE')
  waiting.writeHead(202).end('thanks')
  assert.equal(expectStatus(await first, 200).response_status, 202)
  assert.equal((await send()).headers.get('idempotent-replayed'), 'true')
  assert.equal(receiver.ofType('TEST').length, 2)
})

test('HOOK-41 CORE-40 a lock that does not come when the outcome is written sends no second TEST under the key', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  const { read } = kit.florin.deps.db
  await read.run(sql`create function refuse_lock() returns trigger language plpgsql as
    $$ begin raise exception 'no lock' using errcode = '55P03'; end $$`)
  await read.run(sql`create trigger refuse_lock before update on event_attempts
    for each row when (new.duration_ms is not null) execute function refuse_lock()`)
  const headers = { 'Idempotency-Key': newUuid() }
  try {
    const answer = await platform.api.post('/sandbox/webhooks/test', undefined, { headers })
    expectError(answer, 503, 'SERVICE_UNAVAILABLE')
  } finally {
    await read.run(sql`drop trigger refuse_lock on event_attempts`)
  }
  assert.equal(receiver.ofType('TEST').length, 2)
})
