import { sql } from '../infra/db/sql.ts'
import type { Work } from '../infra/work.ts'
import { lockTurns } from './turns.ts'

/**
 * HOOK-17: a cleared endpoint turns everything that still waits to SKIPPED, for good. An attempt that is being sent
 * at this moment may still succeed; it is not repeated. HOOK-16: so does one that is set where there was none, since
 * what nobody has looked at by then is of a time without.
 */
export function skipWaitingEvents({ tx, platform }: Pick<Work, 'tx' | 'platform'>): void {
  tx.trail(lockTurns)
  tx.trail(
    sql`update event_deliveries set status = 'SKIPPED', first_attempt_done = true
        where platform_id = ${platform.id} and status = 'PENDING' and (not first_attempt_done or event_id in (
          select event_id from event_attempts where platform_id = ${platform.id} and at is null))`,
  )
}
