import { addMs, DAY_MS } from '../../kernel/clock.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import type { Work } from '../../infra/work.ts'
import { emit } from '../../webhooks/emit.ts'
import type { Action } from './action.ts'
import { EXPIRE_JOB } from './job-names.ts'
import type { ActionBody } from './schema.ts'

const APPROVAL_LIFETIME_MS = 7 * DAY_MS

/** Tells the platform that an action waits for it, and for how long it does. */
export function askForApproval(
  asker: Pick<Work, 'platform' | 'now' | 'outbox'>,
  { id, createdAt }: Action,
  body: ActionBody,
): void {
  emit(asker, 'AGENT_ACTION.PENDING_APPROVAL', body)
  const dueAt = addMs(createdAt, APPROVAL_LIFETIME_MS)
  enqueue(asker, EXPIRE_JOB, { payload: { actionId: id }, dueAt, key: id })
}
