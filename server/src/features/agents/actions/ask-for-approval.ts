import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work.ts'
import { emit } from '../../../webhooks/emit.ts'
import type { Action } from './action.ts'
import { expireActionJob } from '../job-definitions.ts'
import type { ActionBody } from '../schema.ts'

/** Tells the platform that an action waits for it, and for how long it does. */
export function askForApproval(
  asker: Pick<Work, 'platform' | 'now' | 'outbox'>,
  { id, type, expiresAt }: Action,
  body: ActionBody,
): void {
  emit(asker, 'AGENT_ACTION.PENDING_APPROVAL', body)
  // A quote's action ends with its quote, which has a job of its own (ACT-30).
  if (type === 'EXECUTE_QUOTE' || !expiresAt) return
  enqueue(asker, expireActionJob, { actionId: id }, { dueAt: expiresAt, key: id })
}
