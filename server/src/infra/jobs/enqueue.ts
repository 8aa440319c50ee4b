import { newUuid } from '../../kernel/ids.ts'
import type { Work } from '../work/work.ts'
import type { JobDefinition } from './define-job.ts'

/**
 * Queues a job with the commit of this work, due in the platform's time. While a job waits, a second one with the same
 * name and key is not created. A payload has ids, never amounts.
 */
export function enqueue<Payload>(
  work: Pick<Work, 'platform' | 'now' | 'outbox'>,
  { name }: JobDefinition<Payload>,
  payload: NoInfer<Payload>,
  { dueAt, key }: Readonly<{ dueAt?: Date; key?: string }> = {},
): void {
  work.outbox.jobs.push({
    platformId: work.platform.id,
    id: newUuid(),
    name,
    key,
    payload,
    dueAt: dueAt ?? work.now,
    createdAt: work.now,
  })
}
