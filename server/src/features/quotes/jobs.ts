import { insideJob, type JobHandler } from '../../infra/jobs/job-handler.ts'
import { endAuthorization } from './end-authorization.ts'
import { expireQuote, expireQuoteJob } from './expire-quote.ts'
import { endAuthorizationJob } from './quote-sca.ts'

export const jobs: readonly JobHandler[] = [
  insideJob(endAuthorizationJob, (work, { payload }) => endAuthorization(work, payload)),
  insideJob(expireQuoteJob, (work, { payload }) => expireQuote(work, payload.quoteId)),
]
