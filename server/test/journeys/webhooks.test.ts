import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyWebhook } from '../kit/outside/verify-webhook.ts'
import { expectError, expectStatus, text } from '../kit/api.ts'
import { newCard } from '../kit/cards.ts'
import { advance, connect, openReceiver } from '../kit/outside/connect-receiver.ts'
import { eventually } from '../kit/eventually.ts'
import { startKit, type TestPlatform } from '../kit/florin.ts'
import type { Delivery, Receiver } from '../kit/outside/receiver.ts'

const kit = await startKit()
const DAY_SECONDS = 86_400

/** Something that happens: money arrives on the platform's USD account. */
async function fund({ api }: TestPlatform, amount = 100) {
  const query = { currency: 'USD' }
  const accounts = expectStatus(await api.get('/platform/internal-accounts', { query }), 200)
  const id = text(accounts.data[0]?.id)
  return expectStatus(await api.post(`/sandbox/internal-accounts/${id}/fund`, { amount }), 200)
}

const PAID = 'INCOMING_PAYMENT.COMPLETED'

/** The first delivery of the payment's event, once its attempt is recorded. */
async function firstAttempt(platform: TestPlatform, receiver: Receiver): Promise<Delivery> {
  const [delivery] = await eventually(() => {
    assert.equal(receiver.ofType(PAID).length, 1)
    return receiver.ofType(PAID)
  })
  assert.ok(delivery)
  await eventually(async () => {
    const event = await read(platform, delivery.event.id)
    assert.equal(event.attempts.length, 1)
  })
  return delivery
}

const read = async ({ api }: TestPlatform, id: string) =>
  expectStatus(await api.get(`/events/${id}`), 200)

const signedBy = (publicKey: string, { headers, raw }: Delivery): boolean =>
  verifyWebhook(publicKey, String(headers['x-service-signature']), raw)

test('scenarios 1, 2: a new endpoint receives a signed TEST, the same one again none', async () => {
  const [platform, other] = [await kit.platform(), await kit.platform()]
  const receiver = await openReceiver()
  const url = await connect(platform, receiver)
  const [delivery] = receiver.deliveries
  assert.ok(delivery)
  assert.deepEqual(delivery.event.data, {})
  assert.ok(signedBy(platform.webhookPublicKey, delivery))
  assert.ok(!signedBy(other.webhookPublicKey, delivery))
  const raw = Buffer.concat([delivery.raw, Buffer.from(' ')])
  assert.ok(!signedBy(platform.webhookPublicKey, { ...delivery, raw }))
  expectStatus(await platform.api.patch('/config', { webhookEndpoint: url }), 200)
  await fund(platform)
  await firstAttempt(platform, receiver)
  assert.equal(receiver.ofType('TEST').length, 1)
})

test('scenario 3: the test webhook tells what the endpoint answered', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  const send = () => platform.api.post('/sandbox/webhooks/test')
  expectError(await send(), 400, 'WEBHOOK_ENDPOINT_NOT_SET')
  const url = await connect(platform, receiver)
  const answer = expectStatus(await send(), 200)
  assert.deepEqual(answer, { url, response_status: 200, response_body: 'ok' })
  receiver.answer(500)
  expectError(await send(), 400, 'WEBHOOK_DELIVERY_ERROR')
  await advance(platform, DAY_SECONDS)
  assert.equal(receiver.ofType('TEST').length, 3)
})

test('scenario 4: two failures, then success; always the same body, always signed', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  const answered = new Map<string, number>()
  receiver.answerWith(({ event }, response) => {
    const times = (answered.get(event.id) ?? 0) + 1
    answered.set(event.id, times)
    response.writeHead(times <= 2 ? 500 : 200).end()
  })
  await fund(platform)
  const { event } = await firstAttempt(platform, receiver)
  await advance(platform, 10)
  assert.equal(receiver.ofType(PAID).length, 2)
  await advance(platform, 20)
  assert.equal(receiver.ofType(PAID).length, 3)
  await advance(platform, DAY_SECONDS)
  const deliveries = receiver.ofType(PAID)
  assert.equal(deliveries.length, 3)
  assert.equal(new Set(deliveries.map(({ raw }) => raw.toString())).size, 1)
  assert.ok(deliveries.every((delivery) => signedBy(platform.webhookPublicKey, delivery)))
  const shown = await read(platform, event.id)
  assert.equal(shown.deliveryStatus, 'DELIVERED')
  assert.equal(shown.attempts.length, 3)
})

test('scenarios 5, 6: 409 delivers at once, 302 leads nowhere', async () => {
  const [first, second] = [await kit.platform(), await kit.platform()]
  const [taken, redirecting, target] = [
    await openReceiver(),
    await openReceiver(),
    await openReceiver(),
  ]
  await connect(first, taken)
  await connect(second, redirecting)
  taken.answer(409)
  redirecting.answerWith((_delivery, response) =>
    response.writeHead(302, { location: target.url }).end(),
  )
  await fund(first)
  const { event } = await firstAttempt(first, taken)
  await advance(first, DAY_SECONDS)
  assert.equal(taken.ofType(PAID).length, 1)
  assert.equal((await read(first, event.id)).deliveryStatus, 'DELIVERED')
  await fund(second)
  await firstAttempt(second, redirecting)
  await advance(second, 10)
  assert.equal(redirecting.ofType(PAID).length, 2)
  assert.equal(target.deliveries.length, 0)
})

test('scenarios 7, 8: after a week it is over, until it is sent again; a new endpoint gets the retries', async () => {
  const platform = await kit.platform()
  const [receiver, other] = [await openReceiver(), await openReceiver()]
  await connect(platform, receiver)
  receiver.answer(503)
  await fund(platform)
  const { event } = await firstAttempt(platform, receiver)
  await connect(platform, other)
  other.answer(503)
  await advance(platform, 10)
  assert.deepEqual(
    other.ofType(PAID).map(({ event }) => event.id),
    [event.id],
  )
  await advance(platform, 7 * DAY_SECONDS + 3_600)
  assert.equal((await read(platform, event.id)).deliveryStatus, 'FAILED')
  other.answer(200)
  const before = other.ofType(PAID).length
  await advance(platform, DAY_SECONDS)
  assert.equal(other.ofType(PAID).length, before)
  expectStatus(await platform.api.post(`/events/${event.id}/redeliver`), 202)
  await eventually(async () =>
    assert.equal((await read(platform, event.id)).deliveryStatus, 'DELIVERED'),
  )
  assert.equal(other.ofType(PAID).length, before + 1)
})

test('scenario 9: an endpoint that hangs delays nobody else, and no request', async () => {
  const [slow, quick] = [await kit.platform(), await kit.platform()]
  const [hanging, receiver] = [await openReceiver(), await openReceiver()]
  await connect(slow, hanging)
  await connect(quick, receiver)
  hanging.answerWith(() => undefined)
  for (let n = 0; n < 20; n += 1) await fund(slow)
  await eventually(() => assert.ok(hanging.types().length > 0))
  await fund(quick)
  await eventually(() => assert.equal(receiver.ofType(PAID).length, 1), 1_000)
})

test('scenario 10: frozen, thawed and frozen again is told in this order', async () => {
  const platform = await kit.platform()
  const { id, patch } = await newCard(platform)
  const receiver = await openReceiver()
  await connect(platform, receiver)
  const states = ['FROZEN', 'ACTIVE', 'FROZEN']
  for (const state of states) expectStatus(await patch({ state }), 200)
  const emitted = await eventually(() => {
    const received = receiver.ofType('CARD.STATE_CHANGE')
    assert.equal(received.length, states.length)
    return received
  })
  assert.deepEqual(
    emitted.map(({ event }) => [event.data['id'], event.data['state']]),
    states.map((state) => [id, state]),
  )
  assert.equal(new Set(emitted.map(({ event }) => event.id)).size, states.length)
})

test('HOOK-6 HOOK-13 however many payments race, each leaves its events once, and balances arrive in order', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  await Promise.all(Array.from({ length: 20 }, () => fund(platform, 5)))
  await eventually(() => {
    assert.equal(receiver.ofType(PAID).length, 20)
    const last = receiver.ofType('INTERNAL_ACCOUNT.BALANCE_UPDATED').at(-1)
    assert.deepEqual((last?.event.data['balance'] as { amount: number }).amount, 100)
  })
  assert.equal(
    new Set(receiver.deliveries.map(({ event }) => event.id)).size,
    receiver.deliveries.length,
  )
  const balances = receiver
    .ofType('INTERNAL_ACCOUNT.BALANCE_UPDATED')
    .map(({ event }) => (event.data['balance'] as { amount: number }).amount)
  assert.deepEqual(
    balances,
    balances.toSorted((a, b) => a - b),
  )
})
