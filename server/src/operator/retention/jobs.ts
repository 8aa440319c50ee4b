import type { Deps } from '../../infra/deps.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import { outsideJob, type JobHandler } from '../../infra/jobs/job-handler.ts'
import { findPlatform } from '../../infra/platforms.ts'
import { inWork } from '../../infra/work/in-work.ts'
import { addMs, DAY_MS } from '../../kernel/clock.ts'
import { newUuid } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import { DEFAULT_ENVIRONMENT, HOUSE_PLATFORM_IDS } from '../../kernel/platform.ts'
import { applyRetention } from './apply-retention.ts'
import { recordErasures } from './erasures-file.ts'
import { applyRetentionJob, recordErasuresJob } from './job-definitions.ts'

const DAILY = { key: 'daily' }

/** Both take several transactions, or the disk; each run makes up for one that was cut short. */
export const retentionJobs: readonly JobHandler[] = [
  outsideJob(recordErasuresJob, { call: (deps) => recordErasures(deps) }),
  outsideJob(applyRetentionJob, {
    call: (deps) => applyRetention(deps),
    async settle(work) {
      enqueue(work, applyRetentionJob, {}, { ...DAILY, dueAt: addMs(work.now, DAY_MS) })
    },
  }),
]

/** The daily job waits on the house platform of production, whose time is real; nothing is done where it waits already. */
export async function startRetention(deps: Deps): Promise<void> {
  const platform = await findPlatform(deps.db.read, HOUSE_PLATFORM_IDS[DEFAULT_ENVIRONMENT])
  invariant(platform, 'the house platform is there')
  const actor = { kind: 'system', name: applyRetentionJob.name } as const
  await inWork(deps, { platform, actor, requestId: newUuid() }, async (work) =>
    enqueue(work, applyRetentionJob, {}, DAILY),
  )
}
