import { asId } from '../../kernel/ids.ts'
import type { JobHandlers } from '../../infra/jobs/job-handler.ts'
import { endAuthorization } from './end-authorization.ts'
import { EXPIRE_JOB, expireQuote } from './expire-quote.ts'
import { AUTHORIZATION_JOB } from './quote-sca.ts'

export const jobs: JobHandlers = {
  [AUTHORIZATION_JOB]: {
    run: (work, { payload }) => {
      const { quoteId, challengeId } = payload as { quoteId: string; challengeId: string }
      return endAuthorization(work, {
        quoteId: asId('quote', quoteId),
        challengeId: asId('scaChallenge', challengeId),
      })
    },
  },
  [EXPIRE_JOB]: {
    run: (work, { payload }) =>
      expireQuote(work, asId('quote', (payload as { quoteId: string }).quoteId)),
  },
}
