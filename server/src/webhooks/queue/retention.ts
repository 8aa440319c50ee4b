import { Type } from '../../infra/http/schema/type.ts'
import { DAY_MS, addMs } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import {
  findOldestKey,
  IDEMPOTENCY_KEY_LIFETIME_MS,
  pruneKeys,
} from '../../infra/work/idempotency.ts'
import { pruneMoves } from '../../infra/jobs/clock-store.ts'
import { defineJob } from '../../infra/jobs/define-job.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import { insideJob, type JobHandler } from '../../infra/jobs/job-handler.ts'
import type { Work } from '../../infra/work/work.ts'

/** Events can be listed and redelivered for this long (HOOK-43). */
const EVENTS_KEPT_MS = 30 * DAY_MS
const prunePlatformJob = defineJob('platform.prune', Type.Object({}))
const IDLE_MS = 7 * DAY_MS

/**
 * Schedules the removal of expired events: once a day while there are events, seldom while there are none, so that a
 * sandbox clock passes quickly over idle time.
 */
export function startPruning(work: Pick<Work, 'platform' | 'now' | 'outbox'>): void {
  enqueuePruning(work, addMs(work.now, DAY_MS))
}

export const retentionJobs: readonly JobHandler[] = [insideJob(prunePlatformJob, prunePlatform)]

async function prunePlatform(work: Work): Promise<void> {
  const { tx, platform, now } = work
  const removed = await Promise.all([
    pruneEvents(tx, platform.id, addMs(now, -EVENTS_KEPT_MS)),
    pruneKeys(tx, platform.id, now),
    pruneMoves(tx, platform.id, now),
  ])
  // Each run removes a bounded number, so there may be more after a run that found some.
  const isMore = removed.some((count) => count > 0)
  enqueuePruning(work, isMore ? now : await nextPruning(work))
}

async function nextPruning({ tx, platform, now }: Work): Promise<Date> {
  const [eventAt, keyAt] = await Promise.all([
    findOldestEvent(tx, platform.id),
    findOldestKey(tx, platform.id),
  ])
  const expiries = [
    ...(eventAt ? [addMs(eventAt, EVENTS_KEPT_MS)] : []),
    ...(keyAt ? [addMs(keyAt, IDEMPOTENCY_KEY_LIFETIME_MS)] : []),
  ]
  const firstMs = Math.min(...expiries.map((expiry) => expiry.getTime()), now.getTime() + IDLE_MS)
  return new Date(Math.max(firstMs, now.getTime() + DAY_MS))
}

async function findOldestEvent(tx: Tx, platformId: Id<'platform'>): Promise<Date | undefined> {
  const row = await tx.maybe<{ at: Date }>(
    sql`select at from events where platform_id = ${platformId} order by id limit 1`,
  )
  return row?.at
}

const enqueuePruning = (work: Pick<Work, 'platform' | 'now' | 'outbox'>, dueAt: Date): void =>
  enqueue(work, prunePlatformJob, {}, { key: 'daily', dueAt })

/**
 * Reads only the oldest events, so that a run without expired ones costs next to nothing. The highest removed number is
 * kept, so that a stream which would have to begin before it is refused (HOOK-103). An event stays as long as an older one
 * that is kept as its difference from it.
 */
async function pruneEvents(tx: Tx, platformId: Id<'platform'>, before: Date): Promise<number> {
  return tx.run(
    sql`with oldest as (
          select id, base_id, at from event_rows where platform_id = ${platformId} order by id limit 5000
        ), ended as (
          select o.id from oldest o
            left join event_deliveries d on d.platform_id = ${platformId} and d.event_id = o.id
          where o.at < ${before} and (d.event_id is null or (d.status <> 'PENDING' and d.sequence is not null))
        ), needed as (
          select base_id as id from oldest where base_id is not null and id not in (select id from ended)
        ), old as (
          select id from ended where id not in (select id from needed)
        ), deliveries as (
          delete from event_deliveries d using old where d.platform_id = ${platformId} and d.event_id = old.id
          returning d.sequence
        ), counted as (
          update event_counters c set pruned_sequence = greatest(c.pruned_sequence, removed.sequence)
          from (select max(sequence) as sequence from deliveries) removed
          where c.platform_id = ${platformId} and removed.sequence is not null
        )
        delete from event_rows e using old where e.platform_id = ${platformId} and e.id = old.id`,
  )
}
