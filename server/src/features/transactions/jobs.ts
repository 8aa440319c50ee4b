import { insideJob, type JobHandler } from '../../infra/jobs/job-handler.ts'
import { settleTransactionJob } from './payment-steps.ts'
import { settleTransaction } from './settle-transaction.ts'

export const jobs: readonly JobHandler[] = [
  insideJob(settleTransactionJob, (work, { payload, dueAt }) =>
    settleTransaction(work, { ...payload, dueAt }),
  ),
]
