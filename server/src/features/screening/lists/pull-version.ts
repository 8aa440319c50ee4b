import { Type, type Static } from '../../../infra/http/schema/type.ts'
import { DAY_MS } from '../../../kernel/clock.ts'
import { isRemote, type RegisteredProvider } from '../../../kernel/ports.ts'
import { bodyValidator } from '../../../infra/http/schema/validate.ts'
import { defineJob, jobId } from '../../../infra/jobs/define-job.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import { outsideJob } from '../../../infra/jobs/job-handler.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { askProvider } from '../../../providers/http/ask-provider.ts'
import { ListVersionSchema } from '../../../providers/http/messages/pushes.ts'
import { takeListVersion } from './rescreen.ts'

const pullVersionJob = defineJob(
  'screening.pull-version',
  Type.Object({ providerId: jobId('provider') }),
)

const HOUR_UTC = 2
const LISTS = { path: '/lists', findProblems: bodyValidator(ListVersionSchema) }

type ListVersion = Static<typeof ListVersionSchema>

/** The next 02:00 UTC. */
function nextPull(now: Date): Date {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), HOUR_UTC)
  return new Date(today > now.getTime() ? today : today + DAY_MS)
}

const enqueueNext = (work: Work, { id: providerId }: RegisteredProvider): void =>
  enqueue(work, pullVersionJob, { providerId }, { dueAt: nextPull(work.now), key: providerId })

const isPulled = (provider: RegisteredProvider): boolean =>
  isRemote(provider) && provider.ports.includes('screening')

/** Reacts to a registration: its lists are asked for every night (PROV-106). */
export async function startPullingVersions(
  work: Work,
  { provider }: InternalEvents['providers.saved'],
): Promise<void> {
  if (isPulled(provider)) enqueueNext(work, provider)
}

export const pullVersionHandler = outsideJob(pullVersionJob, {
  async call(deps, _house, { payload }) {
    const provider = deps.providers.find(payload.providerId)
    if (!provider || !isPulled(provider)) return undefined
    return { deps, provider, stated: await askProvider<ListVersion>(deps, provider, LISTS) }
  },
  async settle(work, _job, pulled) {
    if (!pulled) return
    const { deps, provider, stated } = pulled
    if (stated) await takeListVersion(work, deps, { provider, version: stated.version })
    enqueueNext(work, provider)
  },
})
