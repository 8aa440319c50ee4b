import { Type } from '../../infra/http/schema/type.ts'
import { defineJob, jobId } from '../../infra/jobs/define-job.ts'
import { insideJob, type JobHandler } from '../../infra/jobs/job-handler.ts'
import type { Work } from '../../infra/work/work.ts'
import { describeActor } from '../../kernel/access/actor.ts'
import { auditProposal } from './audit-proposal.ts'
import type { Proposal } from './proposal.ts'
import { lockProposal, saveDecision } from './store.ts'

export const expireJob = defineJob(
  'proposals.expire',
  Type.Object({ proposalId: jobId('proposal') }),
)

/** Expires a proposal whose lock the caller holds. From `expiresAt` on it is expired even if the job is late. */
export async function expire(work: Work, proposal: Proposal): Promise<void> {
  const actor = { kind: 'system', name: expireJob.name } as const
  const decidedBy = describeActor(actor)
  await saveDecision(work.tx, proposal, { status: 'EXPIRED', decidedBy, at: work.now })
  const platform = { ...work.platform, id: proposal.platformId }
  auditProposal({ ...work, actor, platform }, 'expire', proposal)
}

export const expiryJobs: readonly JobHandler[] = [
  insideJob(expireJob, async (work, { payload }) => {
    const proposal = await lockProposal(work.tx, payload.proposalId, undefined)
    if (proposal?.status === 'PROPOSED') await expire(work, proposal)
  }),
]
