import { formatId } from '../../kernel/ids.ts'
import { insideJob, outsideJob, type JobHandler } from '../../infra/jobs/job-handler.ts'
import type { AccountScreening } from '../../providers/account-screening.ts'
import { findExternalAccount } from './records/find-external-account.ts'
import { passLivenessJob, screenAccountJob } from './job-definitions.ts'
import { settleLiveness } from './ownership/take-liveness-check.ts'
import { settleScreening } from './status/settle-screening.ts'

export const externalAccountJobs = (screening: AccountScreening): readonly JobHandler[] => [
  outsideJob(screenAccountJob, {
    async call({ db, keyring }, platform, { payload }) {
      const reading = { tx: db.read, platform, keyring }
      const account = await findExternalAccount(reading, payload.externalAccountId)
      // A deleted one needs no screening; nothing is left to settle either.
      if (!account) return 'REVIEW'
      const { accountType, currency, accountInfo } = account
      const id = formatId('externalAccount', account.id)
      return screening.screen({ id, accountType, currency, accountInfo })
    },
    settle: (work, { payload }, result) =>
      settleScreening(work, { id: payload.externalAccountId, result }),
  }),
  insideJob(passLivenessJob, (work, { payload }) => settleLiveness(work, payload)),
]
