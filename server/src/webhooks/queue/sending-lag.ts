import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'

/**
 * For how long, in milliseconds, the first event has waited for its number, or the first due attempt for a process to
 * make it, on the clocks of their platforms. What a process has taken does not wait.
 */
export async function readSendingLag(tx: Tx, now: Date): Promise<number> {
  const platformNow = sql`${now}::timestamptz + p.clock_offset_ms * interval '1 millisecond'`
  const { lagMs } = await tx.one<{ lagMs: number }>(
    sql`select greatest(0, max(extract(epoch from waited)) * 1000)::float8 as lag_ms from (
          select ${platformNow} - d.at as waited from (
            select platform_id, at from event_deliveries where sequence is null order by position limit 1) d
            join platforms p on p.id = d.platform_id
          union all
          select ${platformNow} - a.due_at from platforms p cross join lateral (
            select due_at from event_attempts
            where platform_id = p.id and at is null and (leased_until is null or leased_until <= ${now})
            order by due_at, id limit 1) a
          where p.clock_lease_until is null or p.clock_lease_until <= ${now}) w`,
  )
  return lagMs
}
