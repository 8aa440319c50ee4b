import type { Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { payerOf, type Payer, type PayerColumns } from './payer.ts'

export type CustomerKey = Readonly<{ platformId: Id<'platform'>; id: Id<'customer'> }>

/** Customers of any platforms, deleted ones too. */
export async function listPayers(
  tx: Tx,
  keys: readonly CustomerKey[],
): Promise<(Payer & Readonly<{ platformId: Id<'platform'> }>)[]> {
  const rows = await tx.many<PayerColumns & Readonly<{ platformId: Id<'platform'> }>>(
    sql`select c.platform_id, c.id as customer_id, c.platform_customer_id, c.status as customer_status,
          c.consent as customer_consent, c.is_deleted as is_customer_deleted
        from customers c
        join unnest(${keys.map((key) => key.platformId)}::uuid[], ${keys.map((key) => key.id)}::uuid[])
          as k(platform_id, id) using (platform_id, id)`,
  )
  return rows.flatMap(({ platformId, ...columns }) => {
    const payer = payerOf(columns)
    return payer ? [{ ...payer, platformId }] : []
  })
}
