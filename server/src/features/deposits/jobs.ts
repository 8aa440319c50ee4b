import { asId } from '../../kernel/ids.ts'
import type { JobHandlers } from '../../infra/jobs/job-handler.ts'
import { RELEASE_JOB } from './await-data.ts'
import { releaseIfKnown } from './release-deposit.ts'

export const jobs: JobHandlers = {
  [RELEASE_JOB]: {
    run: (work, { payload }) => {
      const { depositId, customerId } = payload as { depositId: string; customerId: string }
      return releaseIfKnown(work, {
        depositId: asId('transaction', depositId),
        customerId: asId('customer', customerId),
      })
    },
  },
}
