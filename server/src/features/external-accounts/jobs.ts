import { asId, formatId } from '../../kernel/ids.ts'
import type { Job, JobHandlers } from '../../infra/jobs/job-handler.ts'
import type { AccountScreening, ScreeningResult } from '../../providers/account-screening.ts'
import { findExternalAccount } from './records/find-external-account.ts'
import { LIVENESS_JOB, SCREENING_JOB } from './job-names.ts'
import { settleLiveness } from './ownership/settle-liveness.ts'
import { settleScreening } from './status/settle-screening.ts'

type Payload = Readonly<{ externalAccountId: string; challengeId?: string }>

const accountIdOf = ({ payload }: Job) =>
  asId('externalAccount', (payload as Payload).externalAccountId)

export const externalAccountJobs = (screening: AccountScreening): JobHandlers => ({
  [SCREENING_JOB]: {
    async call({ db, keyring }, platform, job) {
      const account = await findExternalAccount(
        { tx: db.read, platform, keyring },
        accountIdOf(job),
      )
      // A deleted one needs no screening; nothing is left to settle either.
      if (!account) return 'REVIEW'
      const { accountType, currency, accountInfo } = account
      const id = formatId('externalAccount', account.id)
      return screening.screen({ id, accountType, currency, accountInfo })
    },
    settle: (work, job, answer) =>
      settleScreening(work, { id: accountIdOf(job), result: answer as ScreeningResult }),
  },
  [LIVENESS_JOB]: {
    run: (work, job) => {
      const { challengeId = '' } = job.payload as Payload
      return settleLiveness(work, { externalAccountId: accountIdOf(job), challengeId })
    },
  },
})
