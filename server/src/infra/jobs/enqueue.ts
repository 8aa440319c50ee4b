import { newUuid } from '../../kernel/ids.ts'
import type { Work } from '../work/work.ts'
import type { JobDefinition } from './define-job.ts'

/**
 * Queues a job for the commit of this work. Due in the platform's time; of two waiting jobs with one name and key
 * the second is not made. A payload carries ids, never amounts.
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
