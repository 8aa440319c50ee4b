import type { Id } from '../../kernel/ids.ts'
import { sql, when } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { openJsonText } from '../../infra/db/sealed-json.ts'
import type { Sending } from '../../infra/work/outbox-events.ts'
import type { EventType } from '../../webhooks/event-types.ts'
import type { DeliveryStatus } from '../../webhooks/delivery/judge-attempt.ts'

export type EventRecord = Readonly<{
  id: Id<'webhook'>
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
const COLUMNS = sql`e.id, e.type, e.at, e.body,
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

/** Newest first, as ids tell, starting after the event `after`. */
export async function listEvents(
  tx: Tx,
  platformId: Id<'platform'>,
  page: Readonly<{ type: EventType | undefined; after: string | undefined; fetch: number }>,
): Promise<EventRecord[]> {
  const { type, after, fetch } = page
  const conditions = [
    sql`e.platform_id = ${platformId}`,
    ...when(type, (name) => sql`e.type = ${name}`),
    ...when(after, (id) => sql`e.id < ${id}::uuid`),
  ]
  const events = await tx.many<EventRecord>(
    sql`select ${COLUMNS} from ${FROM} where ${sql.and(conditions)}
        order by e.id desc limit ${fetch}`,
  )
  return events.map((event) => opened(tx, event))
}

export async function findLastEvent(
  tx: Tx,
  platformId: Id<'platform'>,
): Promise<Id<'webhook'> | undefined> {
  const row = await tx.maybe<{ id: Id<'webhook'> }>(
    sql`select id from events where platform_id = ${platformId} order by id desc limit 1`,
  )
  return row?.id
}

/** The first events after another one, in order. */
export async function listEmitted(
  tx: Tx,
  platformId: Id<'platform'>,
  { after, limit }: Readonly<{ after: Id<'webhook'> | undefined; limit: number }>,
): Promise<{ id: Id<'webhook'>; type: EventType }[]> {
  const conditions = [
    sql`platform_id = ${platformId}`,
    ...when(after, (id) => sql`id > ${id}::uuid`),
  ]
  return tx.many(
    sql`select id, type from events where ${sql.and(conditions)} order by id limit ${limit}`,
  )
}
