import { Type } from 'typebox'
import { DAY_MS } from '../../../kernel/clock.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { isRemote, type RegisteredProvider } from '../../../kernel/ports.ts'
import type { Deps } from '../../../infra/deps.ts'
import { bodyValidator } from '../../../infra/http/schema/validate.ts'
import { defineJob, jobId } from '../../../infra/jobs/define-job.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import { outsideJob } from '../../../infra/jobs/job-handler.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { callProvider } from '../../../providers/http/call-provider.ts'
import { ListVersionSchema } from '../../../providers/http/messages/pushes.ts'
import { takeListVersion } from './rescreen.ts'

const pullVersionJob = defineJob(
  'screening.pull-version',
  Type.Object({ providerId: jobId('provider') }),
)

const HOUR_UTC = 2
const findProblems = bodyValidator(ListVersionSchema)

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

/** Undefined where the provider says nothing, as one that only posts new versions. */
async function pull(deps: Deps, provider: RegisteredProvider): Promise<string | undefined> {
  if (provider.status === 'PAUSED') return undefined
  const call = { method: 'GET', path: '/lists', messageId: newUuid() } as const
  const answer = await callProvider(deps, provider, call)
  const isNamed = answer.answered && answer.status === 200 && findProblems(answer.body).length === 0
  return isNamed ? (answer.body as { version: string }).version : undefined
}

export const pullVersionHandler = outsideJob(pullVersionJob, {
  async call(deps, _house, { payload }) {
    const provider = deps.providers.find(payload.providerId)
    if (!provider || !isPulled(provider)) return undefined
    return { deps, provider, version: await pull(deps, provider) }
  },
  async settle(work, _job, pulled) {
    if (!pulled) return
    const { deps, provider, version } = pulled
    if (version !== undefined) await takeListVersion(work, deps, { provider, version })
    enqueueNext(work, provider)
  },
})
