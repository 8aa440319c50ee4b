import { Type } from '../../infra/http/schema/type.ts'
import { defineJob, jobId } from '../../infra/jobs/define-job.ts'

export const screenAccountJob = defineJob(
  'externalAccounts.screen',
  Type.Object({ externalAccountId: jobId('externalAccount') }),
)
export const passLivenessJob = defineJob(
  'externalAccounts.passLiveness',
  Type.Object({ externalAccountId: jobId('externalAccount'), challengeId: Type.String() }),
)
