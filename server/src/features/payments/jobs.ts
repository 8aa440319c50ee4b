import { insideJob, type JobHandler } from '../../infra/jobs/job-handler.ts'
import { settleTransactionJob } from './rail/steps.ts'
import { settleTransaction } from './rail/settle.ts'

export const jobs: readonly JobHandler[] = [
  insideJob(settleTransactionJob, (work, { payload, dueAt }) =>
    settleTransaction(work, { ...payload, dueAt }),
  ),
]
