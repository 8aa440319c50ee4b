import { insideJob, type JobHandler } from '../../infra/jobs/job-handler.ts'
import { appendToFollowers, followCurrenciesJob } from './currencies/follow-platform-currencies.ts'

export const jobs: readonly JobHandler[] = [insideJob(followCurrenciesJob, appendToFollowers)]
