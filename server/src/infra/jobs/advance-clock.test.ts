import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Type } from '../http/schema/type.ts'
import { connect, openReceiver } from '../../../test/kit/outside/connect-receiver.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { DAY_MS, addMs, toWireTime } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import { mustParseId, newUuid } from '../../kernel/ids.ts'
import { platformTime } from '../../kernel/platform.ts'
import { emit } from '../../webhooks/emit.ts'
import { createWebhooks } from '../../webhooks/webhooks.ts'
import { sql } from '../db/statement/sql.ts'
import type { KeyedRequest } from '../work/idempotency.ts'
import { inWork } from '../work/in-work.ts'
import { findPlatform } from '../platforms.ts'
import { createClocks } from './advance-clock.ts'
import type { DueSource } from './due-source.ts'
import { defineJob, type JobDefinition } from './define-job.ts'
import { enqueue } from './enqueue.ts'
import { handlersByName, insideJob } from './job-handler.ts'
import { createJobRunner } from './job-runner.ts'

const kit = await startOwnKit()
const { deps } = kit.florin

const emitWord = defineJob(
  'test.emit',
  Type.Object({ word: Type.String(), thenAfterMs: Type.Optional(Type.Integer()) }),
)
const failAlways = defineJob('test.fail', Type.Null())

/** Emits an event, and may leave a job for later. */
const handlers = handlersByName([
  insideJob(emitWord, async (work, { payload: { word, thenAfterMs } }) => {
    emit(work, 'CARD.STATE_CHANGE', { id: `Card:${newUuid()}`, word })
    if (thenAfterMs === undefined) return
    enqueue(work, emitWord, { word: `${word} again` }, { dueAt: addMs(work.now, thenAfterMs) })
  }),
  insideJob(failAlways, () => Promise.reject(new Error('a bug'))),
])

const isRetryLater = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.code === 'SERVICE_UNAVAILABLE' &&
  Number(error.headers?.['Retry-After']) > 0

const callers = { forget: () => undefined, forgottenByAll: () => Promise.resolve() }

async function setUp() {
  const platform = await kit.platform()
  const id = mustParseId('platform', platform.platformId)
  const row = await findPlatform(deps.db.read, id)
  assert.ok(row)
  const startedAt = platformTime(row, deps.clock.now())
  const caller = { platform: row, actor: { kind: 'system', name: 'test' }, requestId: newUuid() }
  const queue = <P>(job: JobDefinition<P>, afterMs: number, payload: NoInfer<P>): Promise<void> =>
    inWork(deps, caller as never, (work) =>
      Promise.resolve(enqueue(work, job, payload, { dueAt: addMs(startedAt, afterMs) })),
    )
  const jobs = createJobRunner({ deps, handlers, inBackground: false })
  const webhooks = createWebhooks({ deps, inBackground: false })
  const advance = (byMs: number, sources: DueSource[] = [jobs, webhooks]) =>
    createClocks({ deps, sources, callers }).advance(id, { byMs })
  const offsetMs = async () => (await findPlatform(deps.db.read, id))?.clockOffsetMs
  const leaseUntil = async () =>
    (
      await deps.db.read.one<{ until: Date | null }>(
        sql`select clock_lease_until as until from platforms where id = ${id}`,
      )
    ).until
  return { platform, id, startedAt, queue, advance, offsetMs, leaseUntil, jobs, webhooks }
}

test('CORE-61 jobs, and the webhooks they cause, happen in due order, each at its own time', async () => {
  const { platform, startedAt, queue, advance } = await setUp()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  const seen: string[] = []
  receiver.answerWith(({ event }, response) => {
    const word = String(event.data['word'])
    seen.push(word)
    const isFirst = seen.filter((one) => one === word).length === 1
    response.writeHead(word === 'first' && isFirst ? 500 : 200).end()
  })
  await queue(emitWord, 40_000, { word: 'second' })
  await queue(emitWord, 10_000, { word: 'first', thenAfterMs: 15_000 })
  await queue(emitWord, 70_000, { word: 'too late' })
  const { ran } = await advance(60_000)
  // The failed one is tried again 10 seconds later, before what the job left for 15 seconds later.
  assert.deepEqual(seen, ['first', 'first', 'first again', 'second'])
  const times = ran.map(({ kind, dueAt }) => [kind, dueAt.getTime() - startedAt.getTime()])
  assert.deepEqual(times, [
    ['job', 10_000],
    ['attempt', 10_000],
    ['attempt', 20_000],
    ['job', 25_000],
    ['attempt', 25_000],
    ['job', 40_000],
    ['attempt', 40_000],
  ])
  const stamps = receiver.ofType('CARD.STATE_CHANGE').map(({ event }) => event.timestamp)
  const expected = [10_000, 10_000, 25_000, 40_000].map((ms) => toWireTime(addMs(startedAt, ms)))
  assert.deepEqual(stamps, expected)
})

test('CORE-61 a job that fails holds up nothing and keeps its own pace', async () => {
  const { queue, advance, offsetMs } = await setUp()
  await queue(failAlways, 1_000, null)
  await queue(emitWord, 2_000, { word: 'after' })
  const { ran } = await advance(10_000)
  assert.deepEqual(
    ran.filter(({ kind }) => kind === 'job').map(({ name, outcome }) => [name, outcome]),
    [
      ['test.fail', 'failed'],
      ['test.emit', 'done'],
    ],
  )
  assert.equal(await offsetMs(), 10_000)
})

test('CORE-61 what another process is at is waited for', async () => {
  const { id, queue, advance, jobs } = await setUp()
  await queue(emitWord, 1_000, { word: 'held' })
  await deps.db.read.run(
    sql`update jobs set leased_until = ${addMs(deps.clock.now(), 60_000)}
        where platform_id = ${id} and name = 'test.emit'`,
  )
  // It gives the job back after a while, as a process that ends would.
  let looks = 0
  const patient: DueSource = {
    nextDueAt: async (platformId) => {
      looks += 1
      if (looks === 3) {
        await deps.db.read.run(sql`update jobs set leased_until = null where platform_id = ${id}`)
      }
      return jobs.nextDueAt(platformId)
    },
    runNext: async (platform, until) =>
      looks < 3
        ? { kind: 'job', name: 'test.emit', id: '', dueAt: until, outcome: 'taken' }
        : jobs.runNext(platform, until),
  }
  const { ran } = await advance(5_000, [patient])
  assert.deepEqual(
    ran.map(({ name, outcome }) => [name, outcome]),
    [['test.emit', 'done']],
  )
})

test('CORE-61 when something breaks, the clock stays where it got to and can be moved again', async () => {
  const { queue, advance, offsetMs, jobs } = await setUp()
  await queue(emitWord, 3_000, { word: 'broken' })
  const breaking: DueSource = { ...jobs, runNext: () => Promise.reject(new Error('database gone')) }
  await assert.rejects(advance(10_000, [breaking]), /database gone/)
  const reached = (await offsetMs()) ?? 0
  assert.ok(reached > 2_000 && reached <= 3_000, `${reached} ms`)
  const { ran } = await advance(10_000)
  assert.equal(ran[0]?.outcome, 'done')
})

test('CORE-85 a process that ends leaves the clock, between two steps, for another to go on with', async () => {
  const { id, queue, offsetMs, leaseUntil, jobs, webhooks } = await setUp()
  await queue(emitWord, 1_000, { word: 'before' })
  await queue(emitWord, 2_000, { word: 'after' })
  const ending: DueSource = {
    ...jobs,
    runNext: async (platform, until, jump) => {
      const ran = await jobs.runNext(platform, until, jump)
      clocks.stop(0)
      // Behind the timer that ends it.
      await delay(1)
      return ran
    },
  }
  const clocks = createClocks({ deps, sources: [ending, webhooks], callers })
  await assert.rejects(clocks.advance(id, { byMs: 10_000 }), isRetryLater)
  assert.equal(await leaseUntil(), null)
  assert.ok(((await offsetMs()) ?? 0) <= 1_000)
  await assert.rejects(clocks.advance(id, { byMs: 10_000 }), isRetryLater)
  const { ran } = await createClocks({ deps, sources: [jobs, webhooks], callers }).advance(id, {
    byMs: 10_000,
  })
  assert.equal(ran.filter(({ kind }) => kind === 'job').length, 1)
})

test('CORE-61 a move that waits too long for another is told to come back, which no key keeps', async () => {
  const { id, jobs } = await setUp()
  const { db, clock } = deps
  await db.read.run(
    sql`update platforms set clock_lease_until = ${addMs(clock.now(), DAY_MS)} where id = ${id}`,
  )
  let passedMs = 0
  const hurried = { now: () => addMs(clock.now(), (passedMs += 10_000)) }
  const clocks = createClocks({ deps: { ...deps, clock: hurried }, sources: [jobs], callers })
  await assert.rejects(clocks.advance(id, { byMs: 1_000 }), isRetryLater)
})

test('CORE-61 CORE-62 a clock is kept for as long as it is moved, and not much longer', async () => {
  const { queue, advance, leaseUntil, jobs } = await setUp()
  await queue(emitWord, 1_000, { word: 'long' })
  const ahead: number[] = []
  const looking: DueSource = {
    ...jobs,
    runNext: async (...at) => {
      ahead.push(((await leaseUntil())?.getTime() ?? 0) - deps.clock.now().getTime())
      return jobs.runNext(...at)
    },
  }
  await advance(5_000, [looking])
  assert.ok(
    ahead.every((ms) => ms > 0 && ms <= 20_000),
    String(ahead),
  )
  assert.equal(await leaseUntil(), null)
})

test('CORE-43 a move that broke off goes on under its key to where it was to end', async () => {
  const { id, queue, offsetMs, jobs, webhooks } = await setUp()
  await queue(emitWord, 3_000, { word: 'broken' })
  const breaking: DueSource = { ...jobs, runNext: () => Promise.reject(new Error('database gone')) }
  const request = (body: string): KeyedRequest => ({
    platformId: id,
    scope: 'platform',
    key: 'move',
    fingerprint: Buffer.from(body),
  })
  const move = (sources: DueSource[], { by, body }: { by: number; body: string }) =>
    createClocks({ deps, sources, callers }).advance(id, { byMs: by, keyed: request(body) })
  const day = { by: DAY_MS, body: 'a day' }
  await assert.rejects(move([breaking], day), /database gone/)
  // The second one as if its answer had been lost with the process.
  for (const emitted of [['test.emit'], []]) {
    const { ran } = await move([jobs, webhooks], day)
    const names = ran.filter(({ kind }) => kind === 'job').map(({ name }) => name)
    assert.deepEqual(names, emitted)
    assert.equal(await offsetMs(), DAY_MS)
  }
  await move([jobs], { by: 60_000, body: 'a minute' })
  assert.equal(await offsetMs(), DAY_MS + 60_000, 'another request starts over')
  await deps.db.read.run(sql`update platforms set clock_offset_ms = ${3 * DAY_MS} where id = ${id}`)
  await move([jobs], { by: 60_000, body: 'a minute' })
  assert.equal(await offsetMs(), 3 * DAY_MS + 60_000, 'so does the same one when its key is free')
})
