import { newUuid } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { Platform } from '../../kernel/platform.ts'
import { isTooSlow, isUnavailable } from '../db/connection/unavailable.ts'
import type { Deps } from '../deps.ts'
import { resumeSpan } from '../logging/tracing/tracer.ts'
import { inWork } from '../work/in-work.ts'
import type { WorkFor } from '../work/work.ts'
import {
  isOutside,
  type InsideHandler,
  type JobHandlers,
  type OutsideHandler,
} from './job-handler.ts'
import { holdLease } from './job-lease.ts'
import { lockJob, lockLeasedJob, recordFailure, removeJob } from './job-store.ts'

export type JobAt = Readonly<{ platform: Platform; id: string; name: string; now?: Date }>
/** `taken`: another runner has the job. `lost`: another runner took it over during the call outside. */
export type JobOutcome = 'done' | 'taken' | 'lost' | 'failed'

const ATTEMPTS_MAX = 10

/**
 * Runs one job. Its effect and its completion commit together, so it takes effect once however many processes try, and a
 * crash leaves it waiting. A failed job is retried later; after ten failures it is dead and shown to the operator.
 */
export async function runJob(deps: Deps, handlers: JobHandlers, at: JobAt): Promise<JobOutcome> {
  const handler = handlers.get(at.name)
  invariant(handler, `there is a handler for the job ${at.name}`)
  const { id, name, platform } = at
  return resumeSpan(
    deps.tracer,
    { platformId: platform.id, id },
    () => ({ name: `job ${name}` }),
    () => (isOutside(handler) ? runOutside(deps, handler, at) : runInside(deps, handler, at)),
  )
}

const workFor = ({ platform, name, now }: JobAt): WorkFor => ({
  platform,
  actor: { kind: 'system', name },
  requestId: `job:${newUuid()}`,
  ...(now && { now }),
})

async function runInside(deps: Deps, handler: InsideHandler, at: JobAt): Promise<JobOutcome> {
  try {
    return await inWork(deps, workFor(at), async (work) => {
      const job = await lockJob(work.tx, at.platform.id, at.id)
      if (!job) return 'taken'
      await handler.run(work, job)
      removeJob(work.tx, at.platform.id, job.id)
      return 'done'
    })
  } catch (error) {
    return countFailure(deps, at, { error })
  }
}

/** Only the holder of the lease settles the job or counts its failure; it waits for the lock of the row. */
async function runOutside(deps: Deps, handler: OutsideHandler, at: JobAt): Promise<JobOutcome> {
  const lease = await holdLease(deps, at.platform.id, at.id)
  if (!lease) return 'taken'
  try {
    const settle = await handler.call(deps, at.platform, lease.job)
    const leasedUntil = await lease.end()
    return await inWork(deps, workFor(at), async (work) => {
      const isHeld = await lockLeasedJob(work.tx, at.platform.id, { id: at.id, leasedUntil })
      if (!isHeld) return 'lost'
      await settle(work)
      removeJob(work.tx, at.platform.id, at.id)
      return 'done'
    })
  } catch (error) {
    return countFailure(deps, at, { error, leasedUntil: await lease.end() })
  }
}

type Failure = Readonly<{ error: unknown; leasedUntil?: Date }>

/**
 * Without a database nothing is counted: the job stays unchanged, and a lease ends by itself. A statement timeout is
 * counted, so that the job waits and the operator sees it, but never makes the job dead, because the database may only
 * be busy.
 */
async function countFailure(
  deps: Deps,
  at: JobAt,
  { error, leasedUntil }: Failure,
): Promise<JobOutcome> {
  const isSlow = isTooSlow(error)
  if (isUnavailable(error) && !isSlow) throw error
  const { id, name, platform } = at
  deps.log.error({ err: error, job: name, jobId: id, platformId: platform.id }, 'job failed')
  const isCounted = await recordFailure(deps.db.read, platform.id, {
    id,
    error: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    now: deps.clock.now(),
    attemptsMax: isSlow ? undefined : ATTEMPTS_MAX,
    leasedUntil,
  })
  return isCounted || !leasedUntil ? 'failed' : 'lost'
}
