import { MINUTE_MS, addMs } from '../../kernel/clock.ts'
import { asId, type Id } from '../../kernel/ids.ts'
import type { Deps } from '../../infra/deps.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import type { Job, JobHandlers, OutsideHandler } from '../../infra/jobs/job-handler.ts'
import type { Work } from '../../infra/work.ts'
import type { Platform } from '../../kernel/platform.ts'
import { IssuerUnreachable } from '../../providers/stablecoin-issuer.ts'
import { findStablecoin } from './coins/store.ts'
import { expireOperation } from './operations/expire-operation.ts'
import { followIssuance } from './coins/follow-issuance.ts'
import { followOperation } from './operations/follow-operation.ts'
import { issuerOf } from './issuer/issuer-of.ts'
import {
  EXPIRE_OPERATION_JOB,
  FOLLOW_ISSUANCE_JOB,
  FOLLOW_OPERATION_JOB,
  VERIFY_LINK_JOB,
} from './job-names.ts'
import { findSealedLink } from './links/store.ts'
import { findOperation } from './operations/store.ts'
import { openCredentials } from './links/provider-link.ts'
import { recheckLink } from './links/recheck-link.ts'

const linkIdOf = ({ payload }: Job) =>
  asId('stablecoinProviderAccount', (payload as { linkId: string }).linkId)
const coinIdOf = ({ payload }: Job) =>
  asId('stablecoin', (payload as { stablecoinId: string }).stablecoinId)
const operationIdOf = ({ payload }: Job) =>
  asId('stablecoinOperation', (payload as { operationId: string }).operationId)

/** How old a thing was when the job about it was due: a report does not depend on how late the job runs. */
const ageAt = ({ dueAt }: Job, { createdAt }: { createdAt: Date }): number =>
  dueAt.getTime() - createdAt.getTime()

/** `issuerFor` says who is asked for a platform. */
export const stablecoinJobs = (issuerFor: typeof issuerOf = issuerOf): JobHandlers => ({
  [EXPIRE_OPERATION_JOB]: { run: (work, job) => expireOperation(work, operationIdOf(job)) },

  [VERIFY_LINK_JOB]: asking({
    ask: async (deps, platform, job) => {
      const it = await usableLink(deps, platform, linkIdOf(job))
      if (!it) return undefined
      const { providerAccountId } = it.link
      const elapsedMs = ageAt(job, it.link)
      return issuerFor(platform).verifyCredentials({ ...it, providerAccountId, elapsedMs })
    },
    tell: async (work, job, verification) => {
      if (verification) await recheckLink(work, linkIdOf(job), verification)
    },
  }),

  [FOLLOW_ISSUANCE_JOB]: asking({
    ask: async (deps, platform, job) => {
      const coin = await findStablecoin(deps.db.read, platform.id, coinIdOf(job))
      const it = coin && (await usableLink(deps, platform, coin.linkId))
      if (!it) return undefined
      const { providerTokenIdentifier, network, networkTokenIdentifier } = coin
      return issuerFor(platform).describeToken({
        credentials: it.credentials,
        providerAccountId: it.link.providerAccountId,
        providerTokenIdentifier,
        network,
        networkTokenIdentifier,
        elapsedMs: ageAt(job, coin),
      })
    },
    tell: async (work, job, description) => {
      if (description) await followIssuance(work, coinIdOf(job), description)
    },
  }),

  [FOLLOW_OPERATION_JOB]: asking({
    ask: async (deps, platform, job) => {
      const operation = await findOperation(deps.db.read, platform.id, operationIdOf(job))
      const it = operation && (await usableLink(deps, platform, operation.linkId))
      if (!it || operation.providerReference === null) return undefined
      return issuerFor(platform).report({
        credentials: it.credentials,
        reference: operation.providerReference,
        elapsedMs: ageAt(job, operation),
      })
    },
    tell: (work, job, report) => followOperation(work, operationIdOf(job), report),
  }),
})

/** Undefined once the link no longer works: then there is nobody to ask. */
async function usableLink(deps: Deps, platform: Platform, id: Id<'stablecoinProviderAccount'>) {
  const link = await findSealedLink(deps.db.read, platform.id, id)
  if (link?.status !== 'ACTIVE') return undefined
  return { link, credentials: openCredentials(deps.keyring, link) }
}

type Asking<Answer> = Readonly<{
  ask: (deps: Deps, platform: Platform, job: Job) => Promise<Answer | undefined>
  tell: (work: Work, job: Job, answer: Answer | undefined) => Promise<void>
}>

const UNREACHABLE = Symbol('unreachable')
const ASK_AGAIN_MS = MINUTE_MS

/** A job that asks the provider and records its answer. While the provider is out it is asked again every minute. */
function asking<Answer>({ ask, tell }: Asking<Answer>): OutsideHandler {
  return {
    async call(deps, platform, job) {
      try {
        return await ask(deps, platform, job)
      } catch (error) {
        if (error instanceof IssuerUnreachable) return UNREACHABLE
        throw error
      }
    },
    async settle(work, job, answer) {
      if (answer !== UNREACHABLE) return tell(work, job, answer as Answer | undefined)
      const dueAt = addMs(work.now, ASK_AGAIN_MS)
      enqueue(work, job.name, { payload: job.payload, dueAt })
    },
  }
}
