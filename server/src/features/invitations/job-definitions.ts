import { Type } from '../../infra/http/schema/type.ts'
import { defineJob } from '../../infra/jobs/define-job.ts'

export const expireInvitationJob = defineJob(
  'invitations.expire',
  Type.Object({ code: Type.String() }),
)
