import type { Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { EventType } from '../../webhooks/event-types.ts'
import type { DeliveryStatus } from '../../webhooks/judge-attempt.ts'

export type EventRecord = Readonly<{
  id: Id<'webhook'>
  position: bigint
  type: EventType
  at: Date
  /** What is sent: {id, type, timestamp, data}. */
  body: string
  status: DeliveryStatus
  /** Null while an earlier event of the same resource is waited for, and in the moment before it is numbered. */
  nextAttemptAt: Date | null
}>

export type AttemptRecord = Readonly<{
  eventId: Id<'webhook'>
  at: Date
  url: string
  responseStatus: number | null
  error: string | null
  durationMs: number
}>

const COLUMNS = sql`e.id, e.position, e.type, e.at, e.body, d.status,
  (select due_at from event_attempts a
   where a.platform_id = e.platform_id and a.event_id = e.id and a.at is null and a.number is not null)
  as next_attempt_at`

const FROM = sql`events e join event_deliveries d on d.platform_id = e.platform_id and d.event_id = e.id`

export async function findEvent(
  tx: Tx,
  platformId: Id<'platform'>,
  id: Id<'webhook'>,
): Promise<EventRecord | undefined> {
  return tx.maybe<EventRecord>(
    sql`select ${COLUMNS} from ${FROM} where e.platform_id = ${platformId} and e.id = ${id}`,
  )
}

/** Newest first, from behind the position `after`. */
export async function listEvents(
  tx: Tx,
  platformId: Id<'platform'>,
  page: Readonly<{ type: EventType | undefined; after: string | undefined; fetch: number }>,
): Promise<EventRecord[]> {
  const { type, after, fetch } = page
  const conditions = [
    sql`e.platform_id = ${platformId}`,
    ...(type === undefined ? [] : [sql`e.type = ${type}`]),
    ...(after === undefined ? [] : [sql`e.position < ${after}::bigint`]),
  ]
  return tx.many<EventRecord>(
    sql`select ${COLUMNS} from ${FROM} where ${sql.and(conditions)}
        order by e.position desc limit ${fetch}`,
  )
}

/** The attempts that have ended, of all these events, oldest first. */
export async function listAttempts(
  tx: Tx,
  platformId: Id<'platform'>,
  eventIds: readonly Id<'webhook'>[],
): Promise<AttemptRecord[]> {
  return tx.many<AttemptRecord>(
    sql`select event_id, at, url, response_status, error, duration_ms from event_attempts
        where platform_id = ${platformId} and event_id = any(${eventIds}::uuid[]) and at is not null
        order by at, id`,
  )
}

export async function findLastPosition(tx: Tx, platformId: Id<'platform'>): Promise<bigint> {
  const row = await tx.maybe<{ position: bigint }>(
    sql`select position from events where platform_id = ${platformId} order by position desc limit 1`,
  )
  return row?.position ?? 0n
}

export async function listEmitted(
  tx: Tx,
  platformId: Id<'platform'>,
  after: bigint,
): Promise<{ id: Id<'webhook'>; type: EventType }[]> {
  return tx.many(
    sql`select id, type from events where platform_id = ${platformId} and position > ${after} order by position`,
  )
}
