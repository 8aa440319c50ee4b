/** A new version of a provider's lists: every live subject is asked about again, at a steady pace (PROV-106). */
import { Type } from '../../../infra/http/schema/type.ts'
import { addMs, SECOND_MS } from '../../../kernel/clock.ts'
import { HOUSE_PLATFORM_IDS, platformTime, type Platform } from '../../../kernel/platform.ts'
import { isRemote, type RegisteredProvider } from '../../../kernel/ports.ts'
import type { Deps } from '../../../infra/deps.ts'
import { defineJob, jobId } from '../../../infra/jobs/define-job.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import { outsideJob } from '../../../infra/jobs/job-handler.ts'
import type { Work } from '../../../infra/work/work.ts'
import { placeOrder } from '../../../orders/index.ts'
import { ListVersionSchema } from '../../../providers/http/messages/pushes.ts'
import { SCREENABLE_TYPES } from '../../external-accounts/index.ts'
import type { InboundRoute } from '../../providers/index.ts'
import {
  dropSubjects,
  listPlatforms,
  OTHER,
  queueSubjects,
  saveVersion,
  takeSubjects,
  type Queue,
  type QueuedSubject,
} from './store.ts'

const SUBJECTS_PER_SECOND = 20

const rescreenJob = defineJob('screening.rescreen', Type.Object({ providerId: jobId('provider') }))

type Named = Readonly<{ provider: RegisteredProvider; version: string }>

/** Of each platform the currencies that a provider screens: an account's currency may name another provider (PROV-5). */
async function servedBy(
  { db, providers }: Deps,
  { id, environment }: RegisteredProvider,
): Promise<Pick<Queue, 'named' | 'served'>> {
  const screeners = providers.registered().filter(({ ports }) => ports.includes('screening'))
  const named = [...new Set(screeners.flatMap(({ currencies }) => currencies ?? []))]
  const platforms = await listPlatforms(db.read, environment)
  const served = platforms.flatMap((platform) => {
    const { providerOf } = providers.portsOf(platform)
    return [OTHER, ...named]
      .filter((currency) => providerOf({ port: 'screening', currency })?.id === id)
      .map((currency) => ({ platformId: platform.id, currency }))
  })
  return { named, served }
}

/** In a Work of the house platform. Answers how many subjects are queued; none where the version is known. */
export async function takeListVersion(
  work: Work,
  deps: Deps,
  { provider, version }: Named,
): Promise<number> {
  const { tx, now } = work
  const providerId = provider.id
  if (!(await saveVersion(tx, { providerId, version, at: now }))) return 0
  const queue = { providerId, version, accountTypes: SCREENABLE_TYPES }
  const queued = await queueSubjects(tx, { ...queue, ...(await servedBy(deps, provider)) })
  if (queued > 0) enqueue(work, rescreenJob, { providerId }, { key: providerId })
  return queued
}

/** `POST …/lists`. */
export const listRoute: InboundRoute = {
  path: 'lists',
  body: ListVersionSchema,
  take: async ({ deps, provider, inPlatform }, body) => {
    const { version } = body as { version: string }
    const queued = await inPlatform(HOUSE_PLATFORM_IDS[provider.environment], (work) =>
      takeListVersion(work, deps, { provider, version }),
    )
    return { queued }
  },
}

type Serving = Readonly<{
  provider: RegisteredProvider
  deps: Deps
  platforms: readonly Platform[]
}>

export const rescreenHandler = outsideJob(rescreenJob, {
  async call(deps, _house, { payload }): Promise<Serving | undefined> {
    const provider = deps.providers.find(payload.providerId)
    const isAsked = provider && isRemote(provider) && provider.ports.includes('screening')
    if (!isAsked) return undefined
    const platforms = await listPlatforms(deps.db.read, provider.environment)
    return { provider, deps, platforms }
  },
  async settle(work, { payload: { providerId } }, serving) {
    if (!serving) return dropSubjects(work.tx, providerId)
    const limit = SUBJECTS_PER_SECOND
    const subjects = await takeSubjects(work.tx, { providerId, limit })
    for (const subject of subjects) askAgain(work, serving, subject)
    const dueAt = addMs(work.now, SECOND_MS)
    if (subjects.length === limit) {
      enqueue(work, rescreenJob, { providerId }, { key: providerId, dueAt })
    }
  },
})

/** A subject that another provider serves by now is not this one's to ask about. */
function askAgain(
  { outbox }: Work,
  { provider, deps, platforms }: Serving,
  { platformId, subject, currency }: QueuedSubject,
): void {
  const platform = platforms.find(({ id }) => id === platformId)
  if (!platform) return
  const query = { port: 'screening', ...(currency !== null && { currency }) } as const
  if (deps.providers.portsOf(platform).providerOf(query)?.id !== provider.id) return
  const now = platformTime(platform, deps.clock.now())
  const request = { isRepeated: true }
  placeOrder({ platform, now, outbox }, { type: 'SCREENING', provider, subject, request })
}
