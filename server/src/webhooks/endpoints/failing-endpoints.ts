/** Webhook endpoints that fail: since when, and how many attempts wait for them. */
import { addMs, MINUTE_MS } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'
import { given, type Columns } from '../../infra/db/statement/given.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { WebhookBacklog } from '../../infra/logging/metrics.ts'

/** One attempt to reach an endpoint, by real time, because a sandbox clock may be days ahead. */
export type EndpointAttempt = Readonly<{
  platformId: Id<'platform'>
  url: string
  error: string | undefined
  responseStatus: number | undefined
  isDelivered: boolean
}>

const FAILED: Columns<EndpointAttempt> = {
  platform_id: ['uuid', (attempt) => attempt.platformId],
  url: ['text', (attempt) => attempt.url],
  error: ['text', reasonOf],
}

function reasonOf({ error, responseStatus }: EndpointAttempt): string {
  return error ?? (responseStatus === undefined ? 'no answer' : `HTTP ${responseStatus}`)
}

/** A delivery ends the failing of an endpoint; a failure starts or continues it. */
export function noteEndpoints(attempts: readonly EndpointAttempt[], now: Date): Sql[] {
  const reached = new Set(
    attempts.filter(({ isDelivered }) => isDelivered).map(({ platformId }) => platformId),
  )
  const failed = new Map(
    attempts
      .filter(({ platformId }) => !reached.has(platformId))
      .map((attempt) => [attempt.platformId, attempt]),
  )
  return [
    ...(reached.size > 0
      ? [sql`delete from failing_endpoints where platform_id = any(${[...reached]}::uuid[])`]
      : []),
    ...(failed.size > 0 ? [noteFailed([...failed.values()], now)] : []),
  ]
}

/** A new address starts its own record. */
const noteFailed = (attempts: readonly EndpointAttempt[], now: Date): Sql =>
  sql`insert into failing_endpoints as f (platform_id, url, since, last_failed_at, last_error)
      select o.platform_id, o.url, ${now}, ${now}, o.error from ${given('o', FAILED, attempts)}
      on conflict (platform_id) do update set url = excluded.url, last_failed_at = excluded.last_failed_at,
        last_error = excluded.last_error, since = case when f.url = excluded.url then f.since else excluded.since end`

export type FailingEndpoint = Readonly<{
  platformId: Id<'platform'>
  platformName: string
  url: string
  since: Date
  lastError: string
  /** Waiting attempts, counted up to 10,000. */
  waiting: number
}>

/** An endpoint that recovers within this time was merely restarted. */
const FAILING_AFTER_MS = MINUTE_MS
const COUNTED_MAX = 10_000

/** Only endpoints that the platform still has: a changed or removed one no longer matters. */
const failing = (now: Date): Sql =>
  sql`failing_endpoints f join platforms p on p.id = f.platform_id and p.webhook_endpoint = f.url
      where f.since <= ${addMs(now, -FAILING_AFTER_MS)}`

/** The longest failing first. */
export const listFailingEndpoints = (tx: Tx, now: Date): Promise<FailingEndpoint[]> =>
  tx.many<FailingEndpoint>(
    sql`select f.platform_id, f.platform_name, f.url, f.since, f.last_error, waiting.count as waiting
        from (select f.*, p.name as platform_name from ${failing(now)}) f
          cross join lateral (
            select count(*)::integer as count from (
              select from event_attempts a where a.platform_id = f.platform_id and a.at is null limit ${COUNTED_MAX}) w
          ) waiting
        order by f.since, f.platform_id`,
  )

export async function countFailingEndpoints(tx: Tx, now: Date): Promise<number> {
  const { count } = await tx.one<{ count: number }>(
    sql`select count(*)::integer as count from ${failing(now)}`,
  )
  return count
}

/** Events without a number yet, and those whose next attempt waits; ages are on the clocks of their platforms. */
export const readBacklog = (tx: Tx, now: Date): Promise<WebhookBacklog> =>
  tx.one<WebhookBacklog>(
    sql`select coalesce(sum(w.count), 0)::float8 as waiting, greatest(0, max(extract(epoch from
          ${now}::timestamptz + p.clock_offset_ms * interval '1 millisecond' - w.oldest) * 1000))::float8 as oldest_ms
        from (
          select p.id, w.* from platforms p cross join lateral (
            select count(*) as count, min(d.at) as oldest from (
              select a.event_id from event_attempts a where a.platform_id = p.id and a.at is null
              order by a.due_at limit ${COUNTED_MAX}) a
            join event_deliveries d on d.platform_id = p.id and d.event_id = a.event_id) w
          union all
          select platform_id, count(*), min(at) from (
            select platform_id, at from event_deliveries where sequence is null order by position limit ${COUNTED_MAX}) d
          group by platform_id
        ) w join platforms p on p.id = w.id
        where p.webhook_endpoint is not null`,
  )
