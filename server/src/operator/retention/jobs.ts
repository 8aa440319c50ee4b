import type { Deps } from '../../infra/deps.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import { insideJob, outsideJob, type JobHandler } from '../../infra/jobs/job-handler.ts'
import { addMs, DAY_MS } from '../../kernel/clock.ts'
import { startHouseJob } from '../../infra/jobs/start-house-job.ts'
import { applyRetention } from './apply-retention.ts'
import { recordErasures } from './erasures-file.ts'
import { applyRetentionJob, eraseLateRequestsJob, recordErasuresJob } from './job-definitions.ts'
import { eraseRequests, readCustomerResources } from './retention-store.ts'

const DAILY = { key: 'daily' }

/** The outside jobs use several transactions or the disk; each run also does the rest of an interrupted one. */
export const retentionJobs: readonly JobHandler[] = [
  insideJob(eraseLateRequestsJob, async ({ tx, platform }, { payload: { customerId } }) =>
    eraseRequests(tx, await readCustomerResources(tx, { platformId: platform.id, customerId })),
  ),
  outsideJob(recordErasuresJob, { call: (deps) => recordErasures(deps) }),
  outsideJob(applyRetentionJob, {
    call: (deps) => applyRetention(deps),
    async settle(work) {
      enqueue(work, applyRetentionJob, {}, { ...DAILY, dueAt: addMs(work.now, DAY_MS) })
    },
  }),
]

/** Queues the daily job unless it is queued already. */
export const startRetention = (deps: Deps): Promise<void> =>
  startHouseJob(deps, applyRetentionJob, { payload: {}, ...DAILY })
