import { SECOND_MS, addMs } from '../../kernel/clock.ts'
import { newUuid } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { Platform } from '../../kernel/platform.ts'
import { isUnavailable } from '../db/unavailable.ts'
import type { Deps } from '../deps.ts'
import { inWork } from '../in-work.ts'
import type { WorkFor } from '../work.ts'
import {
  isOutside,
  type InsideHandler,
  type Job,
  type JobHandlers,
  type OutsideHandler,
} from './job-handler.ts'
import { leaseJob, lockJob, recordFailure, removeJob } from './job-store.ts'

export type JobAt = Readonly<{ platform: Platform; id: string; name: string; now?: Date }>
export type JobOutcome = 'done' | 'taken' | 'failed'

const LEASE_MS = 120 * SECOND_MS
const ATTEMPTS_MAX = 10

/**
 * Runs one job. Its effect and its completion commit together, so it happens once however many processes try, and a
 * crash leaves it waiting. A failure is counted and tried again later; after ten it is dead and an operator sees it.
 */
export async function runJob(deps: Deps, handlers: JobHandlers, at: JobAt): Promise<JobOutcome> {
  const handler = handlers[at.name]
  invariant(handler, `there is a handler for the job ${at.name}`)
  try {
    return isOutside(handler)
      ? await runOutside(deps, handler, at)
      : await runInside(deps, handler, at)
  } catch (error) {
    if (isUnavailable(error)) throw error
    deps.log.error(
      { err: error, job: at.name, jobId: at.id, platformId: at.platform.id },
      'job failed',
    )
    await countFailure(deps, at, error)
    return 'failed'
  }
}

const workFor = ({ platform, name, now }: JobAt): WorkFor => ({
  platform,
  actor: { kind: 'system', name },
  requestId: `job:${newUuid()}`,
  ...(now && { now }),
})

function runInside(deps: Deps, handler: InsideHandler, at: JobAt): Promise<JobOutcome> {
  return inWork(deps, workFor(at), async (work) => {
    const job = await lockJob(work.tx, at.platform.id, at.id)
    if (!job) return 'taken'
    await handler.run(work, job)
    removeJob(work.tx, at.platform.id, job.id)
    return 'done'
  })
}

async function runOutside(deps: Deps, handler: OutsideHandler, at: JobAt): Promise<JobOutcome> {
  const now = deps.clock.now()
  const lease = { id: at.id, now, until: addMs(now, LEASE_MS) }
  const job: Job | undefined = await leaseJob(deps.db.read, at.platform.id, lease)
  if (!job) return 'taken'
  const answer = await handler.call(deps, at.platform, job)
  return inWork(deps, workFor(at), async (work) => {
    const still = await lockJob(work.tx, at.platform.id, at.id)
    if (!still) return 'taken'
    await handler.settle(work, still, answer)
    removeJob(work.tx, at.platform.id, still.id)
    return 'done'
  })
}

async function countFailure(deps: Deps, at: JobAt, error: unknown): Promise<void> {
  const now = deps.clock.now()
  await recordFailure(deps.db.read, at.platform.id, {
    id: at.id,
    error: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    now,
    attemptsMax: ATTEMPTS_MAX,
  })
}
