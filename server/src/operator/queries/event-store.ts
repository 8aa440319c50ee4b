import type { Id } from '../../kernel/ids.ts'
import type { Period } from '../../kernel/page.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import { inPeriod, ofPlatforms } from '../../infra/db/list-rows.ts'
import type { Tx } from '../../infra/db/tx.ts'

/** Events across platforms, which only the operator may ask for. */

export type EventLine = Readonly<{
  id: Id<'webhook'>
  platformId: Id<'platform'>
  type: string
  at: Date
  status: string
  nextAttemptAt: Date | null
  attempts: number
  lastStatus: number | null
  lastError: string | null
}>

/** FAILED events are not tried again; PENDING ones wait for an attempt. */
export const UNDELIVERED_STATUSES = ['FAILED', 'PENDING'] as const
export type UndeliveredStatus = (typeof UNDELIVERED_STATUSES)[number]

export type EventFilters = Readonly<{
  platformIds: readonly Id<'platform'>[] | null
  type: string | null
  status: UndeliveredStatus | undefined
  period: Period
  /** Events older than this one. */
  before: string | null
  limit: number
}>

/** Each condition has its own index, so that delivered events are not scanned. */
const AMONG: Readonly<Record<UndeliveredStatus, Sql>> = {
  FAILED: sql`(select event_id as id from event_deliveries where platform_id = p.id and status = 'FAILED') among
    join events e on e.platform_id = p.id and e.id = among.id`,
  PENDING: sql`(select event_id as id from event_attempts
      where platform_id = p.id and at is null and number is not null) among
    join events e on e.platform_id = p.id and e.id = among.id`,
}

/** Newest first. Reads the newest events of each platform, so that the whole table is not sorted. */
export const listEventLines = (tx: Tx, filters: EventFilters): Promise<EventLine[]> => {
  const { platformIds, type, status, period, before, limit } = filters
  const from = status === undefined ? sql`events e` : AMONG[status]
  const conditions = [
    sql`e.platform_id = p.id`,
    ...(type === null ? [] : [sql`e.type = ${type}`]),
    ...inPeriod(period, sql`e.at`),
    ...(before === null ? [] : [sql`e.id < ${before}::uuid`]),
  ]
  return tx.many<EventLine>(
    sql`select n.id, p.id as platform_id, n.type, n.at, coalesce(d.status, 'SKIPPED') as status,
          (select a.due_at from event_attempts a where a.platform_id = p.id and a.event_id = n.id
             and a.at is null and a.number is not null) as next_attempt_at,
          (select count(*)::int from event_attempts a
           where a.platform_id = p.id and a.event_id = n.id and a.at is not null) as attempts,
          l.response_status as last_status, l.error as last_error
        from platforms p
        cross join lateral (
          select e.id, e.type, e.at from ${from} where ${sql.and(conditions)}
          order by e.id desc limit ${limit}) n
        left join event_deliveries d on d.platform_id = p.id and d.event_id = n.id
        left join lateral (
          select a.response_status, a.error from event_attempts a
          where a.platform_id = p.id and a.event_id = n.id and a.at is not null
          order by a.at desc, a.id desc limit 1) l on true
        where true ${ofPlatforms(platformIds, sql`p.id`)}
        order by n.id desc limit ${limit}`,
  )
}
