import assert from 'node:assert/strict'
import { createVerify } from 'node:crypto'
import { describe, test } from 'node:test'
import type { EventRecord } from '../../../sdk/src/index.ts'
import { expectStatus, text, type Shown } from '../../test/kit/api.ts'
import { advance, connect, openReceiver } from '../../test/kit/outside/connect-receiver.ts'
import { emitEvent, emitEvents } from '../../test/kit/outside/emit-event.ts'
import { eventually } from '../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../test/kit/florin.ts'
import { operate } from '../../test/kit/operator.ts'
import type { Delivery } from '../../test/kit/outside/receiver.ts'
import { sql } from '../infra/db/statement/sql.ts'
import { inWork } from '../infra/work/in-work.ts'
import { findPlatform } from '../infra/platforms.ts'
import { mustParseId, newUuid } from '../kernel/ids.ts'
import { platformTime } from '../kernel/platform.ts'
import { askPlatform } from './delivery/ask-platform.ts'
import { emit } from './emit.ts'

const kit = await startOwnKit()
const { deps } = kit.florin
const DAY_SECONDS = 86_400

const read = async ({ api }: TestPlatform, id: string) =>
  expectStatus(await api.get(`/events/${id}`), 200)

const statusOf = async (platform: TestPlatform, id: string): Promise<unknown> =>
  (await read(platform, id)).deliveryStatus

/** Waits until the event's delivery has come so far. */
const until = (platform: TestPlatform, id: string, status: string) =>
  eventually(async () => {
    const event = await read(platform, id)
    assert.equal(event.deliveryStatus, status)
    return event
  })

const attemptsOf = (event: Shown<EventRecord>) => event.attempts

const untilAttempts = (platform: TestPlatform, id: string, count: number) =>
  eventually(async () => {
    const event = await read(platform, id)
    assert.equal(attemptsOf(event).length, count)
    return event
  })

function verifies({ raw, headers }: Delivery, publicKeyPem: string): boolean {
  const { v, s } = JSON.parse(String(headers['x-service-signature'])) as { v: string; s: string }
  assert.equal(v, '1')
  return createVerify('SHA256').update(raw).verify(publicKeyPem, Buffer.from(s, 'base64'))
}

describe('a delivery', () => {
  test('HOOK-1 HOOK-2 HOOK-40 a new endpoint receives a TEST with empty data', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    const [delivery] = receiver.deliveries
    assert.ok(delivery)
    const { id, timestamp } = delivery.event
    assert.match(id, /^Webhook:[0-9a-f-]{36}$/)
    assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const body = `{"id":"${id}","type":"TEST","timestamp":"${timestamp}","data":{}}`
    assert.equal(delivery.raw.toString('utf8'), body)
    assert.equal(delivery.headers['content-type'], 'application/json')
    assert.equal(delivery.headers['user-agent'], 'florin-webhooks/1')
    for (const name of ['authorization', 'cookie', 'proxy-authorization']) {
      assert.equal(delivery.headers[name], undefined)
    }
    await until(platform, id, 'DELIVERED')
  })

  test('HOOK-20 HOOK-21 HOOK-22 the signature is of these bytes and of this platform', async () => {
    const platform = await kit.platform()
    const other = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    const [delivery] = receiver.deliveries
    assert.ok(delivery)
    assert.ok(verifies(delivery, platform.webhookPublicKey))
    assert.ok(!verifies(delivery, other.webhookPublicKey))
    const raw = Buffer.from(delivery.raw)
    raw.writeUInt8(raw.readUInt8(20) ^ 1, 20)
    assert.ok(!verifies({ ...delivery, raw }, platform.webhookPublicKey))
  })

  test('HOOK-40 setting the same endpoint again sends no second TEST', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    const url = await connect(platform, receiver)
    expectStatus(await platform.api.patch('/config', { webhookEndpoint: url }), 200)
    const marker = await emitEvent(kit, platform)
    await until(platform, marker, 'DELIVERED')
    assert.equal(receiver.ofType('TEST').length, 1)
  })

  test('HOOK-4 HOOK-5 HOOK-7 an event arrives within a second as it was rendered, at its own time', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    await advance(platform, 3_600)
    const data = { id: 'Card:1', name: 'Žofie "x" \u2028', nested: { list: [1, null, true] } }
    const clock = expectStatus(await platform.api.get('/sandbox/clock'), 200)
    const startedAt = performance.now()
    const id = await emitEvent(kit, platform, { type: 'CARD.STATE_CHANGE', data })
    await eventually(() => assert.equal(receiver.types().length, 1))
    assert.ok(performance.now() - startedAt < 1_000)
    const [delivery] = receiver.ofType('CARD.STATE_CHANGE')
    assert.deepEqual(delivery?.event.data, data)
    assert.equal(delivery.event.id, id)
    const sinceClockMs = Date.parse(delivery.event.timestamp) - Date.parse(clock.now)
    assert.ok(sinceClockMs >= 0 && sinceClockMs < 1_000, `${sinceClockMs} ms`)
  })

  test('HOOK-6 what is rolled back leaves no event', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    const row = await findPlatform(deps.db.read, mustParseId('platform', platform.platformId))
    assert.ok(row)
    const caller = { platform: row, actor: { kind: 'system', name: 'test' }, requestId: newUuid() }
    const refused = inWork(deps, caller as never, (work) => {
      emit(work, 'CARD.STATE_CHANGE', { id: 'Card:1' })
      return Promise.reject(new Error('refused'))
    })
    await assert.rejects(refused, /refused/)
    const marker = await emitEvent(kit, platform, { type: 'INVITATION.CLAIMED' })
    await until(platform, marker, 'DELIVERED')
    assert.deepEqual(receiver.types(), ['INVITATION.CLAIMED'])
  })

  test('HOOK-10 409 says "already processed": delivered, not retried', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    receiver.answer(409)
    const id = await emitEvent(kit, platform)
    const event = await until(platform, id, 'DELIVERED')
    assert.equal(attemptsOf(event)[0]?.responseStatus, 409)
    await advance(platform, DAY_SECONDS)
    assert.equal(receiver.types().length, 1)
  })

  test('HOOK-9 a redirect is not followed, and is retried where it came from', async () => {
    const platform = await kit.platform()
    const [receiver, other] = [await openReceiver(), await openReceiver()]
    await connect(platform, receiver)
    receiver.answerWith((_delivery, response) =>
      response.writeHead(302, { location: other.url }).end(),
    )
    const id = await emitEvent(kit, platform)
    const event = await untilAttempts(platform, id, 1)
    assert.equal(attemptsOf(event)[0]?.responseStatus, 302)
    await advance(platform, 10)
    assert.equal(receiver.types().length, 2)
    assert.equal(other.deliveries.length, 0)
  })

  test('HOOK-8 any 2xx delivers, and a long answer is not read to its end', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    receiver.answerWith((_delivery, response) => {
      response.writeHead(299)
      const chunk = Buffer.alloc(64 * 1024, 'x')
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', more)
      more()
    })
    const id = await emitEvent(kit, platform)
    const event = await until(platform, id, 'DELIVERED')
    assert.equal(attemptsOf(event)[0]?.responseStatus, 299)
  })

  test('HOOK-11 a connection that is refused or breaks is a failed attempt', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    receiver.answerWith((_delivery, response) => void response.destroy())
    const broken = await emitEvent(kit, platform)
    const event = await untilAttempts(platform, broken, 1)
    assert.equal(event.deliveryStatus, 'PENDING')
    assert.match(text(attemptsOf(event)[0]?.error), /^connect: /)
    assert.equal(attemptsOf(event)[0]?.responseStatus, undefined)
    const closed = 'http://127.0.0.1:9/hook'
    expectStatus(await platform.api.patch('/config', { webhookEndpoint: closed }), 200)
    const refused = await emitEvent(kit, platform)
    const second = await untilAttempts(platform, refused, 1)
    assert.equal(attemptsOf(second)[0]?.url, closed)
    assert.match(text(attemptsOf(second)[0]?.error), /^connect: /)
  })

  test('HOOK-15 CORE-94 in production an address that is not public is a failed attempt', async () => {
    const platform = await kit.platform({ environment: 'PRODUCTION' })
    const receiver = await openReceiver()
    // The interface would not take it; the name may come to mean a private address later.
    await deps.db.read.run(
      sql`update platforms set webhook_endpoint = ${receiver.url}
          where id = ${mustParseId('platform', platform.platformId)}`,
    )
    const id = await emitEvent(kit, platform)
    const event = await untilAttempts(platform, id, 1)
    assert.match(text(attemptsOf(event)[0]?.error), /^refused-target: /)
    assert.equal(event.deliveryStatus, 'PENDING')
    const delayMs =
      Date.parse(text(event.nextAttemptAt)) - Date.parse(text(attemptsOf(event)[0]?.at))
    assert.ok(delayMs >= 10_000 && delayMs <= 11_000, 'HOOK-30 up to a tenth of jitter')
    assert.equal(receiver.deliveries.length, 0)
  })
})

describe('retries', () => {
  test('HOOK-3 HOOK-24 HOOK-30 HOOK-31 by the table until a success, always the same bytes', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    const answers = [500, 500, 200]
    receiver.answerWith(
      (_delivery, response) => void response.writeHead(answers.shift() ?? 200).end(),
    )
    const id = await emitEvent(kit, platform)
    const first = await untilAttempts(platform, id, 1)
    assert.equal(first.deliveryStatus, 'PENDING')
    const [attempt] = attemptsOf(first)
    const delayMs = Date.parse(text(first.nextAttemptAt)) - Date.parse(text(attempt?.at))
    assert.equal(delayMs, 10_000)
    await advance(platform, 9)
    assert.equal(receiver.types().length, 1)
    await advance(platform, 1)
    assert.equal(receiver.types().length, 2)
    await advance(platform, 20)
    assert.equal(receiver.types().length, 3)
    await advance(platform, DAY_SECONDS)
    assert.equal(receiver.types().length, 3)
    const bodies = new Set(receiver.ofType('CARD.STATE_CHANGE').map(({ raw }) => raw.toString()))
    assert.equal(bodies.size, 1)
    for (const delivery of receiver.deliveries) {
      assert.ok(verifies(delivery, platform.webhookPublicKey))
    }
    const event = await read(platform, id)
    assert.equal(event.deliveryStatus, 'DELIVERED')
    assert.equal(event.nextAttemptAt, undefined)
    assert.deepEqual(
      attemptsOf(event).map((one) => one.responseStatus),
      [500, 500, 200],
    )
  })

  test('HOOK-32 after seven days the event is FAILED and nothing more is sent', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    receiver.answer(503)
    const id = await emitEvent(kit, platform)
    await untilAttempts(platform, id, 1)
    await advance(platform, 7 * DAY_SECONDS + 3_600)
    const failed = await read(platform, id)
    assert.equal(failed.deliveryStatus, 'FAILED')
    assert.equal(failed.nextAttemptAt, undefined)
    const attempts = attemptsOf(failed)
    // Ten in the first 4,350 seconds, then one every half hour as long as it is within the week.
    assert.equal(attempts.length, 10 + Math.floor((604_800 - 4_350) / 1_800))
    const times = attempts.map((one) => Date.parse(one.at))
    const gaps = times.slice(1).map((time, n) => (time - (times[n] ?? 0)) / 1_000)
    assert.deepEqual(gaps.slice(0, 9), [10, 20, 40, 80, 160, 320, 640, 1_280, 1_800])
    assert.ok(gaps.slice(8).every((gap) => gap === 1_800))
    const limit = Date.parse(failed.timestamp) + 7 * DAY_SECONDS * 1_000
    assert.ok((times.at(-1) ?? 0) <= limit)

    receiver.answer(200)
    const before = receiver.types().length
    await advance(platform, DAY_SECONDS)
    assert.equal(receiver.types().length, before)
    expectStatus(await platform.api.post(`/events/${id}/redeliver`), 202)
    await until(platform, id, 'DELIVERED')
    assert.equal(receiver.types().length, before + 1)
  })

  test('HOOK-17 a changed endpoint receives the retries of older events', async () => {
    const platform = await kit.platform()
    const [old, present] = [await openReceiver(), await openReceiver()]
    await connect(platform, old)
    old.answer(500)
    const id = await emitEvent(kit, platform)
    await untilAttempts(platform, id, 1)
    await connect(platform, present)
    await advance(platform, 10)
    assert.deepEqual(
      present.ofType('CARD.STATE_CHANGE').map(({ event }) => event.id),
      [id],
    )
    assert.equal(old.types().length, 1)
    assert.equal(await statusOf(platform, id), 'DELIVERED')
  })

  test('HOOK-17 a cleared endpoint turns waiting events to SKIPPED, for good', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    const url = await connect(platform, receiver)
    receiver.answer(500)
    const id = await emitEvent(kit, platform)
    await untilAttempts(platform, id, 1)
    expectStatus(await platform.api.patch('/config', { webhookEndpoint: null }), 200)
    const event = await read(platform, id)
    assert.equal(event.deliveryStatus, 'SKIPPED')
    assert.equal(event.nextAttemptAt, undefined)
    receiver.answer(200)
    expectStatus(await platform.api.patch('/config', { webhookEndpoint: url }), 200)
    await advance(platform, DAY_SECONDS)
    assert.equal(receiver.types().length, 1)
    assert.equal(await statusOf(platform, id), 'SKIPPED')
  })

  test('HOOK-40 a TEST that fails is not retried, and fails no PATCH', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    receiver.answer(500)
    await connect(platform, receiver)
    const [delivery] = receiver.ofType('TEST')
    assert.ok(delivery)
    await until(platform, delivery.event.id, 'FAILED')
    await advance(platform, DAY_SECONDS)
    assert.equal(receiver.deliveries.length, 1)
  })

  test('HOOK-16 an event wakes the dispatcher only where there is an endpoint or a stream', async () => {
    const platform = await kit.platform()
    const woken: string[] = []
    const wake: typeof deps.wake = (what) => void woken.push(what)
    const watched = { florin: { ...kit.florin, deps: { ...deps, wake } } }
    await emitEvent(watched, platform)
    await emitEvents(watched, platform, [{}, {}])
    assert.deepEqual(woken, [])
    await connect(platform, await openReceiver())
    await emitEvent(watched, platform)
    await emitEvents(watched, platform, [{}, {}])
    assert.deepEqual(woken, ['events', 'events'])
  })

  test('HOOK-16 without an endpoint an event is SKIPPED and not sent later', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    const id = await emitEvent(kit, platform)
    const event = expectStatus(await platform.api.get(`/events/${id}`), 200)
    assert.equal(event.deliveryStatus, 'SKIPPED', 'at once')
    assert.deepEqual(event.attempts, [])
    await connect(platform, receiver)
    await advance(platform, DAY_SECONDS)
    assert.deepEqual(receiver.types(), [])
  })

  test('HOOK-23 after a rotation also the retries of older events are signed with the new key', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    receiver.answer(500)
    const id = await emitEvent(kit, platform)
    await untilAttempts(platform, id, 1)
    const printed = await operate(kit, `platforms rotate-webhook-key ${platform.platformId}`)
    const publicKey = text(printed['webhookPublicKey'])
    await advance(platform, 10)
    const [before, after] = receiver.ofType('CARD.STATE_CHANGE')
    assert.ok(before && after)
    assert.ok(verifies(before, platform.webhookPublicKey))
    assert.ok(verifies(after, publicKey))
    assert.ok(!verifies(after, platform.webhookPublicKey))
  })
})

describe('order', () => {
  test('HOOK-13 first attempts of one resource go out in order, each after the one before has ended', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    let open = 0
    receiver.answerWith((_delivery, response) => {
      open += 1
      assert.equal(open, 1, 'never two at once')
      setTimeout(() => {
        open -= 1
        response.writeHead(200).end()
      }, 5)
    })
    const data = { id: `Card:${newUuid()}` }
    const ids = await emitEvents(
      kit,
      platform,
      Array.from({ length: 5 }, () => ({ data })),
    )
    for (let n = 0; n < 5; n += 1) ids.push(await emitEvent(kit, platform, { data }))
    await eventually(() => assert.equal(receiver.types().length, 10))
    assert.deepEqual(
      receiver.ofType('CARD.STATE_CHANGE').map(({ event }) => event.id),
      ids,
    )
  })

  test('HOOK-13 a retry holds up no later event', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    const data = { id: `Card:${newUuid()}` }
    receiver.answer(500)
    const first = await emitEvent(kit, platform, { data })
    await untilAttempts(platform, first, 1)
    receiver.answer(200)
    const second = await emitEvent(kit, platform, { data })
    await until(platform, second, 'DELIVERED')
    assert.equal(await statusOf(platform, first), 'PENDING')
    await advance(platform, 10)
    assert.equal(await statusOf(platform, first), 'DELIVERED')
  })

  test('HOOK-13 a delivery that hangs holds up its own resource only', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    const hanging = { id: `Card:${newUuid()}` }
    receiver.answerWith(({ event }, response) => {
      if (event.data['id'] !== hanging.id) response.writeHead(200).end()
    })
    const ids = await emitEvents(kit, platform, [{ data: hanging }, { data: hanging }])
    const other = await emitEvent(kit, platform)
    await until(platform, other, 'DELIVERED')
    const waiting = await read(platform, ids[1] ?? '')
    assert.equal(waiting.deliveryStatus, 'PENDING')
    assert.equal(waiting.nextAttemptAt, waiting.timestamp)
    assert.equal(receiver.types().length, 2)
  })
})

describe('a question', () => {
  const ask = async (platform: TestPlatform, id: string) => {
    const row = await findPlatform(deps.db.read, mustParseId('platform', platform.platformId))
    assert.ok(row)
    const at = platformTime(row, new Date())
    return askPlatform(deps, row, { eventId: mustParseId('webhook', id), timeoutMs: 5_000, at })
  }

  test('is sent by the process that asks and gets the answer; later events of the resource wait for it', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    const url = await connect(platform, receiver)
    const data = { id: `Transaction:${newUuid()}` }
    const [question = '', later = ''] = await emitEvents(kit, platform, [
      { type: 'INCOMING_PAYMENT.PENDING', data, sending: 'ASKED' },
      { type: 'INCOMING_PAYMENT.COMPLETED', data },
    ])
    const marker = await emitEvent(kit, platform)
    await until(platform, marker, 'DELIVERED')
    assert.deepEqual(receiver.types(), ['CARD.STATE_CHANGE'])
    receiver.answer(403, '{"reason":"no"}')
    const asked = await ask(platform, question)
    assert.equal(asked?.url, url)
    assert.ok(asked.answer.ok)
    assert.equal(asked.answer.status, 403)
    assert.equal(asked.answer.body.toString(), '{"reason":"no"}')
    receiver.answer(200)
    await untilAttempts(platform, later, 1)
    assert.deepEqual(receiver.types().slice(1), [
      'INCOMING_PAYMENT.PENDING',
      'INCOMING_PAYMENT.COMPLETED',
    ])
    await advance(platform, DAY_SECONDS)
    assert.equal(receiver.ofType('INCOMING_PAYMENT.PENDING').length, 1, 'never retried')
    assert.equal(await statusOf(platform, question), 'FAILED')
  })

  test('that was never asked has failed after ten minutes, and holds up nothing more', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    const data = { id: `Transaction:${newUuid()}` }
    const [question = '', later = ''] = await emitEvents(kit, platform, [
      { type: 'INCOMING_PAYMENT.PENDING', data, sending: 'ASKED' },
      { type: 'INCOMING_PAYMENT.COMPLETED', data },
    ])
    const waiting = await read(platform, question)
    assert.equal(waiting.deliveryStatus, 'PENDING')
    assert.equal(waiting.nextAttemptAt, undefined, 'nothing is sent by itself')
    await advance(platform, 580)
    assert.equal(await statusOf(platform, question), 'PENDING')
    await advance(platform, 21)
    assert.equal(await statusOf(platform, question), 'FAILED')
    assert.equal(await statusOf(platform, later), 'DELIVERED')
    assert.equal(receiver.ofType('INCOMING_PAYMENT.PENDING').length, 0)
  })

  test('without an endpoint is skipped, and the asking process learns it', async () => {
    const platform = await kit.platform()
    const question = await emitEvent(kit, platform, { sending: 'ASKED' })
    assert.equal(await ask(platform, question), undefined)
    assert.equal(await statusOf(platform, question), 'SKIPPED')
  })
})

// Before a neighbour starts, which would count a part of them.
test('CORE-84 attempts are counted by outcome', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  const { metrics } = kit.florin
  const counted = async (): Promise<Record<string, number>> => {
    const { values } = await metrics.webhookDeliveries.get()
    return Object.fromEntries(values.map(({ labels, value }) => [String(labels.outcome), value]))
  }
  await connect(platform, receiver)
  const before = await counted()
  for (const id of await emitEvents(kit, platform, [{}, {}])) await until(platform, id, 'DELIVERED')
  receiver.answer(500)
  await untilAttempts(platform, await emitEvent(kit, platform), 1)
  await eventually(async () => {
    const now = await counted()
    const more = (outcome: string): number => (now[outcome] ?? 0) - (before[outcome] ?? 0)
    assert.ok(more('delivered') >= 2 && more('failed') >= 1, JSON.stringify({ before, now }))
  })
  const shown = await metrics.registry.metrics()
  assert.match(shown, /^florin_webhook_deliveries_total\{outcome="failed"\} \d+$/m)
})

describe('several processes', () => {
  test('CORE-62 they share deliveries: none is lost, none is doubled, the numbers have no gap', async () => {
    await kit.neighbour()
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    const cards = Array.from({ length: 10 }, () => ({ id: `Card:${newUuid()}` }))
    const rounds = Array.from({ length: 20 }, () => cards.map((data) => ({ data })))
    const ids = (
      await Promise.all(rounds.map((events) => emitEvents(kit, platform, events)))
    ).flat()
    await eventually(() => assert.ok(receiver.types().length >= 200), 20_000)
    const delivered = receiver.ofType('CARD.STATE_CHANGE').map(({ event }) => event.id)
    assert.deepEqual(delivered.toSorted(), ids.toSorted())
    const rows = await deps.db.read.many<{ sequence: bigint; eventId: string; resourceId: string }>(
      sql`select sequence, event_id, resource_id from event_deliveries
          where platform_id = ${mustParseId('platform', platform.platformId)} order by sequence`,
    )
    assert.deepEqual(
      rows.map(({ sequence }) => sequence),
      rows.map((_, n) => BigInt(n + 1)),
    )
    for (const { id } of cards) {
      const numbered = rows.filter((row) => row.resourceId === id).map((row) => row.eventId)
      const arrived = receiver.deliveries.filter(({ event }) => event.data['id'] === id)
      assert.deepEqual(
        arrived.map(({ event }) => event.id),
        numbered.map((eventId) => `Webhook:${eventId}`),
      )
    }
  })

  test('HOOK-12 an attempt whose sender died is sent again, with the same id', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    receiver.answerWith(() => undefined)
    const id = await emitEvent(kit, platform)
    await eventually(() => assert.equal(receiver.types().length, 1))
    receiver.answer(200)
    // As if the process that holds it had been killed, and its time had run out.
    await deps.db.read.run(
      sql`update event_attempts set leased_until = ${new Date(0)}
          where platform_id = ${mustParseId('platform', platform.platformId)} and at is null`,
    )
    await until(platform, id, 'DELIVERED')
    const [first, second] = receiver.ofType('CARD.STATE_CHANGE')
    assert.deepEqual(first?.raw, second?.raw)
  })
})
