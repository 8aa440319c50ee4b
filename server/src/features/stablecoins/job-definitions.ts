import { Type } from '../../infra/http/schema/type.ts'
import { defineJob, jobId } from '../../infra/jobs/define-job.ts'

const operation = Type.Object({ operationId: jobId('stablecoinOperation') })

export const verifyLinkJob = defineJob(
  'stablecoins.verify-link',
  Type.Object({ linkId: jobId('stablecoinProviderAccount') }),
)
export const followIssuanceJob = defineJob(
  'stablecoins.follow-issuance',
  Type.Object({ stablecoinId: jobId('stablecoin') }),
)
export const followOperationJob = defineJob('stablecoins.follow-operation', operation)
export const expireOperationJob = defineJob('stablecoins.expire-operation', operation)
