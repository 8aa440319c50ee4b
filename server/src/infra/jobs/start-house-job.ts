import type { Deps } from '../deps.ts'
import type { JobDefinition } from './define-job.ts'
import { enqueue } from './enqueue.ts'
import { findPlatform } from '../platforms.ts'
import { inWork } from '../work/in-work.ts'
import { newUuid } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import { DEFAULT_ENVIRONMENT, HOUSE_PLATFORM_IDS } from '../../kernel/platform.ts'

/** Queues a job of the whole installation on the house platform of production, whose time is real; nothing is done where it waits already. */
export async function startHouseJob<Payload>(
  deps: Deps,
  job: JobDefinition<Payload>,
  { payload, key }: Readonly<{ payload: NoInfer<Payload>; key: string }>,
): Promise<void> {
  const platform = await findPlatform(deps.db.read, HOUSE_PLATFORM_IDS[DEFAULT_ENVIRONMENT])
  invariant(platform, 'the house platform is there')
  const actor = { kind: 'system', name: job.name } as const
  await inWork(deps, { platform, actor, requestId: newUuid() }, async (work) =>
    enqueue(work, job, payload, { key }),
  )
}
