import { DAY_MS, addMs } from '../../kernel/clock.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import type { Work } from '../../infra/work.ts'

export const SETTLE_REQUEST_JOB = 'wallet-auth.settleRequest'
export const PRUNE_JOB = 'wallet-auth.prune'

/** Whoever leaves something behind sees to it that it is removed a day later; one job does for all. */
export function schedulePruning(work: Pick<Work, 'platform' | 'now' | 'outbox'>): void {
  enqueue(work, PRUNE_JOB, { payload: {}, dueAt: addMs(work.now, DAY_MS), key: 'prune' })
}
