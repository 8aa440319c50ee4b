import type { JobHandlers } from '../../infra/jobs/job-handler.ts'
import { SETTLE_JOB, type SettleJob } from './payment-steps.ts'
import { settleTransaction } from './settle-transaction.ts'

export const jobs: JobHandlers = {
  [SETTLE_JOB]: {
    run: (work, { payload, dueAt }) =>
      settleTransaction(work, { ...(payload as SettleJob), dueAt }),
  },
}
