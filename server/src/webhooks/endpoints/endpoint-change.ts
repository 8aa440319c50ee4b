import { sql } from '../../infra/db/statement/sql.ts'
import type { Work } from '../../infra/work/work.ts'
import { emit } from '../emit.ts'
import { lockTurns } from '../queue/turns.ts'

/**
 * Marks all pending events SKIPPED where an endpoint is cleared (HOOK-17), or set where there was none, because events that
 * are not dispatched yet are from the time without one (HOOK-16). An attempt under way may still succeed; it is not
 * repeated.
 */
export function skipWaitingEvents({ tx, platform }: Pick<Work, 'tx' | 'platform'>): void {
  tx.queueWrite(lockTurns([platform.id]))
  tx.queueWrite(
    sql`update event_deliveries set status = 'SKIPPED', first_attempt_done = true
        where platform_id = ${platform.id} and status = 'PENDING' and (not first_attempt_done or event_id in (
          select event_id from event_attempts where platform_id = ${platform.id} and at is null))`,
  )
}

/** Emits an event to a newly set endpoint, which is sent once in the background and never repeated (HOOK-40). */
export function sendTestEvent(work: Pick<Work, 'platform' | 'now' | 'outbox'>): void {
  emit(work, 'TEST', {}, { sending: 'ONCE' })
}
