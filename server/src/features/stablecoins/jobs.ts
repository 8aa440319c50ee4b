import { MINUTE_MS, addMs } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Deps } from '../../infra/deps.ts'
import type { JobDefinition } from '../../infra/jobs/define-job.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import { insideJob, outsideJob, type Job, type JobHandler } from '../../infra/jobs/job-handler.ts'
import type { Work } from '../../infra/work/work.ts'
import type { Platform } from '../../kernel/platform.ts'
import { IssuerUnreachable } from '../../providers/stablecoin-issuer.ts'
import { findStablecoin } from './coins/store.ts'
import { expireOperation } from './operations/move-operation.ts'
import { followIssuance } from './coins/follow-issuance.ts'
import { followOperation } from './operations/follow-operation.ts'
import { issuerOf, type IssuerFor } from './issuer/issuer.ts'
import {
  expireOperationJob,
  followIssuanceJob,
  followOperationJob,
  verifyLinkJob,
} from './job-definitions.ts'
import { findSealedLink } from './links/store.ts'
import { findOperation } from './operations/store.ts'
import { openCredentials } from './links/provider-link.ts'
import { recheckLink } from './links/recheck-link.ts'

/** The age of a resource when its job was due, so that a report does not depend on how late the job runs. */
const ageAt = ({ dueAt }: Pick<Job, 'dueAt'>, { createdAt }: { createdAt: Date }): number =>
  dueAt.getTime() - createdAt.getTime()

/** `issuerFor` chooses the provider's adapter for a platform. */
export const stablecoinJobs = (issuerFor: IssuerFor = issuerOf): readonly JobHandler[] => [
  insideJob(expireOperationJob, (work, { payload }) => expireOperation(work, payload.operationId)),

  issuerJob(verifyLinkJob, {
    ask: async (deps, platform, job) => {
      const linked = await usableLink(deps, platform, job.payload.linkId)
      if (!linked) return undefined
      const { providerAccountId } = linked.link
      const elapsedMs = ageAt(job, linked.link)
      const { credentials, link } = linked
      const request = { credentials, providerAccountId, elapsedMs, requestKey: job.id }
      return issuerFor(deps, platform, link).verifyCredentials(request)
    },
    record: async (work, job, verification) => {
      if (verification) await recheckLink(work, job.payload.linkId, verification)
    },
  }),

  issuerJob(followIssuanceJob, {
    ask: async (deps, platform, job) => {
      const coin = await findStablecoin(deps.db.read, platform.id, job.payload.stablecoinId)
      const linked = coin && (await usableLink(deps, platform, coin.linkId))
      if (!linked) return undefined
      const { providerTokenIdentifier, network, networkTokenIdentifier } = coin
      return issuerFor(deps, platform, linked.link).describeToken({
        credentials: linked.credentials,
        requestKey: job.id,
        providerAccountId: linked.link.providerAccountId,
        providerTokenIdentifier,
        network,
        networkTokenIdentifier,
        elapsedMs: ageAt(job, coin),
      })
    },
    record: async (work, job, description) => {
      if (description) await followIssuance(work, job.payload.stablecoinId, description)
    },
  }),

  issuerJob(followOperationJob, {
    ask: async (deps, platform, job) => {
      const operation = await findOperation(deps.db.read, platform.id, job.payload.operationId)
      const linked = operation && (await usableLink(deps, platform, operation.linkId))
      if (!linked || operation.providerReference === null) return undefined
      return issuerFor(deps, platform, linked.link).report({
        credentials: linked.credentials,
        reference: operation.providerReference,
        elapsedMs: ageAt(job, operation),
      })
    },
    record: (work, job, report) => followOperation(work, job.payload.operationId, report),
  }),
]

/** Undefined once the link is not active any more. */
async function usableLink(deps: Deps, platform: Platform, id: Id<'stablecoinProviderAccount'>) {
  const link = await findSealedLink(deps.db.read, platform.id, id)
  if (link?.status !== 'ACTIVE') return undefined
  return { link, credentials: openCredentials(deps.keyring, link) }
}

type IssuerJob<Payload, Answer> = Readonly<{
  ask: (deps: Deps, platform: Platform, job: Job<Payload>) => Promise<Answer>
  record: (work: Work, job: Job<Payload>, answer: Answer) => Promise<void>
}>

const ASK_AGAIN_MS = MINUTE_MS

/** A job that asks the provider and records its answer. While the provider is unreachable it asks again every minute. */
const issuerJob = <Payload, Answer>(
  definition: JobDefinition<Payload>,
  { ask, record }: IssuerJob<Payload, Answer>,
): JobHandler =>
  outsideJob(definition, {
    async call(deps, platform, job) {
      try {
        return { answer: await ask(deps, platform, job) }
      } catch (error) {
        if (error instanceof IssuerUnreachable) return undefined
        throw error
      }
    },
    async settle(work, job, reached) {
      if (reached) return record(work, job, reached.answer)
      enqueue(work, definition, job.payload, { dueAt: addMs(work.now, ASK_AGAIN_MS) })
    },
  })
