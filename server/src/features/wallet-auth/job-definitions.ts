import { Type } from '../../infra/http/schema/type.ts'
import { DAY_MS, addMs } from '../../kernel/clock.ts'
import { defineJob, jobId } from '../../infra/jobs/define-job.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import type { Work } from '../../infra/work/work.ts'

export const settleRequestJob = defineJob(
  'wallet-auth.settleRequest',
  Type.Object({ requestId: jobId('request') }),
)
export const pruneRequestsJob = defineJob('wallet-auth.prune', Type.Object({}))

/** Schedules one daily job that deletes expired signature requests. */
export function schedulePruning(work: Pick<Work, 'platform' | 'now' | 'outbox'>): void {
  enqueue(work, pruneRequestsJob, {}, { dueAt: addMs(work.now, DAY_MS), key: 'prune' })
}
