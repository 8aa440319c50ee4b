import { insideJob, type JobHandler } from '../../infra/jobs/job-handler.ts'
import { releaseDepositJob } from './held/await-data.ts'
import { releaseIfComplete } from './held/release-deposit.ts'

export const jobs: readonly JobHandler[] = [
  insideJob(releaseDepositJob, (work, { payload }) => releaseIfComplete(work, payload)),
]
