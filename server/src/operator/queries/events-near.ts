import { Type } from '../../infra/http/schema/type.ts'
import { addMs, toWireTime } from '../../kernel/clock.ts'
import { firstUuidAt, formatId } from '../../kernel/ids.ts'
import { idField, timestamp } from '../../infra/http/schema/wire-schema.ts'
import type { Work } from '../../infra/work/work.ts'
import { listEventsNear } from '../../features/events/index.ts'
import { record } from '../command.ts'

export const EventNearSchema = record({
  eventId: idField('webhook'),
  type: Type.String(),
  resourceId: Type.String(),
  at: timestamp(),
  deliveryStatus: Type.String(),
  attempts: Type.Integer(),
})

/** Two processes may disagree on the time by a little. */
const MARGIN_MS = 1_000

export type About = Readonly<{
  resourceIds: readonly string[]
  /** Uuids, which tell when something was made. */
  ids: readonly string[]
  /** When else something happened to it, on the platform's clock. */
  times: readonly (Date | null | undefined)[]
}>

/** The webhook events about a resource, oldest first, with their delivery state. */
export async function eventsNear({ tx, platform }: Work, { resourceIds, ids, times }: About) {
  const since = times
    .filter((time) => time instanceof Date)
    .map((time) => firstUuidAt(addMs(time, -platform.clockOffsetMs - MARGIN_MS)))
  const places = [...new Set([...ids, ...since])]
  const events = await listEventsNear(tx, platform.id, { resourceIds, places })
  return events.map(({ id, type, at, resourceId, status, attemptCount }) => ({
    eventId: formatId('webhook', id),
    type,
    resourceId,
    at: toWireTime(at),
    deliveryStatus: status,
    attempts: attemptCount,
  }))
}
