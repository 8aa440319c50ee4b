import type { Id } from '../../kernel/ids.ts'
import { sql } from '../db/statement/sql.ts'
import type { Tx } from '../db/tx.ts'
import type { JobQueue } from '../logging/metrics.ts'
import { PLATFORM_COLUMNS, type PlatformRow } from '../platforms.ts'
import type { Job } from './job-handler.ts'

export type DueJob = Readonly<{ jobId: string; jobName: string; dueAt: Date }> & PlatformRow

/**
 * Jobs due by now, earliest first, of platforms whose clock is not being moved. A clock is never behind real time, so
 * jobs due by real time are due; beyond that only the few platforms whose clock is ahead are queried.
 */
export function findDueJobs(
  tx: Tx,
  {
    now,
    limit,
    names,
    busy,
    except,
  }: Readonly<{
    now: Date
    limit: number
    names: readonly string[]
    /** Platforms with the most running jobs allowed. */
    busy: readonly string[]
    /** Jobs that are running. */
    except: readonly string[]
  }>,
): Promise<DueJob[]> {
  const open = sql`j.state = 'WAITING' and j.name = any(${names}::text[]) and j.platform_id <> all(${busy}::uuid[])
    and j.id <> all(${except}::uuid[]) and (j.leased_until is null or j.leased_until <= ${now})`
  const free = sql`(p.clock_lease_until is null or p.clock_lease_until <= ${now})`
  return tx.many<DueJob>(
    sql`select j.id as job_id, j.name as job_name, j.due_at, ${PLATFORM_COLUMNS}
        from (
          (select j.* from jobs j where ${open} and j.due_at <= ${now} order by j.due_at, j.id limit ${limit})
          union
          (select j.* from platforms p cross join lateral (
             select j.* from jobs j where j.platform_id = p.id and ${open}
               and j.due_at <= ${now}::timestamptz + p.clock_offset_ms * interval '1 millisecond'
             order by j.due_at, j.id limit ${limit}) j
           where p.clock_offset_ms > 0)
        ) j join platforms p on p.id = j.platform_id
        where ${free} order by j.due_at, j.id limit ${limit}`,
  )
}

type OfPlatform = Readonly<{
  platformId: Id<'platform'>
  names: readonly string[]
  /** Jobs that another runner is running. */
  except?: readonly string[]
}>

/**
 * The platform's next job that this process has a handler for; a newer process may queue jobs of further names. A failed
 * job has its own schedule and does not delay a clock; a running job does.
 */
export function findFirstWaiting(
  tx: Tx,
  { platformId, names, except = [] }: OfPlatform,
): Promise<{ id: string; name: string; dueAt: Date } | undefined> {
  return tx.maybe(
    sql`select id, name, due_at from jobs
        where platform_id = ${platformId} and state = 'WAITING' and attempts = 0 and name = any(${names}::text[])
          and id <> all(${except}::uuid[])
        order by due_at, id limit 1`,
  )
}

/** Locks the job if it still waits and is not locked by another runner. */
export function lockJob(tx: Tx, platformId: Id<'platform'>, id: string): Promise<Job | undefined> {
  return tx.maybe<Job>(
    sql`select id, payload, due_at, attempts from jobs
        where platform_id = ${platformId} and id = ${id} and state = 'WAITING' for update skip locked`,
  )
}

/** Leases an outside job, unless another runner has it. */
export function leaseJob(
  tx: Tx,
  platformId: Id<'platform'>,
  { id, now, until }: { id: string; now: Date; until: Date },
): Promise<Job | undefined> {
  return tx.maybe<Job>(
    sql`update jobs set leased_until = ${until}
        where platform_id = ${platformId} and id = ${id} and state = 'WAITING'
          and (leased_until is null or leased_until <= ${now})
        returning id, payload, due_at, attempts`,
  )
}

type LeasedJob = Readonly<{ id: string; leasedUntil: Date }>

/** Extends the lease of this runner, which is recognised by the end that it set last. */
export async function renewJobLease(
  tx: Tx,
  platformId: Id<'platform'>,
  { id, leasedUntil, until }: LeasedJob & Readonly<{ until: Date }>,
): Promise<boolean> {
  const renewed = await tx.run(
    sql`update jobs set leased_until = ${until}
        where platform_id = ${platformId} and id = ${id} and state = 'WAITING' and leased_until = ${leasedUntil}`,
  )
  return renewed === 1
}

/** Locks a job for the runner that has its lease; waits for another runner that is just trying to lease it. */
export async function lockLeasedJob(
  tx: Tx,
  platformId: Id<'platform'>,
  { id, leasedUntil }: LeasedJob,
): Promise<boolean> {
  const held = await tx.maybe(
    sql`select id from jobs
        where platform_id = ${platformId} and id = ${id} and state = 'WAITING' and leased_until = ${leasedUntil}
        for update`,
  )
  return held !== undefined
}

/** Queues the deletion of a completed job. */
export function removeJob(tx: Tx, platformId: Id<'platform'>, id: string): void {
  tx.queueWrite(sql`delete from jobs where platform_id = ${platformId} and id = ${id}`)
}

type JobFailure = Readonly<{
  id: string
  error: string
  now: Date
  /** Undefined for no limit. */
  attemptsMax: number | undefined
  /** The lease under which it failed; a failure after the lease was lost is not counted. */
  leasedUntil: Date | undefined
}>

/** The wait doubles from one second on, to about eight minutes. */
export async function recordFailure(
  tx: Tx,
  platformId: Id<'platform'>,
  { id, error, now, attemptsMax, leasedUntil }: JobFailure,
): Promise<boolean> {
  const isHeld = leasedUntil ? sql`leased_until = ${leasedUntil}` : sql`true`
  const recorded = await tx.run(
    sql`update jobs set attempts = attempts + 1, last_error = ${error},
          leased_until = ${now}::timestamptz + 2 ^ least(attempts, 9) * interval '1 second',
          state = case when attempts + 1 >= ${attemptsMax ?? null}::integer then 'DEAD' else state end
        where platform_id = ${platformId} and id = ${id} and state = 'WAITING' and ${isHeld}`,
  )
  return recorded === 1
}

const COUNTED_MAX = 10_000

/**
 * Counts due jobs of platforms whose clock is not being moved, and dead ones. A failed job that waits for its next
 * attempt is included, because its work is overdue.
 */
export function readJobQueue(tx: Tx, now: Date): Promise<JobQueue> {
  const free = sql`(p.clock_lease_until is null or p.clock_lease_until <= ${now})`
  const platformNow = sql`${now}::timestamptz + p.clock_offset_ms * interval '1 millisecond'`
  return tx.one<JobQueue>(
    sql`select coalesce(sum(j.count), 0)::float8 as due, (
          select count(*)::float8 from (select from jobs where state = 'DEAD' limit ${COUNTED_MAX}) d) as dead,
          greatest(0, max(extract(epoch from ${platformNow} - j.oldest) * 1000))::float8 as oldest_due_ms
        from platforms p cross join lateral (
          select count(*) as count, min(due_at) as oldest from (
            select due_at from jobs where platform_id = p.id and state = 'WAITING' and due_at <= ${platformNow}
            order by due_at limit ${COUNTED_MAX}) w) j
        where ${free}`,
  )
}
