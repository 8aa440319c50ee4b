import { asId } from '../../kernel/ids.ts'
import type { JobHandlers } from '../../infra/jobs/job-handler.ts'
import { expireAction } from './approval/decide-action.ts'
import { EXPIRE_JOB } from './job-names.ts'

export const jobs: JobHandlers = {
  [EXPIRE_JOB]: {
    run: (work, { payload }) =>
      expireAction(work, asId('agentAction', (payload as { actionId: string }).actionId)),
  },
}
