import { addMs, DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Port } from '../../kernel/ports.ts'
import { given, type Columns } from '../../infra/db/statement/given.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'

/** The circuit breaker of a provider, shared between processes (PROV-141). */
export type Health = Readonly<{
  unansweredInRow: number
  circuit: 'CLOSED' | 'OPEN'
  openedAt: Date | null
  tryAt: Date | null
}>

const IN_ROW_MAX = 10
const WINDOW_MS = MINUTE_MS
const WINDOW_CALLS_MIN = 20
const TRY_MS = 30 * SECOND_MS
/** Calls are counted in slices of this length, so the last minute is known to within a sixth. */
const SLICE_MS = 10 * SECOND_MS
const DURATIONS_MAX = 100

export async function lockHealth(tx: Tx, providerId: Id<'provider'>): Promise<Health> {
  const [, health] = await Promise.all([
    tx.run(
      sql`insert into provider_health (provider_id) values (${providerId}) on conflict do nothing`,
    ),
    tx.one<Health>(
      sql`select unanswered_in_row, circuit, opened_at, try_at from provider_health
          where provider_id = ${providerId} for no key update`,
    ),
  ])
  return health
}

export function postponeProbe(tx: Tx, providerId: Id<'provider'>, now: Date): void {
  tx.queueWrite(
    sql`update provider_health set try_at = ${addMs(now, TRY_MS)} where provider_id = ${providerId}`,
  )
}

export type CallRecord = Readonly<{
  providerId: Id<'provider'>
  port: Port
  isAnswered: boolean
  durationMs: number
  now: Date
}>

/** Opens or closes the circuit of one provider after calls, in the order in which they ended. One answer closes it. */
export async function recordCalls(
  tx: Tx,
  providerId: Id<'provider'>,
  records: readonly CallRecord[],
): Promise<void> {
  const before = await lockHealth(tx, providerId)
  countCalls(tx, providerId, records)
  const lastAnswer = records.findLastIndex(({ isAnswered }) => isAnswered)
  const failed = records.slice(lastAnswer + 1)
  const [first] = failed
  const known = lastAnswer === -1 ? before : ANSWERED
  const unansweredInRow = known.unansweredInRow + failed.length
  const wasOpen = known.circuit === 'OPEN'
  const isOpen =
    first !== undefined &&
    (wasOpen || unansweredInRow >= IN_ROW_MAX || (await isHalfUnanswered(tx, first)))
  const openedAt = isOpen ? (wasOpen ? known.openedAt : first.now) : null
  const tryAt = isOpen ? (wasOpen ? known.tryAt : addMs(first.now, TRY_MS)) : null
  if (before.circuit === 'CLOSED' && !isOpen && before.unansweredInRow === unansweredInRow) return
  tx.queueWrite(
    sql`update provider_health set unanswered_in_row = ${unansweredInRow}, circuit = ${isOpen ? 'OPEN' : 'CLOSED'},
          opened_at = ${openedAt}, try_at = ${tryAt} where provider_id = ${providerId}`,
  )
}

const ANSWERED: Health = {
  unansweredInRow: 0,
  circuit: 'CLOSED',
  openedAt: null,
  tryAt: null,
}

const sliceOf = ({ now }: CallRecord): Date =>
  new Date(Math.floor(now.getTime() / SLICE_MS) * SLICE_MS)

const CALL: Columns<CallRecord> = {
  port: ['text', ({ port }) => port],
  slice: ['timestamptz', sliceOf],
  is_answered: ['boolean', ({ isAnswered }) => isAnswered],
  duration_ms: ['integer', ({ durationMs }) => Math.round(durationMs)],
}

function countCalls(tx: Tx, providerId: Id<'provider'>, records: readonly CallRecord[]): void {
  tx.queueWrite(
    sql`insert into provider_calls as c (provider_id, port, slice, answered, unanswered, durations)
        select ${providerId}, r.port, r.slice, count(*) filter (where r.is_answered),
          count(*) filter (where not r.is_answered), array_agg(r.duration_ms)
        from ${given('r', CALL, records)} group by r.port, r.slice
        on conflict (provider_id, port, slice) do update set answered = c.answered + excluded.answered,
          unanswered = c.unanswered + excluded.unanswered,
          durations = case when cardinality(c.durations) < ${DURATIONS_MAX}
            then c.durations || excluded.durations else c.durations end`,
  )
}

async function isHalfUnanswered(tx: Tx, { providerId, now }: CallRecord): Promise<boolean> {
  await tx.flush()
  const { answered, unanswered } = await tx.one<{ answered: number; unanswered: number }>(
    sql`select coalesce(sum(answered), 0)::int as answered, coalesce(sum(unanswered), 0)::int as unanswered
        from provider_calls where provider_id = ${providerId} and slice > ${addMs(now, -WINDOW_MS)}`,
  )
  const all = answered + unanswered
  return all >= WINDOW_CALLS_MIN && unanswered * 2 >= all
}

/** Answered and unanswered calls of a provider by port, and how long they took. */
export type CallFigures = Readonly<{
  port: Port
  answered: number
  unanswered: number
  p50Ms: number | null
  p99Ms: number | null
}>

export const readCallFigures = (
  tx: Tx,
  providerId: Id<'provider'>,
  since: Date,
): Promise<CallFigures[]> =>
  tx.many<CallFigures>(
    sql`select c.port, sum(c.answered)::int as answered, sum(c.unanswered)::int as unanswered,
          (select percentile_disc(0.5) within group (order by d) from provider_calls o, unnest(o.durations) d
           where o.provider_id = ${providerId} and o.port = c.port and o.slice >= ${since}) as p50_ms,
          (select percentile_disc(0.99) within group (order by d) from provider_calls o, unnest(o.durations) d
           where o.provider_id = ${providerId} and o.port = c.port and o.slice >= ${since}) as p99_ms
        from provider_calls c where c.provider_id = ${providerId} and c.slice >= ${since}
        group by c.port order by c.port`,
  )

export const deleteOldCalls = (tx: Tx, now: Date): Promise<number> =>
  tx.run(sql`delete from provider_calls where slice < ${addMs(now, -DAY_MS)}`)
