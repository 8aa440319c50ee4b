import { SECOND_MS, addMs } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'
import { isUnavailable } from '../db/connection/unavailable.ts'
import type { Deps } from '../deps.ts'
import type { Job } from './job-handler.ts'
import { leaseJob, renewJobLease } from './job-store.ts'

export type JobLease = Readonly<{
  job: Job
  /** Stops renewing and returns the end of the lease, which identifies its holder. */
  end(): Promise<Date>
}>

/** The job of a killed process waits this long; longer calls renew the lease. */
const LEASE_MS = 8 * SECOND_MS
const RENEW_MS = 2 * SECOND_MS

/** Leases an outside job and renews the lease while its call lasts. Undefined where another runner has the job. */
export async function holdLease(
  deps: Deps,
  platformId: Id<'platform'>,
  id: string,
): Promise<JobLease | undefined> {
  const now = deps.clock.now()
  let leasedUntil = addMs(now, LEASE_MS)
  const job = await leaseJob(deps.db.read, platformId, { id, now, until: leasedUntil })
  if (!job) return undefined

  let renewing = Promise.resolve()
  const renew = async (): Promise<void> => {
    const until = addMs(deps.clock.now(), LEASE_MS)
    const isHeld = await renewJobLease(deps.db.read, platformId, { id, leasedUntil, until })
    if (isHeld) leasedUntil = until
  }
  const timer = setInterval(() => {
    renewing = renewing.then(renew).catch((error: unknown) => {
      if (!isUnavailable(error)) deps.log.error({ err: error, jobId: id }, 'lease not renewed')
    })
  }, RENEW_MS)
  return {
    job,
    async end() {
      clearInterval(timer)
      await renewing
      return leasedUntil
    },
  }
}
