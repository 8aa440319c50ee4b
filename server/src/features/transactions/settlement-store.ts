import type { Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'

/** A payment of a production platform that waits for the operator to say what became of it. */
export type OpenSettlement = Readonly<{
  platformId: Id<'platform'>
  id: Id<'transaction'>
  type: 'INCOMING' | 'OUTGOING'
  status: string
  refundStatus: string | null
  amount: bigint
  currency: string
  paymentRail: string | null
  createdAt: Date
}>

/** Across platforms, oldest first: only the operator may ask. */
export function listOpenSettlements(tx: Tx, limit: number): Promise<OpenSettlement[]> {
  return tx.many<OpenSettlement>(
    sql`select t.platform_id, t.id, t.type, t.status, t.refund_status,
          case when t.type = 'INCOMING' or t.refund_status is not null then t.sent_amount
            else t.received_amount end as amount,
          case when t.type = 'INCOMING' or t.refund_status is not null then t.sent_currency
            else t.received_currency end as currency,
          t.payment_rail, t.created_at
        from platforms p cross join lateral (
          select * from transactions t where t.platform_id = p.id and (
            (t.status = 'PROCESSING' and t.type = 'OUTGOING')
            or (t.status = 'PENDING' and t.type in ('INCOMING', 'OUTGOING') and t.quote_id is null)
            or (t.status = 'FAILED' and t.refund_status = 'PENDING'))
        ) t
        where p.environment = 'PRODUCTION' and p.kind <> 'HOUSE'
        order by t.created_at, t.id limit ${limit}`,
  )
}

/** Every platform is asked, since transactions are keyed by platform first. */
export async function findPlatformOfTransaction(
  tx: Tx,
  id: Id<'transaction'>,
): Promise<Id<'platform'> | undefined> {
  const row = await tx.maybe<{ id: Id<'platform'> }>(
    sql`select p.id from platforms p
        cross join lateral (select from transactions where platform_id = p.id and id = ${id}) t`,
  )
  return row?.id
}
