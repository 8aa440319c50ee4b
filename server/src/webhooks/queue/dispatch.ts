import { setTimeout as delay } from 'node:timers/promises'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Deps } from '../../infra/deps.ts'
import { createPoller, type Poller } from '../../infra/poller.ts'
import { firstDueAt, lockTurns } from './turns.ts'

const POLL_MS = 500
/** Under load there are hundreds of commits per second; numbering them together costs little more than one. */
const PACE_MS = 25
const BATCH_MAX = 500
/** Written out, so that the plan is one for few rows. */
const LIMIT = sql`limit 500`

export type DispatcherOptions = Readonly<{
  deps: Deps
  inBackground: boolean
  /** Called after every run, with or without new events. */
  dispatched: () => void
}>

/** Numbers new events when woken, and at regular intervals. */
export function createDispatcher({ deps, inBackground, dispatched }: DispatcherOptions): Poller {
  const look = async (): Promise<void> => {
    await dispatchEvents(deps)
    dispatched()
    await delay(PACE_MS)
  }
  const everyMs = inBackground ? POLL_MS : undefined
  return createPoller({ look, everyMs, log: deps.log, idle: () => true })
}

/**
 * Numbers committed events, gapless per platform, in the order of writing, and creates the first attempt of those whose turn
 * it is. Two transactions that change one resource write one after the other, so their commits have the same order
 * (HOOK-13). This never runs in the business transaction, where the counter would serialize a platform's writes. Any number
 * of processes may do this at once. All of it is one round trip: others wait for the lock, and must not wait for Node.
 */
export async function dispatchEvents({ db }: Pick<Deps, 'db'>): Promise<void> {
  for (;;) {
    const platformIds = await listUnnumbered(db.read)
    if (platformIds.length === 0) return
    let numbered = 0
    await db.transaction((tx) => {
      tx.queueWrite(lockTurns(platformIds))
      tx.queueWrite(numberEvents(platformIds), { onCount: (count) => (numbered = count) })
      return Promise.resolve()
    })
    if (numbered < BATCH_MAX) return
  }
}

/** The platforms of the first events without a number. */
async function listUnnumbered(tx: Tx): Promise<string[]> {
  const found = await tx.many<{ platformId: string }>(
    sql`select distinct platform_id from (
          select platform_id from event_deliveries where sequence is null order by position ${LIMIT}) d`,
  )
  return found.map(({ platformId }) => platformId)
}

/**
 * Events of a platform without an endpoint are never sent (HOOK-16). An event waits for the first attempt of an earlier
 * event of its resource (HOOK-13): of one numbered here, or before, since the statement does not see its own numbers in the
 * table. The rows are locked and found by their place, so that no plan scans the whole table.
 */
const numberEvents = (platformIds: readonly string[]): Sql =>
  sql`with fresh as materialized (
        select d.ctid as place, d.platform_id, d.position, p.webhook_endpoint is not null as has_endpoint
        from event_deliveries d join platforms p on p.id = d.platform_id
        where d.sequence is null and d.platform_id = any(${platformIds}::uuid[])
        order by d.position ${LIMIT} for no key update of d
      ), counters as (
        insert into event_counters as c (platform_id, last_sequence)
        select platform_id, count(*) from fresh group by platform_id
        on conflict (platform_id) do update set last_sequence = c.last_sequence + excluded.last_sequence
        returning platform_id, last_sequence
      ), numbers as (
        select f.place, f.has_endpoint,
          c.last_sequence + 1 - row_number() over (partition by f.platform_id order by f.position desc) as sequence
        from fresh f join counters c on c.platform_id = f.platform_id
      ), numbered as (
        update event_deliveries d
        set sequence = n.sequence,
          status = case when d.status = 'PENDING' and not n.has_endpoint then 'SKIPPED' else d.status end,
          first_attempt_done = d.first_attempt_done or not n.has_endpoint
        from numbers n where d.ctid = n.place
        returning d.*
      ), first_attempts as (
        insert into event_attempts (platform_id, event_id, number, due_at)
        select turn.platform_id, turn.event_id, 1, ${firstDueAt}
        from (
          select *, row_number() over (partition by platform_id, resource_id order by sequence) as place
          from numbered where not first_attempt_done
        ) turn
        where turn.status = 'PENDING' and (turn.resource_id is null or turn.place = 1 and not exists (
          select from event_deliveries earlier
          where earlier.platform_id = turn.platform_id and earlier.resource_id = turn.resource_id
            and not earlier.first_attempt_done and earlier.sequence < turn.sequence))
        order by turn.platform_id, turn.sequence
      )
      select from numbered`
