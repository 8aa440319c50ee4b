import type { Id } from '../../kernel/ids.ts'
import { platformTime, type Platform } from '../../kernel/platform.ts'
import { isUnavailable } from '../db/connection/unavailable.ts'
import type { Deps } from '../deps.ts'
import type { Metrics } from '../logging/metrics.ts'
import { toPlatform } from '../platforms.ts'
import { createPoller, type Poller } from '../poller.ts'
import { isTaken, type DueSource, type Ran } from './due-source.ts'
import { isOutside, type JobHandlers } from './job-handler.ts'
import { findDueJobs, findFirstWaiting, readJobQueue, type DueJob } from './job-store.ts'
import { runJob, type JobAt, type JobOutcome } from './run-job.ts'

export type JobRunner = DueSource &
  Readonly<{
    /** Starts a poll now, because a job may be due. */
    wake(): void
    stop(): Promise<void>
    /** Like `runNext` for jobs due by now, without `except`, the jobs that other processes are running. */
    runNextDue(platform: Platform, except?: readonly string[]): Promise<Ran | undefined>
  }>

export type JobRunnerOptions = Readonly<{
  deps: Deps
  handlers: JobHandlers
  metrics?: Metrics
  /** Otherwise this process runs jobs only while a clock is moved or an answer waits for them. */
  inBackground: boolean
}>

const POLL_MS = 500
const INSIDE_AT_ONCE = 4
const OUTSIDE_AT_ONCE = 32
/** The most outside jobs of one platform, so that a hanging counterparty does not delay other platforms. */
const OUTSIDE_PER_PLATFORM = 4

/**
 * Runs due jobs in the background, shared with every other process on this database. Jobs that stay inside and jobs
 * that call the outside have separate places, so that a slow counterparty never holds up an expiry.
 */
export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { deps, handlers, metrics, inBackground } = options
  const everyMs = inBackground ? POLL_MS : undefined
  const names = [...handlers.keys()]
  const outside = [...handlers.values()].filter(isOutside).map(({ name }) => name)
  const inside = names.filter((name) => !outside.includes(name))

  metrics?.watchJobs(() => readJobQueue(deps.db.read, deps.clock.now()))
  const run = async (at: JobAt): Promise<JobOutcome> => {
    const outcome = await runJob(deps, handlers, at)
    metrics?.jobs.inc({ name: at.name, outcome })
    if (outcome === 'lost') metrics?.jobLeasesLost.inc()
    return outcome
  }
  const pollers: Poller[] = [
    poolOf(deps, {
      everyMs,
      names: inside,
      atOnce: INSIDE_AT_ONCE,
      perPlatform: INSIDE_AT_ONCE,
      run,
    }),
    poolOf(deps, {
      everyMs,
      names: outside,
      atOnce: OUTSIDE_AT_ONCE,
      perPlatform: OUTSIDE_PER_PLATFORM,
      run,
    }),
  ]
  return {
    wake: () => pollers.forEach((poller) => poller.wake()),
    stop: async () => void (await Promise.all(pollers.map((poller) => poller.stop()))),
    nextDueAt: async (platformId: Id<'platform'>) =>
      (await findFirstWaiting(deps.db.read, { platformId, names }))?.dueAt,
    runNext: (platform, until) =>
      runFirst(deps, { platform, names, isDue: (dueAt) => dueAt <= until, run }),
    // The clock is read after the job, so that a job queued in between by another runner counts as due as well.
    runNextDue: (platform, except) =>
      runFirst(deps, {
        platform,
        names,
        except,
        isDue: (dueAt) => dueAt <= platformTime(platform, deps.clock.now()),
        run,
      }),
  }
}

type RunFirst = Readonly<{
  platform: Platform
  names: readonly string[]
  except?: readonly string[] | undefined
  isDue: (dueAt: Date) => boolean
  run: (at: JobAt) => Promise<JobOutcome>
}>

async function runFirst(
  deps: Deps,
  { platform, names, except = [], isDue, run }: RunFirst,
): Promise<Ran | undefined> {
  const job = await findFirstWaiting(deps.db.read, { platformId: platform.id, names, except })
  if (!job || !isDue(job.dueAt)) return undefined
  const { id, name, dueAt } = job
  const outcome = await run({ platform, id, name, now: dueAt })
  return { kind: 'job', id, name, dueAt, outcome }
}

type PoolOptions = Readonly<{
  everyMs: number | undefined
  names: readonly string[]
  atOnce: number
  perPlatform: number
  run: (at: JobAt) => Promise<JobOutcome>
}>

/** Keeps up to `atOnce` jobs running, at most `perPlatform` of one platform. */
function poolOf(deps: Deps, { everyMs, names, atOnce, perPlatform, run }: PoolOptions): Poller {
  const running = new Map<string, DueJob>()
  const takenElsewhere = new Set<string>()
  const count = (platformId: string): number =>
    [...running.values()].filter((job) => job.id === platformId).length

  /** Another runner locks only the row: without this list the job would be found again at once, before all others. */
  const skipForNow = (jobId: string): void => {
    takenElsewhere.add(jobId)
    setTimeout(() => takenElsewhere.delete(jobId), POLL_MS).unref()
  }
  const start = (job: DueJob): void => {
    running.set(job.jobId, job)
    void run({ platform: toPlatform(job), id: job.jobId, name: job.jobName })
      .then((outcome) => {
        if (isTaken({ outcome })) skipForNow(job.jobId)
      })
      .catch((error: unknown) => {
        if (!isUnavailable(error)) deps.log.error({ err: error }, 'job runner failed')
      })
      .finally(() => {
        running.delete(job.jobId)
        poller.wake()
      })
  }

  const startDueJobs = async (): Promise<void> => {
    if (names.length === 0 || running.size >= atOnce) return
    const busy = [...new Set([...running.values()].map((job) => job.id))].filter(
      (id) => count(id) >= perPlatform,
    )
    const due = await findDueJobs(deps.db.read, {
      now: deps.clock.now(),
      limit: atOnce * 4,
      names,
      busy,
      except: [...running.keys(), ...takenElsewhere],
    })
    for (const job of due) {
      if (running.size >= atOnce) break
      if (count(job.id) < perPlatform) start(job)
    }
  }
  const poller = createPoller({
    look: startDueJobs,
    everyMs,
    log: deps.log,
    idle: () => running.size === 0,
  })
  return poller
}
