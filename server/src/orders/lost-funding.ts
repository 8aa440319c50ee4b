import type { Work } from '../infra/work/work.ts'
import { sql } from '../infra/db/statement/sql.ts'
import type { LostFunding, Order } from './order.ts'

/** Keeps on a payout that what it is paid from was taken back. Queued for the commit, apart from all else of the order. */
export function saveLostFunding({ tx }: Work, { platformId, id }: Order, lost: LostFunding): void {
  tx.queueWrite(
    sql`update provider_orders set lost_funding = ${sql.json(lost)}
        where platform_id = ${platformId} and id = ${id}`,
  )
}

/** Has the provider asked to call an order back, as soon as it can be and until it answers (PROV-50). */
export function callBack({ tx, now }: Work, { platformId, id }: Order): void {
  tx.queueWrite(
    sql`update provider_orders set cancel_asked_at = coalesce(cancel_asked_at, ${now}::timestamptz), cancel_next_at = ${now}
        where platform_id = ${platformId} and id = ${id}`,
  )
}
