import type { Id } from '../../../kernel/ids.ts'
import { sql, type Sql } from '../../../infra/db/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'

const ofOwner = (platformId: Id<'platform'>, customerId: Id<'customer'>): Sql =>
  sql`platform_id = ${platformId} and customer_id = ${customerId} and deleted_at is null`

/**
 * Locks a customer's accounts in id order, as deleting the rows would: payments and pulls hold them by key locks, which
 * an update alone does not wait for.
 */
export async function lockAccountsOfOwner(
  tx: Tx,
  platformId: Id<'platform'>,
  customerId: Id<'customer'>,
): Promise<void> {
  await tx.run(
    sql`select id from external_accounts where ${ofOwner(platformId, customerId)} order by id for update`,
  )
}

/** The caller holds lockAccountsOfOwner. */
export async function closeAccounts(
  tx: Tx,
  platformId: Id<'platform'>,
  customerId: Id<'customer'>,
): Promise<void> {
  await tx.run(
    sql`update external_accounts set listed = false where ${ofOwner(platformId, customerId)}`,
  )
}
