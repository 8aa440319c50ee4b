import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EventListResponse } from '../../../../sdk/src/index.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  text,
  type Shown,
} from '../../../test/kit/api.ts'
import { advance, connect, openReceiver } from '../../../test/kit/outside/connect-receiver.ts'
import { emitEvent, emitEvents } from '../../../test/kit/outside/emit-event.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { mustParseId, newUuid } from '../../kernel/ids.ts'

const kit = await startKit()
const DAY_SECONDS = 86_400

const list = async ({ api }: TestPlatform, query = {}) =>
  expectStatus(await api.get('/events', { query }), 200)

const idsOf = (page: Shown<EventListResponse>): string[] => page.data.map((event) => event.id)

const read = async ({ api }: TestPlatform, id: string) =>
  expectStatus(await api.get(`/events/${id}`), 200)

const untilAttempts = (platform: TestPlatform, id: string, count: number) =>
  eventually(async () => {
    const event = await read(platform, id)
    assert.equal(event.attempts.length, count)
    return event
  })

describe('the list', () => {
  test('HOOK-44 the newest five hundred attempts of an event are shown, oldest first', async () => {
    const platform = await kit.platform()
    await connect(platform, await openReceiver())
    const id = await emitEvent(kit, platform)
    const [first] = (await untilAttempts(platform, id, 1)).attempts
    await kit.florin.deps.db.read.run(
      sql`insert into event_attempts (platform_id, event_id, due_at, at, url, response_status, duration_ms)
          select platform_id, event_id, at, at + n * interval '1 second', url, 200, n
          from event_attempts, generate_series(1, 600) n where event_id = ${mustParseId('webhook', id)}`,
    )
    const [listed] = (await list(platform, { limit: 1 })).data
    for (const event of [listed, await read(platform, id)]) {
      const attempts = items(event?.attempts)
      assert.equal(attempts.length, 500)
      assert.equal(attempts[0]?.durationMs, 101)
      assert.equal(attempts.at(-1)?.durationMs, 600)
      assert.equal(attempts[0].url, first?.url)
    }
  })

  test('CORE-70 HOOK-43 the list is newest first, of the own platform, and immediate', async () => {
    const [platform, other] = [await kit.platform(), await kit.platform()]
    assert.deepEqual((await list(platform)).data, [])
    const first = await emitEvents(kit, platform, [{}, {}])
    const second = await emitEvent(kit, platform)
    await emitEvent(kit, other)
    assert.deepEqual(idsOf(await list(platform)), [second, ...first.toReversed()])
  })

  test('HOOK-43 `type` filters exactly, and an unknown type is refused', async () => {
    const platform = await kit.platform()
    const [change] = await emitEvents(kit, platform, [
      { type: 'CARD.STATE_CHANGE' },
      { type: 'CARD.FUNDING_SOURCE_CHANGE' },
    ])
    assert.deepEqual(idsOf(await list(platform, { type: 'CARD.STATE_CHANGE' })), [change])
    assert.deepEqual(idsOf(await list(platform, { type: 'TEST' })), [])
    for (const type of ['CARD', 'card.state_change', 'CARD.STATE_CHANGE ', '']) {
      expectFields(await platform.api.get('/events', { query: { type } }), ['type'])
    }
  })

  test('CORE-50 pages neither repeat nor skip, and a cursor keeps to its list and filter', async () => {
    const platform = await kit.platform()
    const ids = await emitEvents(
      kit,
      platform,
      Array.from({ length: 7 }, () => ({})),
    )
    const seen: string[] = []
    let page = await list(platform, { limit: 3 })
    const firstCursor = text(page.nextCursor)
    for (;;) {
      seen.push(...idsOf(page))
      if (!page.hasMore) break
      await emitEvent(kit, platform)
      page = await list(platform, { limit: 3, cursor: text(page.nextCursor) })
    }
    assert.deepEqual(seen, ids.toReversed())
    assert.equal(page.nextCursor, undefined)
    const query = { type: 'CARD.STATE_CHANGE', cursor: firstCursor }
    expectFields(await platform.api.get('/events', { query }), ['cursor'])
    expectFields(await platform.api.get('/events', { query: { limit: 101 } }), ['limit'])
  })

  test('CORE-21 reading needs VIEW, redelivering needs MANAGE', async () => {
    const platform = await kit.platform()
    const id = await emitEvent(kit, platform)
    const granted = { name: 'transact', permissions: ['TRANSACT'] }
    const { clientId, clientSecret } = expectStatus(
      await platform.api.post('/tokens', granted),
      201,
    )
    const api = platform.api.with({ clientId: clientId, clientSecret: text(clientSecret) })
    for (const [answer, permission] of [
      [await api.get('/events'), 'VIEW'],
      [await api.get(`/events/${id}`), 'VIEW'],
      [await api.post(`/events/${id}/redeliver`), 'MANAGE'],
    ] as const) {
      const details = expectError(answer, 403, 'FORBIDDEN')
      assert.equal(details['requiredPermission'], permission)
    }
  })

  test('HOOK-43 events are kept 30 days of the platform’s clock', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    const old = await emitEvent(kit, platform)
    await untilAttempts(platform, old, 1)
    await advance(platform, 29 * DAY_SECONDS)
    await read(platform, old)
    const young = await emitEvent(kit, platform)
    await untilAttempts(platform, young, 1)
    await advance(platform, 2 * DAY_SECONDS)
    expectError(await platform.api.get(`/events/${old}`), 404, 'REFERENCE_NOT_FOUND')
    assert.deepEqual(idsOf(await list(platform)), [young])
    const left = await kit.florin.deps.db.read.many<{ eventId: string }>(
      sql`select distinct event_id from event_attempts
          where platform_id = ${mustParseId('platform', platform.platformId)}`,
    )
    assert.deepEqual(
      left.map(({ eventId }) => `Webhook:${eventId}`),
      [young],
    )
  })

  test('CORE-42 idempotency keys are removed when their 24 hours are over', async () => {
    const platform = await kit.platform()
    const headers = { 'Idempotency-Key': newUuid() }
    const token = { name: 'a', permissions: ['VIEW'] }
    expectStatus(await platform.api.post('/tokens', token, { headers }), 201)
    const count = async (): Promise<number> => {
      const rows = await kit.florin.deps.db.read.many(
        sql`select 1 from idempotency_keys
            where platform_id = ${mustParseId('platform', platform.platformId)}`,
      )
      return rows.length
    }
    assert.equal(await count(), 1)
    await advance(platform, 2 * DAY_SECONDS)
    assert.equal(await count(), 0)
  })
})

describe('an event', () => {
  test('CORE-70 HOOK-5 an event is shown as it was sent, with its delivery', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    const url = await connect(platform, receiver)
    const data = { id: `Card:${newUuid()}`, state: 'ACTIVE' }
    const id = await emitEvent(kit, platform, { data })
    const event = await untilAttempts(platform, id, 1)
    const [delivery] = receiver.ofType('CARD.STATE_CHANGE')
    const { attempts, deliveryStatus, ...sent } = event
    assert.deepEqual(sent, delivery?.event)
    assert.equal(deliveryStatus, 'DELIVERED')
    const [attempt] = attempts
    assert.ok(attempt)
    assert.deepEqual(Object.keys(attempt).toSorted(), ['at', 'durationMs', 'responseStatus', 'url'])
    assert.equal(attempt.url, url)
    assert.equal(attempt.responseStatus, 200)
  })

  test('CORE-3 an id that is foreign, unknown or malformed is not found', async () => {
    const [platform, other] = [await kit.platform(), await kit.platform()]
    const foreign = await emitEvent(kit, other)
    for (const id of [foreign, `Webhook:${newUuid()}`, `Card:${newUuid()}`, 'x']) {
      expectError(await platform.api.get(`/events/${id}`), 404, 'REFERENCE_NOT_FOUND')
      const answer = await platform.api.post(`/events/${id}/redeliver`)
      expectError(answer, 404, 'REFERENCE_NOT_FOUND')
    }
  })
})

describe('redelivery', () => {
  test('HOOK-44 HOOK-3 one attempt with the same id and bytes to the present endpoint', async () => {
    const platform = await kit.platform()
    const [old, present] = [await openReceiver(), await openReceiver()]
    await connect(platform, old)
    const id = await emitEvent(kit, platform)
    await untilAttempts(platform, id, 1)
    await connect(platform, present)
    const accepted = expectStatus(await platform.api.post(`/events/${id}/redeliver`), 202)
    assert.equal(accepted.id, id)
    const event = await untilAttempts(platform, id, 2)
    assert.equal(event.deliveryStatus, 'DELIVERED')
    assert.equal(old.types().length, 1)
    assert.deepEqual(
      present.ofType('CARD.STATE_CHANGE').map(({ raw }) => raw),
      old.ofType('CARD.STATE_CHANGE').map(({ raw }) => raw),
    )
  })

  test('HOOK-44 a failed redelivery changes no schedule, and counts as none of its attempts', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    receiver.answer(500)
    const id = await emitEvent(kit, platform)
    const before = await untilAttempts(platform, id, 1)
    expectStatus(await platform.api.post(`/events/${id}/redeliver`), 202)
    const after = await untilAttempts(platform, id, 2)
    assert.equal(after.deliveryStatus, 'PENDING')
    assert.equal(after.nextAttemptAt, before.nextAttemptAt)
    await advance(platform, 10)
    const third = await untilAttempts(platform, id, 3)
    const due = Date.parse(text(third.nextAttemptAt)) - Date.parse(text(after.nextAttemptAt))
    assert.equal(due, 20_000)
  })

  test('HOOK-44 HOOK-31 a successful redelivery ends a pending event', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    receiver.answer(500)
    const id = await emitEvent(kit, platform)
    await untilAttempts(platform, id, 1)
    receiver.answer(200)
    expectStatus(await platform.api.post(`/events/${id}/redeliver`), 202)
    const event = await untilAttempts(platform, id, 2)
    assert.equal(event.deliveryStatus, 'DELIVERED')
    assert.equal(event.nextAttemptAt, undefined)
    await advance(platform, DAY_SECONDS)
    assert.equal(receiver.types().length, 2)
  })

  test('HOOK-44 HOOK-16 a skipped event can be sent; every call is one attempt', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    const id = await emitEvent(kit, platform)
    const answer = await platform.api.post(`/events/${id}/redeliver`)
    expectError(answer, 400, 'WEBHOOK_ENDPOINT_NOT_SET')
    await connect(platform, receiver)
    for (let n = 0; n < 3; n += 1) {
      expectStatus(await platform.api.post(`/events/${id}/redeliver`), 202)
    }
    const event = await untilAttempts(platform, id, 3)
    assert.equal(event.deliveryStatus, 'DELIVERED')
    assert.equal(receiver.types().length, 3)
  })

  test('HOOK-44 a failed redelivery leaves a skipped event as it was', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    const id = await emitEvent(kit, platform)
    await connect(platform, receiver)
    receiver.answer(500)
    expectStatus(await platform.api.post(`/events/${id}/redeliver`), 202)
    const event = await untilAttempts(platform, id, 1)
    assert.equal(event.deliveryStatus, 'SKIPPED')
    await advance(platform, DAY_SECONDS)
    assert.equal(receiver.types().length, 1)
  })

  test('CORE-41 redeliveries under one key are one attempt', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    const id = await emitEvent(kit, platform)
    await untilAttempts(platform, id, 1)
    const headers = { 'Idempotency-Key': newUuid() }
    const send = () => platform.api.post(`/events/${id}/redeliver`, undefined, { headers })
    expectStatus(await send(), 202)
    const replayed = await send()
    assert.equal(replayed.headers.get('idempotent-replayed'), 'true')
    await untilAttempts(platform, id, 2)
    assert.equal(receiver.types().length, 2)
  })
})
