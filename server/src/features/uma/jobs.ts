import { traitsOf } from '../../kernel/platform-traits.ts'
import { insideJob, outsideJob, type JobHandler } from '../../infra/jobs/job-handler.ts'
import { askPlatform } from '../../webhooks/delivery/ask-platform.ts'
import { handOverJob } from '../payments/index.ts'
import { APPROVAL_TIME_MS } from './approval/approval.ts'
import { beginApproval } from './approval/begin-approval.ts'
import { applyAnswer, timeOutApproval } from './approval/decide-approval.ts'
import { handOver } from './incoming/hand-over.ts'
import { approvalTimeoutJob, askPlatformJob, beginApprovalJob } from './job-definitions.ts'
import { judgeAnswer } from './approval/judge-answer.ts'

export const jobs: readonly JobHandler[] = [
  insideJob(handOverJob, (work, { payload }) => handOver(work, payload.transactionId)),
  insideJob(beginApprovalJob, (work, { payload }) => beginApproval(work, payload.transactionId)),
  insideJob(approvalTimeoutJob, (work, { payload }) =>
    timeOutApproval(work, payload.transactionId),
  ),
  outsideJob(askPlatformJob, {
    call: (deps, platform, { payload: { eventId }, dueAt: at }) =>
      askPlatform(deps, platform, { eventId, timeoutMs: APPROVAL_TIME_MS, at }),
    settle: async (work, { payload }, asked) => {
      const { environment } = work.platform
      if (!asked && !traitsOf(work.platform).decidesByItself) {
        const { id: platformId } = work.platform
        work.log.warn(
          { code: 'WEBHOOK_ENDPOINT_NOT_SET', platformId },
          'nobody to approve a payment: refused to the counterparty',
        )
      }
      await applyAnswer(work, payload.transactionId, judgeAnswer(asked, environment))
    },
  }),
]
