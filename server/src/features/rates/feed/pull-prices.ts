import { Type } from '../../../infra/http/schema/type.ts'
import { addMs, SECOND_MS } from '../../../kernel/clock.ts'
import { isRemote, type Provider, type RegisteredProvider } from '../../../kernel/ports.ts'
import type { Deps } from '../../../infra/deps.ts'
import { defineJob, jobId, type PayloadOf } from '../../../infra/jobs/define-job.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import { outsideJob, type JobHandler } from '../../../infra/jobs/job-handler.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { askProvider } from '../../../providers/http/ask-provider.ts'
import { bodyProblems } from '../../providers/index.ts'
import { priceRoute } from './price-route.ts'
import { takePrices, type Stated } from './take-prices.ts'

const pullPricesJob = defineJob('rates.pull-prices', Type.Object({ providerId: jobId('provider') }))

type Payload = PayloadOf<typeof pullPricesJob>

const PULL_SECONDS = 60
const PRICES = {
  path: '/prices',
  findProblems: (body: unknown) => bodyProblems(priceRoute, body),
}

const isPulled = (provider: Provider): boolean =>
  isRemote(provider) && provider.ports.includes('prices')

function enqueueNext(
  work: Pick<Work, 'platform' | 'now' | 'outbox'>,
  { id: providerId, config }: RegisteredProvider,
): void {
  const seconds = (config['pullSeconds'] as number | undefined) ?? PULL_SECONDS
  const dueAt = addMs(work.now, seconds * SECOND_MS)
  enqueue(work, pullPricesJob, { providerId }, { dueAt, key: providerId })
}

/** Reacts to a registration. The first pull is after all processes know of it (PROV-132). */
export async function startPulling(
  work: Work,
  { provider }: InternalEvents['providers.saved'],
): Promise<void> {
  if (isPulled(provider)) enqueueNext(work, provider)
}

type Pulled = Readonly<{ provider: RegisteredProvider; stated: Stated | undefined }>

/** Undefined where the provider is gone, or serves prices no more: then nothing is pulled any more. */
async function pull(deps: Deps, { providerId }: Payload): Promise<Pulled | undefined> {
  const provider = deps.providers.find(providerId)
  if (!provider || !isPulled(provider)) return undefined
  return { provider, stated: await askProvider<Stated>(deps, provider, PRICES) }
}

export const jobs: readonly JobHandler[] = [
  outsideJob(pullPricesJob, {
    call: (deps, _platform, { payload }) => pull(deps, payload),
    async settle(work, _job, pulled) {
      if (!pulled) return
      const { provider, stated } = pulled
      if (stated) await takePrices(work, provider, stated)
      enqueueNext(work, provider)
    },
  }),
]
