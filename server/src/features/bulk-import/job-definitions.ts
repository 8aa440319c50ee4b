import { Type } from '../../infra/http/schema/type.ts'
import { defineJob, jobId } from '../../infra/jobs/define-job.ts'

const payload = Type.Object({ importId: jobId('job') })

export const scanFileJob = defineJob('bulk-import.scan-file', payload)
export const importRowsJob = defineJob('bulk-import.import-rows', payload)
