import type { JobHandlers } from '../../infra/jobs/job-handler.ts'
import {
  appendToFollowers,
  FOLLOW_CURRENCIES_JOB,
} from './currencies/follow-platform-currencies.ts'

export const jobs: JobHandlers = {
  [FOLLOW_CURRENCIES_JOB]: { run: appendToFollowers },
}
