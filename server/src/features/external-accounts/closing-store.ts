import type { Id } from '../../kernel/ids.ts'
import { sql, type Sql } from '../../infra/db/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'

const ofOwner = (platformId: Id<'platform'>, customerId: Id<'customer'>): Sql =>
  sql`platform_id = ${platformId} and customer_id = ${customerId} and deleted_at is null`

/**
 * A customer's accounts, locked in id order as a deletion locks: against the key locks of payments that pay one or pull
 * from it, which an update alone would not wait for.
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
