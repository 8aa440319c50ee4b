import type { Id } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'

type Unsettled = Readonly<{ id: Id<'transaction'>; isRefundFailed: boolean }>

/**
 * A customer's payments with money in TRANSIT or in SUSPENSE, and pulls that have not ended; oldest first. One statement,
 * so that money on its way from one to the other is seen. A pull that waits for an agent's approval has not begun.
 */
export const listUnsettled = (
  tx: Tx,
  platformId: Id<'platform'>,
  customerId: Id<'customer'>,
): Promise<Unsettled[]> =>
  tx.many<Unsettled>(
    sql`select t.id, t.refund_status is not distinct from 'FAILED' as is_refund_failed from transactions t
        where t.platform_id = ${platformId} and t.customer_id = ${customerId} and t.type in ('INCOMING', 'OUTGOING')
          and (t.refund_status = 'FAILED'
            or exists (select from ledger_balances b where b.platform_id = t.platform_id
              and b.account = 'TRANSIT:' || t.id and b.amount > 0)
            or t.source_identifier like 'ExternalAccount:%'
              and (t.status = 'PROCESSING' or t.status = 'PENDING' and t.quote_id is null)
              and not exists (select from agent_actions a where a.platform_id = t.platform_id
                and a.transaction_id = t.id and a.status = 'PENDING_APPROVAL'))
        order by t.created_at, t.id`,
  )
