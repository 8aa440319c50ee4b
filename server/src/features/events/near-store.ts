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
}>

/** The number of events to scan from each place. */
const WINDOW = 5_000

/**
 * Events of these resources, oldest first, for the operator. There is no index from a resource to its events, since
 * every event would pay for it. Ids rise with time, so it scans the events after the places where the resources
 * changed: their own ids, and ids of the times of their changes.
 */
export const listEventsNear = (
  tx: Tx,
  platformId: Id<'platform'>,
  { resourceIds, places }: Readonly<{ resourceIds: readonly string[]; places: readonly string[] }>,
): Promise<NearEvent[]> =>
  tx.many<NearEvent>(
    sql`select e.id, e.type, e.at, d.resource_id, d.status, d.attempt_count
        from (
          select distinct on (n.event_id) n.event_id, n.resource_id, n.status, n.attempt_count
          from unnest(${places}::uuid[]) as place
          cross join lateral (
            select event_id, resource_id, status, attempt_count from event_deliveries
            where platform_id = ${platformId} and event_id >= place order by event_id limit ${WINDOW}
          ) n
          where n.resource_id = any(${resourceIds}::text[])
        ) d
        join events e on e.platform_id = ${platformId} and e.id = d.event_id
        order by e.position`,
  )
