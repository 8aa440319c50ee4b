import { insideJob, type JobHandler } from '../../infra/jobs/job-handler.ts'
import { expireAction } from './approval/decide-action.ts'
import { expireActionJob } from './job-definitions.ts'

export const jobs: readonly JobHandler[] = [
  insideJob(expireActionJob, (work, { payload }) => expireAction(work, payload.actionId)),
]
