import { insideJob, type JobHandler } from '../../infra/jobs/job-handler.ts'
import { endAuthorization } from './authorization/end-authorization.ts'
import { expireQuote, expireQuoteJob } from './execution/expire-quote.ts'
import { endAuthorizationJob } from './authorization/proof.ts'

export const jobs: readonly JobHandler[] = [
  insideJob(endAuthorizationJob, (work, { payload }) => endAuthorization(work, payload)),
  insideJob(expireQuoteJob, async (work, { payload }) => {
    await expireQuote(work, payload.quoteId)
  }),
]
