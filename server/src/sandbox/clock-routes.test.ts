import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SandboxClock } from '../../../sdk/src/index.ts'
import {
  client,
  expectError,
  expectFields,
  expectStatus,
  items,
  type Shown,
} from '../../test/kit/api.ts'
import { advance, connect, openReceiver } from '../../test/kit/outside/connect-receiver.ts'
import { emitEvent, emitEvents, type ToEmit } from '../../test/kit/outside/emit-event.ts'
import { eventually } from '../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../test/kit/florin.ts'
import { sql } from '../infra/db/statement/sql.ts'
import { findPlatform } from '../infra/platforms.ts'
import { mustParseId, newUuid } from '../kernel/ids.ts'

const kit = await startOwnKit()
const DAY_SECONDS = 86_400
const YEAR_SECONDS = 31_536_000

const read = async ({ api }: TestPlatform) => expectStatus(await api.get('/sandbox/clock'), 200)

const aheadMs = (clock: Shown<SandboxClock>): number => Date.parse(clock.now) - Date.now()

const isAbout = (actualMs: number, expectedMs: number): void =>
  assert.ok(Math.abs(actualMs - expectedMs) < 2_000, `${actualMs} ms is about ${expectedMs} ms`)

describe('reading', () => {
  test('CORE-60 CORE-61 a clock begins at real time', async () => {
    const platform = await kit.platform()
    const clock = await read(platform)
    assert.deepEqual(Object.keys(clock).toSorted(), ['now', 'offsetSeconds'])
    assert.equal(clock.offsetSeconds, 0)
    isAbout(aheadMs(clock), 0)
  })

  test('CORE-61 time never goes back: DELETE is not offered', async () => {
    const { api } = await kit.platform()
    const answer = await api.delete('/sandbox/clock')
    expectError(answer, 405, 'METHOD_NOT_ALLOWED')
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST')
  })
})

describe('moving', () => {
  test('CORE-60 CORE-61 it adds to the offset, of this platform alone', async () => {
    const [platform, other] = [await kit.platform(), await kit.platform()]
    const moved = await advance(platform, 3_600)
    assert.equal(moved.offsetSeconds, 3_600)
    isAbout(aheadMs(moved), 3_600_000)
    assert.deepEqual([moved.jobs, moved.events], [[], []])
    await advance(platform, 1)
    const clock = await read(platform)
    assert.equal(clock.offsetSeconds, 3_601)
    isAbout(aheadMs(clock), 3_601_000)
    assert.equal((await read(other)).offsetSeconds, 0)
  })

  test('CORE-60 what happens next happens at the new time', async () => {
    const platform = await kit.platform()
    await advance(platform, DAY_SECONDS)
    const granted = { name: 'later', permissions: ['VIEW'] }
    const token = expectStatus(await platform.api.post('/tokens', granted), 201)
    isAbout(Date.parse(token.createdAt) - Date.now(), DAY_SECONDS * 1_000)
  })

  test('CORE-61 by 1 to 31,536,000 whole seconds', async () => {
    const { api } = await kit.platform()
    for (const advanceSeconds of [0, -1, YEAR_SECONDS + 1, 1.5, '60', null]) {
      expectFields(await api.post('/sandbox/clock', { advanceSeconds }), ['advanceSeconds'])
    }
    expectFields(await api.post('/sandbox/clock', {}), ['advanceSeconds'])
    const moved = await api.post('/sandbox/clock', { advanceSeconds: YEAR_SECONDS })
    assert.equal(expectStatus(moved, 200).offsetSeconds, YEAR_SECONDS)
  })

  test('CORE-22 production has no clock to move', async () => {
    const { api } = await kit.platform({ environment: 'PRODUCTION' })
    expectError(await api.get('/sandbox/clock'), 403, 'FORBIDDEN')
    expectError(await api.post('/sandbox/clock', { advanceSeconds: 1 }), 403, 'FORBIDDEN')
  })

  test('CORE-44 moves that race all count', async () => {
    const platform = await kit.platform()
    await Promise.all([10, 20, 30, 40].map((seconds) => advance(platform, seconds)))
    assert.equal((await read(platform)).offsetSeconds, 100)
  })

  for (const seconds of [60, DAY_SECONDS, YEAR_SECONDS]) {
    test(`CORE-41 CORE-42 under one key the clock moves once, by ${seconds} s`, async () => {
      const platform = await kit.platform()
      const headers = { 'Idempotency-Key': newUuid() }
      const move = () =>
        platform.api.post('/sandbox/clock', { advanceSeconds: seconds }, { headers })
      const first = expectStatus(await move(), 200)
      const again = await move()
      assert.deepEqual(expectStatus(again, 200), first)
      assert.equal(again.headers.get('idempotent-replayed'), 'true')
      assert.equal((await read(platform)).offsetSeconds, seconds)
    })
  }

  test('CORE-60 CORE-61 once it is answered, another process acts at the new time', async () => {
    const platform = await kit.platform()
    const neighbour = client(await kit.neighbour(), platform)
    for (const days of [1, 2, 3]) {
      // It knows its caller from before.
      expectStatus(await neighbour.get('/config'), 200)
      await advance(platform, DAY_SECONDS)
      const granted = { name: 'later', permissions: ['VIEW'] }
      const token = expectStatus(await neighbour.post('/tokens', granted), 201)
      isAbout(Date.parse(token.createdAt) - Date.now(), days * DAY_SECONDS * 1_000)
    }
  })

  test('CORE-61 the answer lists what came due, in order', async () => {
    const platform = await kit.platform()
    const moved = await advance(platform, 3 * DAY_SECONDS)
    const jobs = moved.jobs.map(({ name, outcome, dueAt }) => ({
      name: name,
      outcome: outcome,
      dueAt: dueAt,
    }))
    assert.ok(jobs.length > 0)
    assert.ok(jobs.every(({ name, outcome }) => name === 'platform.prune' && outcome === 'done'))
    const dues = jobs.map(({ dueAt }) => dueAt)
    assert.deepEqual(dues, dues.toSorted())
    assert.ok(dues.every((due) => due <= moved.now))
  })
})

test('CORE-62 CORE-81 a job that only a newer process knows is left to it, and holds up nothing', async () => {
  const { db, clock } = kit.florin.deps
  const platform = await kit.platform()
  const id = mustParseId('platform', platform.platformId)
  const unknown = { name: 'newer.job', id: newUuid(), dueAt: clock.now() }
  await db.read.run(
    sql`insert into jobs (platform_id, id, name, payload, due_at, state, created_at)
        values (${id}, ${unknown.id}, ${unknown.name}, '{}', ${unknown.dueAt}, 'WAITING', ${unknown.dueAt})`,
  )
  const { jobs } = await advance(platform, 2 * DAY_SECONDS)
  assert.deepEqual(
    jobs.map(({ name }) => name),
    ['platform.prune'],
  )
  const row = await findPlatform(db.read, id)
  assert.ok(row)
  assert.equal(await kit.florin.jobs.runNextDue(row), undefined)
  assert.equal(
    await db.read.run(sql`select 1 from jobs where id = ${unknown.id} and state = 'WAITING'`),
    1,
  )
})

test('CORE-61 of many events that are emitted meanwhile the answer lists the first thousand', async () => {
  const { db } = kit.florin.deps
  const platform = await kit.platform()
  let moving: ReturnType<typeof advance> | undefined
  const emitted = await db.transaction(async (tx) => {
    const id = mustParseId('platform', platform.platformId)
    await tx.run(sql`select 1 from platforms where id = ${id} for update`)
    moving = advance(platform, 1)
    // It has begun, and cannot take the clock before we are done.
    await eventually(async () => {
      const waits = sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      assert.equal(await db.read.run(waits), 1)
    })
    return emitEvents(kit, platform, Array<ToEmit>(1_001).fill({}))
  })
  const listed = items((await moving)?.events).map(({ id }) => id)
  assert.deepEqual(listed, emitted.slice(0, 1_000))
})

describe('webhooks on the way', () => {
  test('HOOK-30 retries run in due order across events, each at its own time', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    receiver.answer(500)
    const ids = [await emitEvent(kit, platform)]
    await advance(platform, 5)
    ids.push(await emitEvent(kit, platform))
    await advance(platform, 100)
    const read = async (id: string): Promise<string[]> => {
      const event = expectStatus(await platform.api.get(`/events/${id}`), 200)
      return event.attempts.map((attempt) => attempt.at)
    }
    const [first = [], second = []] = await Promise.all(ids.map(read))
    assert.deepEqual([first.length, second.length], [4, 4])
    const expected = [
      ...first.map((at) => ({ at, id: ids[0] })),
      ...second.map((at) => ({ at, id: ids[1] })),
    ].toSorted((a, b) => (a.at < b.at ? -1 : 1))
    assert.deepEqual(
      receiver.ofType('CARD.STATE_CHANGE').map(({ event }) => event.id),
      expected.map(({ id }) => id),
    )
  })

  test('CORE-61 a receiver that calls back in the middle sees the time of the attempt', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    const seen: number[] = []
    receiver.answerWith((_delivery, response) => {
      void read(platform).then((clock) => {
        seen.push(aheadMs(clock))
        response.writeHead(500).end()
      })
    })
    await emitEvent(kit, platform)
    await advance(platform, 70)
    const [, ...offsets] = seen
    assert.equal(offsets.length, 3)
    for (const [n, seconds] of [10, 30, 70].entries()) isAbout(offsets[n] ?? 0, seconds * 1_000)
  })

  test('HOOK-30 an event whose first attempt is under way is waited for', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    receiver.answerWith((_delivery, response) => {
      setTimeout(() => response.writeHead(500).end(), 50)
    })
    const id = await emitEvent(kit, platform)
    await advance(platform, 11)
    const event = expectStatus(await platform.api.get(`/events/${id}`), 200)
    assert.equal(event.attempts.length, 2)
  })
})
