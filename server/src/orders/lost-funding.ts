import type { Work } from '../infra/work/work.ts'
import { sql } from '../infra/db/statement/sql.ts'
import type { LostFunding, Order } from './order.ts'

/** Records on a payout that its funding was taken back. Writes this column alone, so it needs no lock of the order. */
export function saveLostFunding({ tx }: Work, { platformId, id }: Order, lost: LostFunding): void {
  tx.queueWrite(
    sql`update provider_orders set lost_funding = ${sql.json(lost)}
        where platform_id = ${platformId} and id = ${id}`,
  )
}

/** Makes the sender ask the provider to cancel an order, until the provider answers (PROV-50). */
export function requestCancel({ tx, now }: Work, { platformId, id }: Order): void {
  tx.queueWrite(
    sql`update provider_orders set cancel_asked_at = coalesce(cancel_asked_at, ${now}::timestamptz), cancel_next_at = ${now}
        where platform_id = ${platformId} and id = ${id}`,
  )
}
