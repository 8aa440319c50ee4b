import { insideJob, outsideJob, type JobHandler } from '../../infra/jobs/job-handler.ts'
import { expireCard } from './record/close-card.ts'
import { endAuthorization, settlePendingPull } from './transaction/follow-card-transaction.ts'
import {
  applyEventJob,
  confirmPullJob,
  endAuthorizationJob,
  expireCardJob,
  provisionCardJob,
} from './job-definitions.ts'
import { applyWaitingEvent } from './network/take-event.ts'
import { requestCard, applyIssuerReport } from './issuance/provision-card.ts'

export const cardJobs: readonly JobHandler[] = [
  outsideJob(provisionCardJob, {
    call: ({ db }, platform, { payload, dueAt: at }) =>
      requestCard({ tx: db.read, platform }, { ...payload, at }),
    settle: (work, { payload }, report) => applyIssuerReport(work, payload.cardId, report),
  }),
  insideJob(expireCardJob, (work, { payload }) => expireCard(work, payload.cardId)),
  insideJob(confirmPullJob, (work, { payload }) =>
    settlePendingPull(work, payload.cardTransactionId),
  ),
  insideJob(applyEventJob, (work, { payload }) => applyWaitingEvent(work, payload)),
  insideJob(endAuthorizationJob, (work, { payload }) =>
    endAuthorization(work, payload.cardTransactionId),
  ),
]
