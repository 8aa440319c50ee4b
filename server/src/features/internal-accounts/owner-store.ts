import type { Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { PaymentInstructions } from './funding-instructions.ts'

/** Whose account, in which currency; without a customer the platform's own. */
export type AccountOwnerKey = Readonly<{
  platformId: Id<'platform'>
  customerId: Id<'customer'> | null
  currency: string
}>

/** The accounts of these owners in these currencies, where they have them. */
export async function listAccountsOfOwners(
  tx: Tx,
  keys: readonly AccountOwnerKey[],
): Promise<(AccountOwnerKey & Readonly<{ id: Id<'internalAccount'> }>)[]> {
  return tx.many(
    sql`select k.platform_id, k.customer_id, k.currency, a.id
        from unnest(${keys.map((key) => key.platformId)}::uuid[], ${keys.map((key) => key.customerId)}::uuid[],
          ${keys.map((key) => key.currency)}::text[]) as k(platform_id, customer_id, currency)
        join internal_accounts a on a.platform_id = k.platform_id and a.currency = k.currency
          and a.customer_id is not distinct from k.customer_id`,
  )
}

/** How the ACTIVE accounts of these owners are paid into. */
export async function listInstructionsOfOwners(
  tx: Tx,
  keys: readonly AccountOwnerKey[],
): Promise<
  (AccountOwnerKey & Readonly<{ fundingInstructions: readonly PaymentInstructions[] }>)[]
> {
  return tx.many(
    sql`select k.platform_id, k.customer_id, k.currency, a.funding_instructions
        from unnest(${keys.map((key) => key.platformId)}::uuid[], ${keys.map((key) => key.customerId)}::uuid[],
          ${keys.map((key) => key.currency)}::text[]) as k(platform_id, customer_id, currency)
        join internal_accounts a on a.platform_id = k.platform_id and a.currency = k.currency
          and a.customer_id is not distinct from k.customer_id and a.status = 'ACTIVE'`,
  )
}

/** The ids of all that a customer has. */
export async function listOwnedAccountIds(
  tx: Tx,
  platformId: Id<'platform'>,
  customerId: Id<'customer'>,
): Promise<Id<'internalAccount'>[]> {
  const rows = await tx.many<{ id: Id<'internalAccount'> }>(
    sql`select id from internal_accounts
        where platform_id = ${platformId} and customer_id = ${customerId} order by id`,
  )
  return rows.map(({ id }) => id)
}
