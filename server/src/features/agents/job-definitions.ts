import { Type } from 'typebox'
import { defineJob, jobId } from '../../infra/jobs/define-job.ts'

export const expireActionJob = defineJob(
  'agents.expireAction',
  Type.Object({ actionId: jobId('agentAction') }),
)
