import type { Id } from '../../../kernel/ids.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { openJson } from '../../../infra/db/sealed-json.ts'
import { sql, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { PaymentInstructions } from '../funding/instructions.ts'

/** An owner and a currency; without a customer the platform is the owner. */
export type AccountOwnerKey = Readonly<{
  platformId: Id<'platform'>
  customerId: Id<'customer'> | null
  currency: string
}>

const OWNER_KEY: Columns<AccountOwnerKey> = {
  platform_id: ['uuid', (key) => key.platformId],
  customer_id: ['uuid', (key) => key.customerId],
  currency: ['text', (key) => key.currency],
}

/** Two look-ups in the index of owners, because `is not distinct from` cannot use it. */
const ownedBy = (keys: readonly AccountOwnerKey[]): Sql =>
  sql`${given('k', OWNER_KEY, keys)}
    cross join lateral (
      select * from internal_accounts o
      where o.platform_id = k.platform_id and o.customer_id = k.customer_id and o.currency = k.currency
      union all
      select * from internal_accounts o
      where k.customer_id is null and o.platform_id = k.platform_id and o.customer_id is null
        and o.currency = k.currency) a`

/** The existing accounts of these owners in these currencies. */
export async function listAccountsOfOwners(
  tx: Tx,
  keys: readonly AccountOwnerKey[],
): Promise<(AccountOwnerKey & Readonly<{ id: Id<'internalAccount'> }>)[]> {
  return tx.many(sql`select k.platform_id, k.customer_id, k.currency, a.id from ${ownedBy(keys)}`)
}

type Instructed = AccountOwnerKey &
  Readonly<{ fundingInstructions: readonly PaymentInstructions[] }>

/** The funding instructions of the ACTIVE accounts of these owners. */
export async function listInstructionsOfOwners(
  tx: Tx,
  keys: readonly AccountOwnerKey[],
): Promise<Instructed[]> {
  const rows = await tx.many<Instructed & Readonly<{ id: Id<'internalAccount'> }>>(
    sql`select k.platform_id, k.customer_id, k.currency, a.id, a.funding_instructions
        from ${ownedBy(keys)} where a.status = 'ACTIVE'`,
  )
  return rows.map(({ id, ...row }) => ({
    ...row,
    fundingInstructions: openJson(tx.keyring, 'fundingInstructions', {
      id,
      value: row.fundingInstructions,
    }),
  }))
}

/** The ids of all accounts of a customer. */
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
