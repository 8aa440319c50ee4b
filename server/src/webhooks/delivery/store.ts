import type { Id } from '../../kernel/ids.ts'
import type { Platform } from '../../kernel/platform.ts'
import { given, type Columns } from '../../infra/db/statement/given.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { openJsonText } from '../../infra/db/sealed-json.ts'
import type { Sending } from '../../infra/work/outbox-events.ts'
import { DEFAULT_BRAND } from '../../infra/settings/wire-brand.ts'
import { PLATFORM_COLUMNS, toPlatform, type PlatformRow } from '../../infra/platforms.ts'
import type { DeliveryStatus } from './judge-attempt.ts'

/** An attempt that this process has leased, with everything needed to make it. */
export type HeldAttempt = Readonly<{
  platform: Platform
  eventId: Id<'webhook'>
  attemptId: bigint
  /** Undefined for a redelivery. */
  number: number | undefined
  dueAt: Date
  resourceId: string | undefined
  eventAt: Date
  body: string
  /** The brand in the body: that of the event's first attempt (HOOK-5). */
  wireBrand: string
  status: DeliveryStatus
  sending: Sending
  endpoint: string | undefined
  /** The platform's private key, sealed. */
  sealedKey: Buffer
}>

type Row = PlatformRow &
  Omit<HeldAttempt, 'platform' | 'number' | 'resourceId' | 'endpoint'> &
  Readonly<{ number: number | null; resourceId: string | null; endpoint: string | null }>

function toHeld({ keyring }: Tx, row: Row): HeldAttempt {
  const { eventId, attemptId, dueAt, eventAt, wireBrand } = row
  const body = openJsonText(keyring, 'eventBody', { id: eventId, value: row.body })
  const { status, sending, sealedKey } = row
  return {
    ...{ eventId, attemptId, dueAt, eventAt, body, wireBrand, status, sending, sealedKey },
    platform: toPlatform(row),
    number: row.number ?? undefined,
    resourceId: row.resourceId ?? undefined,
    endpoint: row.endpoint ?? undefined,
  }
}

/** `held` names the statement's rows of event_attempts. */
const selectHeld = (held: Sql): Sql =>
  sql`select a.event_id, a.id as attempt_id, a.number, a.due_at, e.at as event_at, e.body, a.wire_brand,
        d.resource_id, d.status, d.sending, p.webhook_endpoint as endpoint, p.webhook_private_key as sealed_key, ${PLATFORM_COLUMNS}
      from ${held} a join events e on e.platform_id = a.platform_id and e.id = a.event_id
        join event_deliveries d on d.platform_id = a.platform_id and d.event_id = a.event_id
        join platforms p on p.id = a.platform_id
      order by a.due_at, a.id`

export type Lease = Readonly<{
  now: Date
  leasedUntil: Date
  /** The brand of the installation, for events that have not been sent before. */
  wireBrand: string
}>

/** A retry that has no brand yet follows an attempt by a process that knew none. */
const brandOfAttempt = (present: string): Sql =>
  sql`coalesce(a.wire_brand, case when a.number > 1 then ${DEFAULT_BRAND} else ${present} end)`

export type HoldDue = Lease &
  Readonly<{
    /** The most attempts in all, and of one platform including those under way. */
    limit: number
    share: number
    running: ReadonlyMap<Id<'platform'>, number>
  }>

type Running = readonly [platformId: Id<'platform'>, count: number]
const RUNNING: Columns<Running> = {
  platform_id: ['uuid', ([platformId]) => platformId],
  running: ['integer', ([, count]) => count],
}

/**
 * Leases due attempts of platforms whose clock is not being moved. Each platform is queried by itself, so that a backlog of
 * one cannot delay the others. The rows are locked and found by their place, so that no plan scans the whole table.
 */
export async function holdDueAttempts(tx: Tx, hold: HoldDue): Promise<HeldAttempt[]> {
  const { now, leasedUntil, wireBrand, limit, share, running } = hold
  const rows = await tx.many<Row>(
    sql`with recursive waiting(platform_id) as (
          (select platform_id from event_attempts where at is null order by platform_id limit 1)
          union all
          select (select a.platform_id from event_attempts a where a.at is null and a.platform_id > w.platform_id
                  order by a.platform_id limit 1)
          from waiting w where w.platform_id is not null
        ), due as (
          select a.* from waiting w join platforms p on p.id = w.platform_id
            left join ${given('r', RUNNING, [...running])} on r.platform_id = p.id
            cross join lateral (
              select a.ctid as place, a.due_at, a.id from event_attempts a
              where a.platform_id = p.id and a.at is null
                and a.due_at <= ${now}::timestamptz + p.clock_offset_ms * interval '1 millisecond'
                and (a.leased_until is null or a.leased_until <= ${now})
              order by a.due_at, a.id limit greatest(0, ${share}::integer - coalesce(r.running, 0))
              for update skip locked) a
          where p.clock_lease_until is null or p.clock_lease_until <= ${now}
          order by a.due_at, a.id limit ${limit}
        ), held as (
          update event_attempts a set leased_until = ${leasedUntil}, wire_brand = ${brandOfAttempt(wireBrand)}
          from due where a.ctid = due.place
          returning a.*
        ) ${selectHeld(sql`held`)}`,
  )
  return rows.map((row) => toHeld(tx, row))
}

export type WaitingAttempt = Readonly<{ eventId: Id<'webhook'>; id: bigint; dueAt: Date }>

/** The platform's earliest attempt that has not ended, leased or not. */
export function findFirstWaiting(
  tx: Tx,
  platformId: Id<'platform'>,
): Promise<WaitingAttempt | undefined> {
  return tx.maybe<WaitingAttempt>(
    sql`select event_id, id, due_at from event_attempts where platform_id = ${platformId} and at is null
        order by due_at, id limit 1`,
  )
}

/** Leases the platform's earliest attempt, if it is due by then and not leased. */
export async function holdFirstAttempt(
  tx: Tx,
  platformId: Id<'platform'>,
  { until, now, leasedUntil, wireBrand }: Lease & Readonly<{ until: Date }>,
): Promise<HeldAttempt | undefined> {
  const row = await tx.maybe<Row>(
    sql`with first as (
          select ctid as place from event_attempts where platform_id = ${platformId} and at is null
          order by due_at, id limit 1
        ), held as (
          update event_attempts a set leased_until = ${leasedUntil}, wire_brand = ${brandOfAttempt(wireBrand)}
          from first where a.ctid = first.place and a.at is null
            and a.due_at <= ${until} and (a.leased_until is null or a.leased_until <= ${now})
          returning a.*
        ) ${selectHeld(sql`held`)}`,
  )
  return row && toHeld(tx, row)
}

/** Takes the attempt of a question for the process that asks. Asking again after a crash takes the same attempt. */
export async function holdAskedAttempt(
  tx: Tx,
  platformId: Id<'platform'>,
  {
    eventId,
    dueAt,
    leasedUntil,
    wireBrand,
  }: Omit<Lease, 'now'> & Readonly<{ eventId: Id<'webhook'>; dueAt: Date }>,
): Promise<HeldAttempt> {
  const row = await tx.one<Row>(
    sql`with held as (
          insert into event_attempts as a (platform_id, event_id, number, due_at, leased_until, wire_brand)
          values (${platformId}, ${eventId}, 1, ${dueAt}, ${leasedUntil}, ${wireBrand})
          on conflict (platform_id, event_id) where at is null and number is not null
          do update set leased_until = excluded.leased_until, due_at = excluded.due_at,
            wire_brand = coalesce(a.wire_brand, excluded.wire_brand)
          returning a.*
        ) ${selectHeld(sql`held`)}`,
  )
  return toHeld(tx, row)
}

const HELD: Columns<HeldAttempt> = {
  platform_id: ['uuid', ({ platform }) => platform.id],
  event_id: ['uuid', (attempt) => attempt.eventId],
  id: ['bigint', (attempt) => attempt.attemptId],
}

/** Releases attempts that were not made, for another process. */
export async function releaseAttempts(tx: Tx, attempts: readonly HeldAttempt[]): Promise<void> {
  await tx.run(
    sql`update event_attempts a set leased_until = null
        from ${given('held', HELD, attempts)}
        where a.platform_id = held.platform_id and a.event_id = held.event_id and a.id = held.id and a.at is null`,
  )
}

/**
 * Adds one attempt outside of the schedule, with the bytes of the first attempt (HOOK-44). An event that had no endpoint
 * to be sent to gets its delivery here. Only a made attempt has a duration; a condition on `at` would make the planner
 * use the index of due attempts.
 */
export async function insertRedelivery(
  tx: Tx,
  platformId: Id<'platform'>,
  { eventId, dueAt }: { eventId: Id<'webhook'>; dueAt: Date },
): Promise<void> {
  await tx.run(
    sql`insert into event_deliveries (platform_id, event_id, position, resource_id, at, sending, status, first_attempt_done)
        select platform_id, id, position, resource_id, at, 'RETRIED', 'SKIPPED', true from events
        where platform_id = ${platformId} and id = ${eventId}
        on conflict do nothing`,
  )
  await tx.run(
    sql`insert into event_attempts (platform_id, event_id, due_at, wire_brand)
        values (${platformId}, ${eventId}, ${dueAt}, (
          select coalesce(a.wire_brand, ${DEFAULT_BRAND}) from event_attempts a
          where a.platform_id = ${platformId} and a.event_id = ${eventId} and a.duration_ms is not null
          order by a.id limit 1))`,
  )
}

export async function findEndpoint(
  tx: Tx,
  platformId: Id<'platform'>,
): Promise<string | undefined> {
  const row = await tx.one<{ webhookEndpoint: string | null }>(
    sql`select webhook_endpoint from platforms where id = ${platformId}`,
  )
  return row.webhookEndpoint ?? undefined
}

/** The outcome of an attempt of another process; undefined until it has ended. */
export function findEnded(
  tx: Tx,
  platformId: Id<'platform'>,
  { eventId, id }: Pick<WaitingAttempt, 'eventId' | 'id'>,
): Promise<Readonly<{ url: string; hasTimedOut: boolean }> | undefined> {
  return tx.maybe(
    sql`select url, coalesce(error like ${`${TIMEOUT_MARK}%`}, false) as has_timed_out from event_attempts
        where platform_id = ${platformId} and event_id = ${eventId} and id = ${id} and at is not null`,
  )
}

/** The prefix of the recorded error of an attempt that timed out. */
export const TIMEOUT_MARK = 'timeout: '
