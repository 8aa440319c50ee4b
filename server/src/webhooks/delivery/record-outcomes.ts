import type { Id } from '../../kernel/ids.ts'
import { given, type Columns } from '../../infra/db/statement/given.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Deps } from '../../infra/deps.ts'
import { noteEndpoints } from '../endpoints/failing-endpoints.ts'
import { firstDueAt, lockTurns } from '../queue/turns.ts'

type OfAttempt = Readonly<{
  platformId: Id<'platform'>
  eventId: Id<'webhook'>
  attemptId: bigint
  resourceId: string | undefined
}>

/** An attempt that was made, or counts as made. */
export type Ended = OfAttempt &
  Readonly<{
    kind: 'ENDED'
    /** Undefined for a redelivery, which does not change the schedule. */
    number: number | undefined
    at: Date
    url: string
    responseStatus: number | undefined
    error: string | undefined
    durationMs: number
    isDelivered: boolean
    /** When the next attempt is due; undefined for none. */
    retryAt: Date | undefined
    /** The brand of the retry, too. */
    wireBrand: string
  }>

/** A dropped attempt, and the status that its pending event gets. */
export type Dropped = OfAttempt &
  Readonly<{ kind: 'DROPPED'; becomes: 'FAILED' | 'SKIPPED' | undefined }>

export type Outcome = Ended | Dropped

/**
 * Writes the outcomes of attempts of different events in one round trip: the attempts, the status of their events, the next
 * attempts, and the first attempts of events that waited for these.
 */
export async function recordOutcomes(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  outcomes: readonly Outcome[],
): Promise<void> {
  const ended = outcomes.filter((outcome) => outcome.kind === 'ENDED')
  const dropped = outcomes.filter((outcome) => outcome.kind === 'DROPPED')
  const retried = ended.filter(({ retryAt }) => retryAt !== undefined)
  const resources = resourcesOf(outcomes)
  await db.transaction((tx) => {
    tx.queueWrite(lockTurns(outcomes.map(({ platformId }) => platformId)))
    if (ended.length > 0) tx.queueWrite(writeEnded(ended))
    if (retried.length > 0) tx.queueWrite(insertRetries(retried))
    if (dropped.length > 0) tx.queueWrite(writeDropped(dropped))
    if (resources.length > 0) tx.queueWrite(giveTurns(resources))
    for (const noted of noteEndpoints(ended, clock.now())) tx.queueWrite(noted)
    return Promise.resolve()
  })
}

const EVENT_KEY: Columns<Pick<OfAttempt, 'platformId' | 'eventId'>> = {
  platform_id: ['uuid', (key) => key.platformId],
  event_id: ['uuid', (key) => key.eventId],
}
const ATTEMPT: Columns<OfAttempt> = { ...EVENT_KEY, id: ['bigint', (row) => row.attemptId] }
const ENDED: Columns<Ended> = {
  ...ATTEMPT,
  at: ['timestamptz', (row) => row.at],
  url: ['text', (row) => row.url],
  response_status: ['integer', (row) => row.responseStatus],
  error: ['text', (row) => row.error],
  duration_ms: ['integer', (row) => row.durationMs],
  is_delivered: ['boolean', (row) => row.isDelivered],
  is_retried: ['boolean', (row) => row.retryAt !== undefined],
}
const RETRY: Columns<Ended> = {
  ...EVENT_KEY,
  number: ['integer', (row) => row.number],
  retry_at: ['timestamptz', (row) => row.retryAt],
  wire_brand: ['text', (row) => row.wireBrand],
}
const DROPPED: Columns<Dropped> = { ...ATTEMPT, becomes: ['text', (row) => row.becomes] }

/**
 * A success ends the event in any status; only a pending event can fail. An attempt without a duration has not ended; a
 * condition on `at` would make the planner use the index of due attempts.
 */
const writeEnded = (rows: readonly Ended[]): Sql =>
  sql`with ended as (
        update event_attempts a
        set at = o.at, url = o.url, response_status = o.response_status, error = o.error,
          duration_ms = o.duration_ms, leased_until = null
        from ${given('o', ENDED, rows)}
        where a.platform_id = o.platform_id and a.event_id = o.event_id and a.id = o.id and a.duration_ms is null
        returning a.platform_id, a.event_id, a.number, o.is_delivered, o.is_retried
      )
      update event_deliveries d
      set attempt_count = coalesce(e.number, d.attempt_count),
        first_attempt_done = d.first_attempt_done or e.number is not null or e.is_delivered,
        status = case when e.is_delivered then 'DELIVERED'
          when d.status = 'PENDING' and e.number is not null and not e.is_retried then 'FAILED'
          else d.status end
      from ended e where d.platform_id = e.platform_id and d.event_id = e.event_id`

/** Only where the ended attempt is still the current one of the schedule. */
const insertRetries = (rows: readonly Ended[]): Sql =>
  sql`insert into event_attempts (platform_id, event_id, number, due_at, wire_brand)
      select d.platform_id, d.event_id, d.attempt_count + 1, o.retry_at, o.wire_brand
      from ${given('o', RETRY, rows)}
        join event_deliveries d on d.platform_id = o.platform_id and d.event_id = o.event_id
      where d.status = 'PENDING' and d.attempt_count = o.number
      on conflict do nothing`

const writeDropped = (rows: readonly Dropped[]): Sql =>
  sql`with dropped as (
        delete from event_attempts a
        using ${given('o', DROPPED, rows)}
        where a.platform_id = o.platform_id and a.event_id = o.event_id and a.id = o.id and a.duration_ms is null
        returning a.platform_id, a.event_id, o.becomes
      )
      update event_deliveries d set status = o.becomes, first_attempt_done = true
      from dropped o
      where d.platform_id = o.platform_id and d.event_id = o.event_id and d.status = 'PENDING'
        and o.becomes is not null`

type Resource = Readonly<{ platformId: string; resourceId: string }>
const RESOURCE: Columns<Resource> = {
  platform_id: ['uuid', (row) => row.platformId],
  resource_id: ['text', (row) => row.resourceId],
}

/** Each once: several of its events may have ended together. */
function resourcesOf(outcomes: readonly Outcome[]): Resource[] {
  const resources = new Map<string, Resource>()
  for (const { platformId, resourceId } of outcomes) {
    if (resourceId !== undefined)
      resources.set(`${platformId} ${resourceId}`, { platformId, resourceId })
  }
  return [...resources.values()]
}

/** Creates the first attempt of each resource's next event, unless it has one already. */
const giveTurns = (resources: readonly Resource[]): Sql =>
  sql`insert into event_attempts (platform_id, event_id, number, due_at)
      select turn.platform_id, turn.event_id, 1, ${firstDueAt}
      from ${given('r', RESOURCE, resources)}
        cross join lateral (
          select n.* from event_deliveries n
          where n.platform_id = r.platform_id and n.resource_id = r.resource_id and not n.first_attempt_done
            and n.sequence is not null
          order by n.sequence limit 1) turn
      where turn.status = 'PENDING'
      on conflict (platform_id, event_id) where at is null and number is not null do nothing`

/** Outcomes that arrive in one turn, or during a write, are written together. */
export function createRecorder(
  deps: Pick<Deps, 'db' | 'clock'>,
): (outcome: Outcome) => Promise<void> {
  type Waiting = Readonly<{ outcome: Outcome; done: () => void; failed: (error: unknown) => void }>
  let queue: Waiting[] = []
  let isWriting = false

  /** Two outcomes of one event are written one after the other. */
  const takeBatch = (): Waiting[] => {
    const byEvent = new Map<string, Waiting>()
    for (const waiting of queue) {
      if (!byEvent.has(waiting.outcome.eventId)) byEvent.set(waiting.outcome.eventId, waiting)
    }
    const batch = new Set(byEvent.values())
    queue = queue.filter((waiting) => !batch.has(waiting))
    return [...batch]
  }
  const write = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = takeBatch()
      try {
        await recordOutcomes(
          deps,
          batch.map(({ outcome }) => outcome),
        )
        batch.forEach(({ done }) => done())
      } catch (error) {
        batch.forEach(({ failed }) => failed(error))
      }
    }
    isWriting = false
  }
  return (outcome) =>
    new Promise((done, failed) => {
      queue.push({ outcome, done, failed })
      if (isWriting) return
      isWriting = true
      setImmediate(() => void write())
    })
}
