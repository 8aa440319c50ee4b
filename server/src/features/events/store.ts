import type { Id } from '../../kernel/ids.ts'
import { sql, when } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { openJsonText } from '../../infra/db/sealed-json.ts'
import type { Sending } from '../../infra/work/outbox-events.ts'
import type { EventType } from '../../webhooks/event-types.ts'
import type { DeliveryStatus } from '../../webhooks/delivery/judge-attempt.ts'

export type EventRecord = Readonly<{
  id: Id<'webhook'>
  position: bigint
  type: EventType
  at: Date
  /** The body that is sent: {id, type, timestamp, data}. */
  body: string
  status: DeliveryStatus
  sending: Sending
  /** Null while an earlier event of the same resource is pending, and until it is numbered. */
  nextAttemptAt: Date | null
  /** The newest ended attempts, oldest first. */
  attempts: readonly AttemptRecord[]
}>

export type AttemptRecord = Readonly<{
  /** A time as PostgreSQL writes it in JSON. */
  at: string
  url: string
  responseStatus: number | null
  error: string | null
  durationMs: number
}>

/** More than the schedule of seven days has; redeliveries are unlimited. */
export const ATTEMPTS_SHOWN = 500

/** Reads the attempts in the same statement, so that an attempt and its effect are seen together or not at all. */
const COLUMNS = sql`e.id, e.position, e.type, e.at, e.body,
  coalesce(d.status, 'SKIPPED') as status, coalesce(d.sending, 'RETRIED') as sending,
  (select due_at from event_attempts a
   where a.platform_id = e.platform_id and a.event_id = e.id and a.at is null and a.number is not null)
  as next_attempt_at,
  (select coalesce(jsonb_agg(jsonb_build_object('at', a.at, 'url', a.url, 'responseStatus', a.response_status,
     'error', a.error, 'durationMs', a.duration_ms) order by a.at, a.id), '[]')
   from (select * from event_attempts a
         where a.platform_id = e.platform_id and a.event_id = e.id and a.at is not null
         order by a.at desc, a.id desc limit ${ATTEMPTS_SHOWN}) a)
  as attempts`

const opened = ({ keyring }: Tx, event: EventRecord): EventRecord => ({
  ...event,
  body: openJsonText(keyring, 'eventBody', { id: event.id, value: event.body }),
})

/** An event of a platform without an endpoint has no delivery (HOOK-16). */
const FROM = sql`events e left join event_deliveries d on d.platform_id = e.platform_id and d.event_id = e.id`

export async function findEvent(
  tx: Tx,
  platformId: Id<'platform'>,
  id: Id<'webhook'>,
): Promise<EventRecord | undefined> {
  const event = await tx.find<EventRecord>(
    sql`select ${COLUMNS} from ${FROM} where e.platform_id = ${platformId} and e.id = ${id}`,
  )
  return event && opened(tx, event)
}

/** Newest first, starting after the position `after`. */
export async function listEvents(
  tx: Tx,
  platformId: Id<'platform'>,
  page: Readonly<{ type: EventType | undefined; after: string | undefined; fetch: number }>,
): Promise<EventRecord[]> {
  const { type, after, fetch } = page
  const conditions = [
    sql`e.platform_id = ${platformId}`,
    ...when(type, (name) => sql`e.type = ${name}`),
    ...when(after, (position) => sql`e.position < ${position}::bigint`),
  ]
  const events = await tx.many<EventRecord>(
    sql`select ${COLUMNS} from ${FROM} where ${sql.and(conditions)}
        order by e.position desc limit ${fetch}`,
  )
  return events.map((event) => opened(tx, event))
}

export async function findLastPosition(tx: Tx, platformId: Id<'platform'>): Promise<bigint> {
  const row = await tx.maybe<{ position: bigint }>(
    sql`select position from events where platform_id = ${platformId} order by position desc limit 1`,
  )
  return row?.position ?? 0n
}

/** The first events after a position, in order. */
export async function listEmitted(
  tx: Tx,
  platformId: Id<'platform'>,
  { after, limit }: Readonly<{ after: bigint; limit: number }>,
): Promise<{ id: Id<'webhook'>; type: EventType }[]> {
  return tx.many(
    sql`select id, type from events where platform_id = ${platformId} and position > ${after}
        order by position limit ${limit}`,
  )
}
