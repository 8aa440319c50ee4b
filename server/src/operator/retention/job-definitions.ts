import { Type } from '../../infra/http/schema/type.ts'
import { defineJob } from '../../infra/jobs/define-job.ts'

export const recordErasuresJob = defineJob('retention.record', Type.Object({}))
export const applyRetentionJob = defineJob('retention.apply', Type.Object({}))
