import type { Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { findPlatformOf } from '../../infra/platforms.ts'

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
  /** Of a payment to a UMA address elsewhere the invoice that its provider asks to be paid. */
  reference: string | null
  createdAt: Date
}>

const COLUMNS = sql`t.platform_id, t.id, t.type, t.status, t.refund_status, t.payment_rail, t.created_at,
  t.reconciliation_reference as reference,
  case when t.refund_status is not null then t.sent_amount else t.received_amount end as amount,
  case when t.refund_status is not null then t.sent_currency else t.received_currency end as currency`

/** Across platforms, oldest first: only the operator may ask. Each kind of waiting is a range of an index of its own. */
export function listOpenSettlements(tx: Tx, limit: number): Promise<OpenSettlement[]> {
  return tx.many<OpenSettlement>(
    sql`select ${COLUMNS} from platforms p cross join lateral (
          (select * from transactions o where o.platform_id = p.id and o.status = 'PROCESSING'
             and o.type in ('INCOMING', 'OUTGOING')
           order by o.created_at, o.id limit ${limit})
          union all
          (select * from transactions o where o.platform_id = p.id and o.status = 'PENDING' and o.quote_id is null
             and o.type in ('INCOMING', 'OUTGOING') and o.pending_reason is null
             and o.source ->> 'sourceType' <> 'UMA_ADDRESS'
             and not exists (select from agent_actions a where a.platform_id = o.platform_id
               and a.transaction_id = o.id and a.status = 'PENDING_APPROVAL')
           order by o.created_at, o.id limit ${limit})
          union all
          (select * from transactions o where o.platform_id = p.id and o.refund_status = 'PENDING'
             and o.type = 'OUTGOING'
           order by o.created_at, o.id limit ${limit})
        ) t
        where p.environment = 'PRODUCTION' and p.kind <> 'HOUSE'
        order by t.created_at, t.id limit ${limit}`,
  )
}

export const findPlatformOfTransaction = (tx: Tx, id: Id<'transaction'>) =>
  findPlatformOf(tx, sql`transactions`, id)
