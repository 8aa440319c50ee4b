import { Type } from '../../infra/http/schema/type.ts'
import { defineJob } from '../../infra/jobs/define-job.ts'
import type { Deps } from '../../infra/deps.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import { outsideJob, type JobHandler } from '../../infra/jobs/job-handler.ts'
import { addMs, MINUTE_MS } from '../../kernel/clock.ts'
import { startHouseJob } from '../../infra/jobs/start-house-job.ts'
import { refreshFigures } from './refresh.ts'

const refreshJob = defineJob('figures.refresh', Type.Object({}))
const ALWAYS = { key: 'always' }

/** A run is followed by a pause a hundred times as long, so that counting takes at most a hundredth of a core. */
const PAUSES_PER_RUN = 100

export const figureJobs: readonly JobHandler[] = [
  outsideJob(refreshJob, {
    async call(deps) {
      const startedAt = deps.clock.now()
      await refreshFigures(deps)
      return deps.clock.now().getTime() - startedAt.getTime()
    },
    async settle(work, _job, tookMs) {
      const dueAt = addMs(work.now, Math.max(MINUTE_MS, PAUSES_PER_RUN * tookMs))
      enqueue(work, refreshJob, {}, { ...ALWAYS, dueAt })
    },
  }),
]

/** Nothing is done where the job waits already. */
export const startFigures = (deps: Deps): Promise<void> =>
  startHouseJob(deps, refreshJob, { payload: {}, ...ALWAYS })
