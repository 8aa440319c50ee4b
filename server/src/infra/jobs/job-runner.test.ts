import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Type } from '../http/schema/type.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { DAY_MS, addMs } from '../../kernel/clock.ts'
import { mustParseId, newUuid } from '../../kernel/ids.ts'
import { audit } from '../work/audit.ts'
import { sql } from '../db/statement/sql.ts'
import { inWork } from '../work/in-work.ts'
import { createMetrics } from '../logging/metrics.ts'
import { findPlatform } from '../platforms.ts'
import type { Work } from '../work/work.ts'
import { defineJob, definedJobs } from './define-job.ts'
import { enqueue } from './enqueue.ts'
import {
  handlersByName,
  handlersOfAll,
  insideJob,
  outsideJob,
  type JobHandler,
} from './job-handler.ts'
import { createJobRunner } from './job-runner.ts'

const kit = await startOwnKit()
const { deps } = kit.florin
const { platformId } = await kit.platform()
const id = mustParseId('platform', platformId)
const platform = await findPlatform(deps.db.read, id)
assert.ok(platform)
const caller = { platform, actor: { kind: 'system', name: 'test' }, requestId: newUuid() } as const

/** Two runners share what is due, as two processes do. */
function startRunners(handlers: readonly JobHandler[], count = 2) {
  const start = () =>
    createJobRunner({ deps, handlers: handlersByName(handlers), inBackground: true })
  const runners = Array.from({ length: count }, start)
  after(() => Promise.all(runners.map((runner) => runner.stop())))
  return () => runners.forEach((runner) => runner.wake())
}

const queue = (body: (work: Work) => void): Promise<void> =>
  inWork(deps, caller, (work) => Promise.resolve(body(work)))

/** What a job leaves behind, in its own transaction. */
const leaveTrace = (work: Work, name: string): void => audit(work, { action: name })

async function tracesOf(prefix: string): Promise<string[]> {
  const rows = await deps.db.read.many<{ action: string }>(
    sql`select action from audit_entries where platform_id = ${id} and action like ${`${prefix}%`} order by id`,
  )
  return rows.map(({ action }) => action)
}

type JobState = Readonly<{
  state: string
  attempts: number
  leasedUntil: Date | null
  lastError: string | null
}>

const jobsNamed = (name: string): Promise<JobState[]> =>
  deps.db.read.many<JobState>(
    sql`select state, attempts, leased_until, last_error from jobs where platform_id = ${id} and name = ${name}`,
  )

test('QUOTE-17 what becomes due while it is looked for is run, not left for later', async () => {
  const realNow = deps.clock.now()
  // Sooner than anything else of the platform.
  const dueAt = addMs(realNow, 60_000)
  let now = realNow
  const { read } = deps.db
  const slowRead = {
    ...read,
    maybe: async <R>(query: Parameters<typeof read.maybe>[0]): Promise<R | undefined> => {
      const found = await read.maybe<R>(query)
      now = dueAt
      return found
    },
  }
  const slow = { ...deps, clock: { now: () => now }, db: { ...deps.db, read: slowRead } }
  const late = defineJob('late.one', Type.Null())
  const handlers = handlersByName([insideJob(late, async (work) => leaveTrace(work, 'late'))])
  const runner = createJobRunner({ deps: slow, handlers, inBackground: false })
  await queue((work) => enqueue(work, late, null, { dueAt }))
  assert.equal(await runner.runNext(platform, realNow), undefined, 'not by that time')
  now = realNow
  assert.equal((await runner.runNextDue(platform))?.outcome, 'done')
  assert.deepEqual(await tracesOf('late'), ['late'])
})

test('CORE-62 a job whose statement takes longer than it may is shown and waits, and does not die of it', async () => {
  const slow = defineJob('slow.statement', Type.Null())
  const wake = startRunners([
    insideJob(slow, async ({ tx }) => {
      await tx.run(sql`set local statement_timeout = 10`)
      await tx.run(sql`select pg_sleep(1)`)
    }),
  ])
  await queue((work) => enqueue(work, slow, null))
  wake()
  await eventually(async () => {
    const [job] = await jobsNamed('slow.statement')
    assert.match(job?.lastError ?? '', /statement timeout/)
    assert.ok(job?.leasedUntil, 'others come first')
  })
  await deps.db.read.run(
    sql`update jobs set attempts = 100, leased_until = null where platform_id = ${id} and name = 'slow.statement'`,
  )
  wake()
  await eventually(async () => assert.equal((await jobsNamed('slow.statement'))[0]?.attempts, 101))
  assert.equal((await jobsNamed('slow.statement'))[0]?.state, 'WAITING')
})

test('CORE-62 each job takes effect once, however many runners share them', async () => {
  const inside = defineJob('share.inside', Type.Integer())
  const outside = defineJob('share.outside', Type.Integer())
  const wake = startRunners([
    insideJob(inside, async (work, job) => leaveTrace(work, `share ${job.payload}`)),
    outsideJob(outside, {
      call: (_deps, _platform, job) => Promise.resolve(`answer to ${job.payload}`),
      settle: async (work, _job, answer) => leaveTrace(work, `share ${answer}`),
    }),
  ])
  await queue((work) => {
    for (let n = 0; n < 40; n += 1) enqueue(work, n % 2 ? inside : outside, n)
  })
  wake()
  await eventually(async () => assert.equal((await tracesOf('share ')).length, 40))
  assert.equal(new Set(await tracesOf('share ')).size, 40)
  assert.deepEqual(await jobsNamed('share.inside'), [])
  assert.deepEqual(await jobsNamed('share.outside'), [])
})

test('CORE-62 a job that fails leaves no effect, waits longer each time, and is dead after ten', async () => {
  let runs = 0
  const failing = defineJob('fail.always', Type.Null())
  const handler = insideJob(failing, (work) => {
    runs += 1
    leaveTrace(work, 'fail trace')
    return Promise.reject(new Error('not today'))
  })
  const wake = startRunners([handler], 1)
  await queue((work) => enqueue(work, failing, null))
  for (let attempts = 1; attempts <= 10; attempts += 1) {
    const job = await eventually(async () => {
      const [found] = await jobsNamed('fail.always')
      assert.equal(found?.attempts, attempts)
      return found
    })
    const waitSeconds = ((job.leasedUntil?.getTime() ?? 0) - Date.now()) / 1_000
    const expected = Math.min(2 ** (attempts - 1), 512)
    assert.ok(Math.abs(waitSeconds - expected) < 1, `${waitSeconds} s after attempt ${attempts}`)
    assert.equal(job.state, attempts < 10 ? 'WAITING' : 'DEAD')
    assert.equal(job.lastError, 'Error: not today')
    // As if the wait were over.
    await deps.db.read.run(
      sql`update jobs set leased_until = null where platform_id = ${id} and name = 'fail.always'`,
    )
    wake()
  }
  assert.equal(runs, 10)
  assert.deepEqual(await tracesOf('fail '), [])
})

test('CORE-62 a payload that is not of its schema fails the job as a failing handler does', async () => {
  const counted = defineJob('payload.counted', Type.Object({ count: Type.Integer() }))
  let runs = 0
  const handlers = handlersByName([insideJob(counted, async () => void (runs += 1))])
  const runner = createJobRunner({ deps, handlers, inBackground: false })
  await queue((work) => enqueue(work, counted, { count: 1 }))
  await deps.db.read.run(
    sql`update jobs set payload = '{"count": "one"}' where platform_id = ${id} and name = 'payload.counted'`,
  )
  assert.equal((await runner.runNextDue(platform))?.outcome, 'failed')
  const [job] = await jobsNamed('payload.counted')
  assert.equal(job?.attempts, 1)
  assert.match(job.lastError ?? '', /^InvariantError: The payload of payload\.counted .*"count"/)
  await deps.db.read.run(
    sql`update jobs set payload = '{"count": 2, "later": "field"}', attempts = 0, leased_until = null
        where platform_id = ${id} and name = 'payload.counted'`,
  )
  assert.equal((await runner.runNextDue(platform))?.outcome, 'done')
  assert.equal(runs, 1, 'a field that this version does not know is no obstacle')
})

test('CORE-62 a job without a handler, or with two, keeps the process from starting', () => {
  const handled = insideJob(defineJob('start.handled', Type.Null()), async () => undefined)
  const others = definedJobs()
    .filter(({ name }) => name !== handled.name)
    .map((job) => insideJob(job, async () => undefined))
  assert.equal(handlersOfAll([...others, handled]).get('start.handled'), handled)
  assert.throws(() => handlersOfAll(others), /The job start\.handled has a handler/)
  assert.throws(() => handlersOfAll([...others, handled, handled]), /A job has one handler/)
})

test('a second waiting job with the same name and key is not made', async () => {
  const once = defineJob('key.once', Type.Integer())
  await queue((work) => {
    const dueAt = addMs(work.now, DAY_MS)
    enqueue(work, once, 1, { key: 'a', dueAt })
    enqueue(work, once, 2, { key: 'a', dueAt })
    enqueue(work, once, 3, { key: 'b', dueAt })
    enqueue(work, once, 4, { dueAt })
    enqueue(work, once, 5, { dueAt })
  })
  await queue((work) => enqueue(work, once, 6, { key: 'a', dueAt: addMs(work.now, DAY_MS) }))
  assert.equal((await jobsNamed('key.once')).length, 4)
})

test('CORE-62 an outside job whose process died is taken over when its lease is over', async () => {
  const leased = defineJob('lease.over', Type.Null())
  await queue((work) => enqueue(work, leased, null))
  const later = addMs(deps.clock.now(), DAY_MS)
  await deps.db.read.run(
    sql`update jobs set leased_until = ${later} where platform_id = ${id} and name = 'lease.over'`,
  )
  let calls = 0
  const wake = startRunners([
    outsideJob(leased, {
      call: () => Promise.resolve((calls += 1)),
      settle: async (work) => leaveTrace(work, 'lease trace'),
    }),
  ])
  wake()
  await queue((work) => enqueue(work, leased, null))
  wake()
  await eventually(async () => assert.deepEqual(await tracesOf('lease '), ['lease trace']))
  assert.equal(calls, 1, 'the one that is held is left alone')
  await deps.db.read.run(
    sql`update jobs set leased_until = ${new Date(0)} where platform_id = ${id} and name = 'lease.over'`,
  )
  wake()
  await eventually(async () => assert.equal((await tracesOf('lease ')).length, 2))
  assert.equal(calls, 2)
})

test('CORE-62 two runners racing for one outside job settle it at once, every time', async () => {
  const race = defineJob('race.outside', Type.Integer())
  const handlers = handlersByName([
    outsideJob(race, {
      call: (_deps, _platform, job) => Promise.resolve(job.payload),
      settle: async (work, _job, answer) => leaveTrace(work, `race ${answer}`),
    }),
  ])
  const runners = [1, 2].map(() => createJobRunner({ deps, handlers, inBackground: false }))
  const ROUNDS = 500
  const leftStanding: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await queue((work) => enqueue(work, race, round))
    await Promise.all(runners.map((runner) => runner.runNextDue(caller.platform)))
    const left = await jobsNamed('race.outside')
    if (left.length > 0) leftStanding.push(round)
  }
  assert.deepEqual(leftStanding, [], 'rounds that left the lease standing')
  assert.equal(new Set(await tracesOf('race ')).size, ROUNDS)
})

/** Runs one outside job whose call does what the test says, and tells how it ended. */
async function runOutsideJob(name: string, call: () => Promise<unknown>) {
  const metrics = createMetrics(deps.db)
  const job = defineJob(name, Type.Null())
  const handlers = handlersByName([
    outsideJob(job, { call, settle: async (work) => leaveTrace(work, `${name} settled`) }),
  ])
  await queue((work) => enqueue(work, job, null))
  const runner = createJobRunner({ deps, handlers, metrics, inBackground: false })
  const ran = await runner.runNextDue(caller.platform)
  const lost = /^florin_job_leases_lost_total (\d+)$/m.exec(await metrics.registry.metrics())?.[1]
  return { outcome: ran?.outcome, lost: Number(lost) }
}

const leaseOf = async (name: string): Promise<number> =>
  (await jobsNamed(name))[0]?.leasedUntil?.getTime() ?? 0

test('CORE-62 a lease of a few seconds is renewed for as long as the call lasts', async () => {
  const call = async (): Promise<void> => {
    const first = await leaseOf('renew.one')
    assert.ok(first - Date.now() <= 10_000, 'what a killed process held is free soon')
    await eventually(async () => assert.ok((await leaseOf('renew.one')) > first))
  }
  assert.deepEqual(await runOutsideJob('renew.one', call), { outcome: 'done', lost: 0 })
  assert.deepEqual(await tracesOf('renew.one'), ['renew.one settled'])
})

test('CORE-62 a runner that lost its lease settles nothing and counts no failure', async () => {
  const takeOver = () =>
    deps.db.read.run(
      sql`update jobs set leased_until = ${addMs(deps.clock.now(), DAY_MS)} where platform_id = ${id} and name like 'lost.%'`,
    )
  assert.deepEqual(await runOutsideJob('lost.one', takeOver), { outcome: 'lost', lost: 1 })
  const failing = async (): Promise<never> => {
    await takeOver()
    throw new Error('too late')
  }
  assert.deepEqual(await runOutsideJob('lost.two', failing), { outcome: 'lost', lost: 1 })
  assert.deepEqual(await tracesOf('lost.'), [])
  assert.equal((await jobsNamed('lost.two'))[0]?.attempts, 0)
  await deps.db.read.run(sql`delete from jobs where platform_id = ${id} and name like 'lost.%'`)
})

test('CORE-84 the metrics tell for how long the oldest due job has been due', async () => {
  const metrics = createMetrics(deps.db)
  createJobRunner({ deps, handlers: handlersByName([]), metrics, inBackground: false })
  const old = defineJob('old.one', Type.Null())
  await queue((work) => enqueue(work, old, null, { dueAt: addMs(work.now, -DAY_MS) }))
  const shown = /^florin_jobs_oldest_due_seconds (.+)$/m.exec(await metrics.registry.metrics())?.[1]
  assert.ok(Math.abs(Number(shown) - 86_400) < 60, shown)
  await deps.db.read.run(sql`delete from jobs where platform_id = ${id} and name = 'old.one'`)
})

test('CORE-62 jobs that another process runs hide none behind them, and are not asked for without pause', async () => {
  const metrics = createMetrics(deps.db)
  const held = defineJob('held.one', Type.String())
  const handlers = handlersByName([
    insideJob(held, async (work, job) => leaveTrace(work, `held ${job.payload}`)),
  ])
  await queue((work) => {
    for (let n = 0; n < 20; n += 1) enqueue(work, held, String(n))
  })
  const runner = createJobRunner({ deps, handlers, metrics, inBackground: true })
  after(() => runner.stop())
  await deps.db.transaction(async (tx) => {
    await tx.many(sql`select from jobs where platform_id = ${id} and name = 'held.one' for update`)
    await queue((work) => enqueue(work, held, 'behind'))
    runner.wake()
    await eventually(async () => assert.deepEqual(await tracesOf('held '), ['held behind']))
    await queue((work) => enqueue(work, held, 'later'))
    runner.wake()
    await eventually(async () => assert.equal((await tracesOf('held ')).length, 2))
  })
  await eventually(async () => assert.equal((await tracesOf('held ')).length, 22))
  const taken = /outcome="taken"\} (\d+)/.exec(await metrics.registry.metrics())?.[1]
  assert.ok(Number(taken) >= 20 && Number(taken) < 200, `${taken} in vain`)
})
