import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { client, expectStatus } from '../../../test/kit/api.ts'
import { openReceiver } from '../../../test/kit/outside/connect-receiver.ts'
import { cloneDatabase } from '../../../test/kit/database/database.ts'
import { emitEvent } from '../../../test/kit/outside/emit-event.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { createFlorin, type Florin } from '../../app/florin.ts'
import { createLog } from '../../infra/logging/log.ts'
import { loadSettings } from '../../infra/settings/settings.ts'
import { createPlatform } from '../../operator/create-platform.ts'

const database = await cloneDatabase()
const started: Florin[] = []
after(async () => {
  await Promise.all(started.map((florin) => florin.stop()))
  await database.drop()
})
const masterKey = Buffer.alloc(32, 7).toString('base64')

/** The service in this process, which can be stopped and started. */
async function start({ worker = true, brand = 'Service' } = {}) {
  const given = {
    DATABASE_URL: database.url,
    MASTER_KEY: masterKey,
    RATE_LIMIT_PER_SECOND: '0',
    WIRE_BRAND: brand,
  }
  const settings = loadSettings(given, { cwd: import.meta.dirname })
  const log = createLog({ logLevel: 'fatal' })
  const options = { settings: { ...settings, databaseUrl: database.url, masterKey }, log, worker }
  const florin = await createFlorin(options)
  started.push(florin)
  const origin = await florin.http.listen({ host: '127.0.0.1', port: 0 })
  return { florin, baseUrl: `${origin}/2025-10-13` }
}

async function stop({ florin }: { florin: Florin }): Promise<void> {
  started.splice(started.indexOf(florin), 1)
  await florin.stop()
}

const REQUEST = {
  name: 'Restarted',
  kind: 'REGULATED',
  environment: 'SANDBOX',
  currencies: ['USD'],
} as const

test('HOOK-33 CORE-85 a service that stops gives back what hangs; its successor sends it at once', async () => {
  const first = await start()
  const platform = await createPlatform(first.florin.deps, REQUEST)
  const receiver = await openReceiver()
  const config = { webhookEndpoint: receiver.url }
  expectStatus(await client(first.baseUrl, platform).patch('/config', config), 200)
  await eventually(() => assert.equal(receiver.ofType('TEST').length, 1))
  receiver.answerWith(() => undefined)
  const id = await emitEvent(first, platform)
  await eventually(() => assert.equal(receiver.types().length, 1))
  const stopStartedAt = performance.now()
  await stop(first)
  assert.ok(performance.now() - stopStartedAt < 10_000)

  receiver.answer(200)
  const second = await start()
  await eventually(() => assert.equal(receiver.types().length, 2))
  const api = client(second.baseUrl, platform)
  await eventually(async () => {
    const event = expectStatus(await api.get(`/events/${id}`), 200)
    assert.equal(event.deliveryStatus, 'DELIVERED')
  })
  await stop(second)

  const third = await start()
  const marker = await emitEvent(third, platform, { type: 'INVITATION.CLAIMED' })
  await eventually(() => assert.deepEqual(receiver.types().at(-1), 'INVITATION.CLAIMED'))
  assert.equal(receiver.types().length, 3, 'a recorded success is not repeated')
  assert.equal(receiver.deliveries.at(-1)?.event.id, marker)
  await stop(third)
})

test('CORE-62 a process without background leaves attempts to others, and runs those of a jump itself', async () => {
  const { florin, baseUrl } = await start({ worker: false })
  const platform = await createPlatform(florin.deps, REQUEST)
  const receiver = await openReceiver()
  const api = client(baseUrl, platform)
  expectStatus(await api.patch('/config', { webhookEndpoint: receiver.url }), 200)
  expectStatus(await api.post('/sandbox/webhooks/test'), 200)
  assert.equal(receiver.deliveries.length, 1, 'only the one that is waited for')
  expectStatus(await api.post('/sandbox/clock', { advanceSeconds: 1 }), 200)
  assert.equal(receiver.deliveries.length, 2)
})

test('HOOK-2 HOOK-3 HOOK-5 an event is branded when it is first sent, and sent again as it was then', async () => {
  const data = { id: 'Card:1', stateReason: 'CLOSED_BY_SERVICE', note: 'CLOSED_BY_SERVICE' }
  const first = await start()
  const platform = await createPlatform(first.florin.deps, REQUEST)
  const skipped = await emitEvent(first, platform, { data })
  const receiver = await openReceiver()
  const config = { webhookEndpoint: receiver.url }
  expectStatus(
    await client(first.baseUrl, platform).post('/sandbox/clock', { advanceSeconds: 1 }),
    200,
  )
  expectStatus(await client(first.baseUrl, platform).patch('/config', config), 200)
  await eventually(() => assert.equal(receiver.ofType('TEST').length, 1))
  receiver.answer(500)
  const failing = await emitEvent(first, platform, { data })
  await eventually(() => assert.equal(receiver.types().length, 1))
  await stop(first)

  const second = await start({ brand: 'Acme', worker: false })
  const api = client(second.baseUrl, platform)
  expectStatus(await api.post('/sandbox/clock', { advanceSeconds: 10 }), 200)
  const sentOf = (id: string) => receiver.deliveries.filter(({ event }) => event.id === id)
  const [before, after, ...more] = sentOf(failing)
  assert.ok(before && after)
  assert.deepEqual(more, [])
  assert.deepEqual(after.raw, before.raw)
  assert.equal(after.event.data['stateReason'], 'CLOSED_BY_SERVICE')
  assert.ok(before.headers['x-service-signature'])
  assert.ok(after.headers['x-acme-signature'])
  assert.equal(after.headers['x-service-signature'], undefined)

  const shown = expectStatus(await api.get(`/events/${failing}`), 200)
  assert.equal(shown.data?.['stateReason'], 'CLOSED_BY_ACME')
  const fresh = await emitEvent(second, platform, { data })
  receiver.answer(200)
  for (const id of [failing, skipped, fresh, fresh]) {
    expectStatus(await api.post(`/events/${id}/redeliver`), 202)
    expectStatus(await api.post('/sandbox/clock', { advanceSeconds: 1 }), 200)
  }
  assert.deepEqual(sentOf(failing).at(-1)?.raw, before.raw)
  for (const id of [skipped, fresh]) {
    assert.deepEqual(sentOf(id).at(-1)?.event.data, { ...data, stateReason: 'CLOSED_BY_ACME' })
  }
  assert.equal(new Set(sentOf(fresh).map(({ raw }) => raw.toString())).size, 1)
  await stop(second)
})
