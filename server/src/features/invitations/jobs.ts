import { insideJob, type JobHandler } from '../../infra/jobs/job-handler.ts'
import { expireInvitation } from './expire-invitation.ts'
import { expireInvitationJob } from './job-definitions.ts'

export const jobs: readonly JobHandler[] = [
  insideJob(expireInvitationJob, (work, { payload }) => expireInvitation(work, payload.code)),
]
