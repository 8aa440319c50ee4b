import type { JobHandlers } from '../../infra/jobs/job-handler.ts'
import { expireInvitation } from './expire-invitation.ts'
import { EXPIRE_INVITATION_JOB } from './job-names.ts'

export const jobs: JobHandlers = {
  [EXPIRE_INVITATION_JOB]: {
    run: (work, { payload }) => expireInvitation(work, (payload as { code: string }).code),
  },
}
