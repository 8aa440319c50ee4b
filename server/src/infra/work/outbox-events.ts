import type { Keyring } from '../../crypto/keyring.ts'
import { toWireTime } from '../../kernel/clock.ts'
import { formatId, type Id } from '../../kernel/ids.ts'
import { bytesOf, type ByteText } from '../../kernel/text/byte-text.ts'
import { sealJson } from '../db/sealed-json.ts'
import { given, type Columns } from '../db/statement/given.ts'
import { sql, type Sql } from '../db/statement/sql.ts'
import type { CountedPayment } from '../logging/business-metrics.ts'
import { differenceOf } from './event-difference.ts'

/**
 * How an event is sent: with all retries, in the background; once, in the background; or by code that asks the platform
 * for a decision and waits for the answer.
 */
export type Sending = 'RETRIED' | 'ONCE' | 'ASKED'

/** A webhook event, already rendered. */
export type EventRow = Readonly<{
  platformId: Id<'platform'>
  id: Id<'webhook'>
  type: string
  /** Events of one resource keep their order. */
  resourceId: string | undefined
  at: Date
  /** The JSON of the resource, in the same parts for all events that may share some of it. */
  data: readonly ByteText[]
  sending: Sending
  /** The payment in it, which is counted after the commit. */
  payment: CountedPayment | undefined
}>

type WrittenEvent = Readonly<{
  event: EventRow
  /** Sealed; the database makes any other body of the data. */
  wholeBody?: string
  data?: Buffer
  /** The event whose data `data` is a difference from. */
  baseId?: Id<'webhook'> | undefined
}>

const EVENT: Columns<WrittenEvent> = {
  platform_id: ['uuid', ({ event }) => event.platformId],
  id: ['uuid', ({ event }) => event.id],
  type: ['text', ({ event }) => event.type],
  resource_id: ['text', ({ event }) => event.resourceId],
  at: ['timestamptz', ({ event }) => event.at],
  sending: ['text', ({ event }) => event.sending],
  whole_body: ['text', ({ wholeBody }) => wholeBody],
  data: ['text', ({ data }) => data],
  base_id: ['uuid', ({ baseId }) => baseId],
}

/**
 * Positions grow in the order of the rows, and what an event is about stands with the data that it shares. Without an endpoint an event is not sent (HOOK-16) and has no delivery, except
 * where its sender waits for the outcome, or where the platform's events are streamed and need a number (HOOK-100).
 */
export const insertEvents = (keyring: Keyring, events: readonly EventRow[]): Sql =>
  sql`with given as materialized (
        select *, nextval('event_positions') as position
        from ${given('e', EVENT, writtenEvents(keyring, events))}
      ), written as (
        insert into event_rows (platform_id, id, position, type, resource_id, at, whole_body, data, base_id)
        select platform_id, id, position, type, case when base_id is null then resource_id end, at, whole_body, data, base_id
        from given
      )
      insert into event_deliveries (platform_id, event_id, position, resource_id, at, sending, status, first_attempt_done,
        is_streamed)
      select g.platform_id, g.id, g.position, g.resource_id, g.at, g.sending,
        case when s.is_sent then 'PENDING' else 'SKIPPED' end, not s.is_sent, p.event_stream is not null
      from given g join platforms p on p.id = g.platform_id
        cross join lateral (select p.webhook_endpoint is not null or g.sending <> 'RETRIED' as is_sent) s
      where s.is_sent or p.event_stream is not null`

const writtenEvents = (keyring: Keyring, events: readonly EventRow[]): WrittenEvent[] =>
  keyring.sealsContactData
    ? events.map((event) => ({ event, wholeBody: sealedBody(keyring, event) }))
    : sharingData(events)

/** The body that is signed and sent; the view `events` makes the same of a row. */
function sealedBody(keyring: Keyring, { id, type, at, data }: EventRow): string {
  const head = `{"id":"${formatId('webhook', id)}","type":"${type}","timestamp":"${toWireTime(at)}"`
  const body = bytesOf(`${head},"data":${data.join('')}}` as ByteText)
  return sealJson(keyring, 'eventBody', { id, value: body.toString() })
}

/**
 * Events of one resource repeat most of its data: all but its last are written as their difference from that one. The last,
 * since events are removed in their order (webhooks/queue/retention.ts) and sealed in it (operator/reseal).
 */
function sharingData(events: readonly EventRow[]): WrittenEvent[] {
  const lastOf = new Map<string, EventRow>()
  for (const event of events)
    if (event.resourceId !== undefined) lastOf.set(event.resourceId, event)
  return events.map((event) => {
    const base = lastOf.get(event.resourceId ?? '')
    const isShared = base !== undefined && base !== event && base.platformId === event.platformId
    const difference = isShared ? differenceOf(base.data, event.data) : undefined
    if (difference === undefined || 2 * difference.length > lengthOf(event.data))
      return { event, data: bytesOf(event.data.join('') as ByteText) }
    return { event, data: bytesOf(difference), baseId: base?.id }
  })
}

const lengthOf = (parts: readonly ByteText[]): number =>
  parts.reduce((sum, { length }) => sum + length, 0)
