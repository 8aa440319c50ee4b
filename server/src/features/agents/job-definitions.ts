import { Type } from '../../infra/http/schema/type.ts'
import { defineJob, jobId } from '../../infra/jobs/define-job.ts'

export const expireActionJob = defineJob(
  'agents.expireAction',
  Type.Object({ actionId: jobId('agentAction') }),
)
