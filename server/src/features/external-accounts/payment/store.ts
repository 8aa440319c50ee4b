import type { Id } from '../../../kernel/ids.ts'
import { given } from '../../../infra/db/statement/given.ts'
import { RESOURCE_KEY } from '../../../infra/db/statement/resource-key.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import {
  ACCOUNT_PAYER_COLUMNS,
  splitPayer,
  type Payer,
  type PayerColumns,
} from '../../customers/index.ts'
import type { PaymentAccount } from '../external-account.ts'

type PlatformId = Id<'platform'>

type AccountKey = Readonly<{ platformId: PlatformId; id: Id<'externalAccount'> }>

/** Prevents changes of accounts, of any platforms, until the transaction ends; payments share the lock. */
export async function lockExternalAccountsForShare(
  tx: Tx,
  keys: readonly AccountKey[],
): Promise<void> {
  await tx.run(
    sql`select 1 from external_accounts a
        join ${given('k', RESOURCE_KEY, keys)} on k.platform_id = a.platform_id and k.id = a.id
        order by a.platform_id, a.id for share of a`,
  )
}

/** An account with the columns that payments read of its owner. */
export type SideAccount = PaymentAccount &
  Readonly<{
    platformId: PlatformId
    platformCustomerId: string | null
    payer: Payer | null
    /** When an agent created the account; null if the platform did (ACT-31). */
    madeByAgentAt: Date | null
  }>

/**
 * Accounts of any platforms as sides of payments, deleted ones included. The lock is that of a foreign key: until the
 * transaction ends the owner cannot be deleted, and everything else may change (CUST-62).
 */
export async function listSideAccounts(
  tx: Tx,
  keys: readonly AccountKey[],
): Promise<SideAccount[]> {
  const rows = await tx.many<Omit<SideAccount, 'payer'> & PayerColumns>(
    sql`select a.platform_id, a.id, a.customer_id, a.account_type, a.currency, a.status, a.identified_by,
          a.payment_rails, a.payment_suffix, a.invoice_amount, a.is_trusted, a.deleted_at,
          not a.listed as is_owner_deleted,
          case when a.agent_id is not null then a.created_at end as made_by_agent_at, ${ACCOUNT_PAYER_COLUMNS}
        from external_accounts a
        join ${given('k', RESOURCE_KEY, keys)} on k.platform_id = a.platform_id and k.id = a.id
        left join customers c on c.platform_id = a.platform_id and c.id = a.customer_id
        order by a.platform_id, a.id for key share of a`,
  )
  return rows.map((row) => splitPayer(tx.keyring, row))
}
