import { Type } from '../../infra/http/schema/type.ts'
import { defineJob, jobId } from '../../infra/jobs/define-job.ts'

export const recordErasuresJob = defineJob('retention.record', Type.Object({}))
export const applyRetentionJob = defineJob('retention.apply', Type.Object({}))
export const eraseLateRequestsJob = defineJob(
  'retention.eraseLateRequests',
  Type.Object({ customerId: jobId('customer') }),
)
