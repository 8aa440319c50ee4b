import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '../../../test/kit/eventually.ts'
import { startKit } from '../../../test/kit/florin.ts'
import { DAY_MS, addMs } from '../../kernel/clock.ts'
import { mustParseId, newUuid } from '../../kernel/ids.ts'
import { audit } from '../audit.ts'
import { sql } from '../db/sql.ts'
import { inWork } from '../in-work.ts'
import { createMetrics } from '../metrics.ts'
import { findPlatform } from '../platforms.ts'
import type { Work } from '../work.ts'
import { enqueue } from './enqueue.ts'
import type { JobHandlers } from './job-handler.ts'
import { createJobRunner } from './job-runner.ts'

const kit = await startKit()
const { deps } = kit.florin
const { platformId } = await kit.platform()
const id = mustParseId('platform', platformId)
const platform = await findPlatform(deps.db.read, id)
assert.ok(platform)
const caller = { platform, actor: { kind: 'system', name: 'test' }, requestId: newUuid() } as const

/** Two runners share what is due, as two processes do. */
function startRunners(handlers: JobHandlers, count = 2) {
  const start = () => createJobRunner({ deps, handlers, inBackground: true })
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
  const handlers: JobHandlers = { 'late.one': { run: async (work) => leaveTrace(work, 'late') } }
  const runner = createJobRunner({ deps: slow, handlers, inBackground: false })
  await queue((work) => enqueue(work, 'late.one', { payload: 1, dueAt }))
  assert.equal(await runner.runNext(platform, realNow), undefined, 'not by that time')
  now = realNow
  assert.equal((await runner.runNextDue(platform))?.outcome, 'done')
  assert.deepEqual(await tracesOf('late'), ['late'])
})

test('CORE-62 each job takes effect once, however many runners share them', async () => {
  const wake = startRunners({
    'share.inside': {
      run: async (work, job) => leaveTrace(work, `share ${String(job.payload)}`),
    },
    'share.outside': {
      call: (_deps, _platform, job) => Promise.resolve(`answer to ${String(job.payload)}`),
      settle: async (work, _job, answer) => leaveTrace(work, `share ${String(answer)}`),
    },
  })
  await queue((work) => {
    for (let n = 0; n < 40; n += 1) {
      enqueue(work, n % 2 ? 'share.inside' : 'share.outside', { payload: n })
    }
  })
  wake()
  await eventually(async () => assert.equal((await tracesOf('share ')).length, 40))
  assert.equal(new Set(await tracesOf('share ')).size, 40)
  assert.deepEqual(await jobsNamed('share.inside'), [])
  assert.deepEqual(await jobsNamed('share.outside'), [])
})

test('CORE-62 a job that fails leaves no effect, waits longer each time, and is dead after ten', async () => {
  let runs = 0
  const failing: JobHandlers = {
    'fail.always': {
      run: (work) => {
        runs += 1
        leaveTrace(work, 'fail trace')
        return Promise.reject(new Error('not today'))
      },
    },
  }
  const wake = startRunners(failing, 1)
  await queue((work) => enqueue(work, 'fail.always', { payload: null }))
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

test('a second waiting job with the same name and key is not made', async () => {
  await queue((work) => {
    const dueAt = addMs(work.now, DAY_MS)
    enqueue(work, 'key.once', { payload: 1, key: 'a', dueAt })
    enqueue(work, 'key.once', { payload: 2, key: 'a', dueAt })
    enqueue(work, 'key.once', { payload: 3, key: 'b', dueAt })
    enqueue(work, 'key.once', { payload: 4, dueAt })
    enqueue(work, 'key.once', { payload: 5, dueAt })
  })
  await queue((work) =>
    enqueue(work, 'key.once', { payload: 6, key: 'a', dueAt: addMs(work.now, DAY_MS) }),
  )
  assert.equal((await jobsNamed('key.once')).length, 4)
})

test('CORE-62 an outside job whose process died is taken over when its lease is over', async () => {
  await queue((work) => enqueue(work, 'lease.over', { payload: null }))
  const later = addMs(deps.clock.now(), DAY_MS)
  await deps.db.read.run(
    sql`update jobs set leased_until = ${later} where platform_id = ${id} and name = 'lease.over'`,
  )
  let calls = 0
  const wake = startRunners({
    'lease.over': {
      call: () => Promise.resolve((calls += 1)),
      settle: async (work) => leaveTrace(work, 'lease trace'),
    },
  })
  wake()
  await queue((work) => enqueue(work, 'lease.over', { payload: 'marker' }))
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
  const handlers: JobHandlers = {
    'race.outside': {
      call: (_deps, _platform, job) => Promise.resolve(job.payload),
      settle: async (work, _job, answer) => leaveTrace(work, `race ${String(answer)}`),
    },
  }
  const runners = [1, 2].map(() => createJobRunner({ deps, handlers, inBackground: false }))
  const ROUNDS = 500
  const leftStanding: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await queue((work) => enqueue(work, 'race.outside', { payload: round }))
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
  const handlers: JobHandlers = {
    [name]: { call, settle: async (work) => leaveTrace(work, `${name} settled`) },
  }
  await queue((work) => enqueue(work, name, { payload: null }))
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
  createJobRunner({ deps, handlers: {}, metrics, inBackground: false })
  await queue((work) => enqueue(work, 'old.one', { payload: 1, dueAt: addMs(work.now, -DAY_MS) }))
  const shown = /^florin_jobs_oldest_due_seconds (.+)$/m.exec(await metrics.registry.metrics())?.[1]
  assert.ok(Math.abs(Number(shown) - 86_400) < 60, shown)
  await deps.db.read.run(sql`delete from jobs where platform_id = ${id} and name = 'old.one'`)
})

test('CORE-62 jobs that another process runs hide none behind them, and are not asked for without pause', async () => {
  const metrics = createMetrics(deps.db)
  const handlers: JobHandlers = {
    'held.one': { run: async (work, job) => leaveTrace(work, `held ${String(job.payload)}`) },
  }
  await queue((work) => {
    for (let n = 0; n < 20; n += 1) enqueue(work, 'held.one', { payload: n })
  })
  const runner = createJobRunner({ deps, handlers, metrics, inBackground: true })
  after(() => runner.stop())
  await deps.db.transaction(async (tx) => {
    await tx.many(sql`select from jobs where platform_id = ${id} and name = 'held.one' for update`)
    await queue((work) => enqueue(work, 'held.one', { payload: 'behind' }))
    runner.wake()
    await eventually(async () => assert.deepEqual(await tracesOf('held '), ['held behind']))
    await queue((work) => enqueue(work, 'held.one', { payload: 'later' }))
    runner.wake()
    await eventually(async () => assert.equal((await tracesOf('held ')).length, 2))
  })
  await eventually(async () => assert.equal((await tracesOf('held ')).length, 22))
  const taken = /outcome="taken"\} (\d+)/.exec(await metrics.registry.metrics())?.[1]
  assert.ok(Number(taken) >= 20 && Number(taken) < 200, `${taken} in vain`)
})
