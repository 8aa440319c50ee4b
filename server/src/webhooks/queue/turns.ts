import { MINUTE_MS } from '../../kernel/clock.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'

/** A question is sent within this time, unless the process that asks has died. */
const ASKED_WITHIN_MS = 10 * MINUTE_MS

/**
 * The next event of a resource is chosen under the lock of its platform, held to the end of the transaction: otherwise a new
 * event could wait for a predecessor that ends at the same moment. Locks are taken in one order everywhere and held for a few
 * statements, never while sending. The shared lock keeps out processes of an older build, which lock all platforms at once.
 */
export function lockTurns(platformIds: readonly string[]): Sql {
  const inOrder = [...new Set(platformIds)].toSorted()
  return sql`select pg_advisory_xact_lock_shared(hashtextextended('florin event turns', 0)),
               pg_advisory_xact_lock(hashtextextended('florin event turns ' || id, 0))
             from unnest(${inOrder}::text[]) with ordinality as p(id, place) order by place`
}

/**
 * When the first attempt of the event `turn` is due. The process that asks the platform sends a question itself; if that
 * process dies, the background marks the question failed, and later events of the resource go out.
 */
export const firstDueAt: Sql = sql`case when turn.sending = 'ASKED'
  then turn.at + ${ASKED_WITHIN_MS}::float8 * interval '1 millisecond' else turn.at end`
