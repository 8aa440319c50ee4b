import type { Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { EventType } from '../../webhooks/event-types.ts'
import type { DeliveryStatus } from '../../webhooks/delivery/judge-attempt.ts'

type NearEvent = Readonly<{
  id: Id<'webhook'>
  type: EventType
  at: Date
  resourceId: string
  status: DeliveryStatus
  attemptCount: number
  /** Why it came to that, where the event says so. */
  reason: string | null
}>

/** The number of events to scan from each place. */
const WINDOW = 5_000

/**
 * Events of these resources, and those that a place is the id of, oldest first. There is no index from a resource to its events, since
 * every event would pay for it. Ids rise with time, so it scans the events after the places where the resources
 * changed: their own ids, and ids of the times of their changes.
 */
export const listEventsNear = (
  tx: Tx,
  platformId: Id<'platform'>,
  { resourceIds, places }: Readonly<{ resourceIds: readonly string[]; places: readonly string[] }>,
): Promise<NearEvent[]> =>
  tx.many<NearEvent>(
    sql`select n.id, n.type, n.at, n.resource_id, n.status, n.attempt_count,
          coalesce(n.data ->> 'failureReason', n.data ->> 'rejectionReason', n.data ->> 'stateReason') as reason
        from (
          select distinct on (e.id) e.id, e.type, e.at, coalesce(e.resource_id, d.resource_id) as resource_id,
            coalesce(d.status, 'SKIPPED') as status, coalesce(d.attempt_count, 0) as attempt_count,
            e.body::jsonb -> 'data' as data
          from unnest(${places}::uuid[]) as place
          cross join lateral (
            select id, type, at, body, resource_id from events
            where platform_id = ${platformId} and id >= place order by id limit ${WINDOW}
          ) e
          left join event_deliveries d on d.platform_id = ${platformId} and d.event_id = e.id
          where coalesce(e.resource_id, d.resource_id) = any(${resourceIds}::text[]) or e.id = place
        ) n
        order by n.id`,
  )
