import { asId } from '../../kernel/ids.ts'
import type { JobHandlers } from '../../infra/jobs/job-handler.ts'
import { EXPIRE_JOB, expireQuote } from './expire-quote.ts'

export const jobs: JobHandlers = {
  [EXPIRE_JOB]: {
    run: (work, { payload }) =>
      expireQuote(work, asId('quote', (payload as { quoteId: string }).quoteId)),
  },
}
