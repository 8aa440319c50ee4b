import type { Deps } from '../deps.ts'
import { inServiceWork } from '../work/security-event.ts'
import type { JobDefinition } from './define-job.ts'
import { enqueue } from './enqueue.ts'

/** Queues a job of the whole installation, which runs in real time, unless one waits already. */
export const startHouseJob = <Payload>(
  deps: Deps,
  job: JobDefinition<Payload>,
  { payload, key }: Readonly<{ payload: NoInfer<Payload>; key: string }>,
): Promise<void> =>
  inServiceWork(deps, async (work) => enqueue(work, job, payload, { key }), job.name)
