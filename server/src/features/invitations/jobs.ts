import { nextState } from '../../kernel/machine.ts'
import { insideJob, type JobHandler } from '../../infra/jobs/job-handler.ts'
import type { Work } from '../../infra/work/work.ts'
import { expireInvitationJob } from './job-definitions.ts'
import { invitation as machine } from './machine.ts'
import { lockByCode, saveInvitation } from './store.ts'

export const jobs: readonly JobHandler[] = [
  insideJob(expireInvitationJob, (work, { payload }) => expireInvitation(work, payload.code)),
]

/** Saves the expiry that reads show since the deadline (INV-9). A claimed or cancelled invitation stays as it is. */
async function expireInvitation({ tx }: Work, code: string): Promise<void> {
  const { invitation } = await lockByCode(tx, code)
  const status = nextState(machine, invitation.status, 'expire')
  if (status !== undefined) saveInvitation(tx, { ...invitation, status })
}
