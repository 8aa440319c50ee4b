import { sql } from '../infra/db/sql.ts'
import type { Work } from '../infra/work.ts'
import { lockTurns } from './turns.ts'

/**
 * Marks all pending events SKIPPED where an endpoint is cleared (HOOK-17), or set where there was none, because events that
 * are not dispatched yet are from the time without one (HOOK-16). An attempt under way may still succeed; it is not
 * repeated.
 */
export function skipWaitingEvents({ tx, platform }: Pick<Work, 'tx' | 'platform'>): void {
  tx.trail(lockTurns)
  tx.trail(
    sql`update event_deliveries set status = 'SKIPPED', first_attempt_done = true
        where platform_id = ${platform.id} and status = 'PENDING' and (not first_attempt_done or event_id in (
          select event_id from event_attempts where platform_id = ${platform.id} and at is null))`,
  )
}
