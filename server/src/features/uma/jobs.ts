import { asId } from '../../kernel/ids.ts'
import type { Job, JobHandlers } from '../../infra/jobs/job-handler.ts'
import { askPlatform, type Asked } from '../../webhooks/ask-platform.ts'
import { HAND_OVER_JOB } from '../transactions/index.ts'
import { APPROVAL_TIME_MS } from './approval/approval.ts'
import { beginApproval, type AskJob } from './approval/begin-approval.ts'
import { takeAnswer, timeOut } from './approval/decide-approval.ts'
import { handOver } from './incoming/hand-over.ts'
import { APPROVAL_TIMEOUT_JOB, ASK_JOB, BEGIN_APPROVAL_JOB } from './job-names.ts'
import { judgeAnswer } from './approval/judge-answer.ts'

const transactionIdOf = ({ payload }: Job) =>
  asId('transaction', (payload as { transactionId: string }).transactionId)

export const jobs: JobHandlers = {
  [HAND_OVER_JOB]: { run: (work, job) => handOver(work, transactionIdOf(job)) },
  [BEGIN_APPROVAL_JOB]: { run: (work, job) => beginApproval(work, transactionIdOf(job)) },
  [APPROVAL_TIMEOUT_JOB]: { run: (work, job) => timeOut(work, transactionIdOf(job)) },
  [ASK_JOB]: {
    call: (deps, platform, { payload, dueAt: at }) => {
      const { eventId } = payload as AskJob
      return askPlatform(deps, platform, { eventId, timeoutMs: APPROVAL_TIME_MS, at })
    },
    settle: async (work, job, answer) => {
      const asked = answer as Asked | undefined
      const { environment } = work.platform
      if (!asked && environment === 'PRODUCTION') {
        const { id: platformId } = work.platform
        work.log.warn(
          { code: 'WEBHOOK_ENDPOINT_NOT_SET', platformId },
          'nobody to approve a payment: refused to the counterparty',
        )
      }
      await takeAnswer(work, transactionIdOf(job), judgeAnswer(asked, environment))
    },
  },
}
