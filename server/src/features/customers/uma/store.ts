import type { Id } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { sql, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Customer } from '../customer.ts'
import { CUSTOMER_COLUMNS, isTakenFor, toCustomer, type CustomerRow } from '../records/store.ts'

const byUma = (platformId: Id<'platform'>, umaAddress: string): Sql =>
  sql`select ${CUSTOMER_COLUMNS} from uma_addresses u
      join customers c on c.platform_id = u.platform_id and c.id = u.customer_id
      where u.platform_id = ${platformId} and u.address = ${umaAddress} and c.uma_address = u.address
        and not c.is_deleted`

export async function findCustomerByUmaRow(
  tx: Tx,
  platformId: Id<'platform'>,
  umaAddress: string,
): Promise<Customer | undefined> {
  const row = await tx.maybe<CustomerRow>(byUma(platformId, umaAddress))
  return row && toCustomer(tx.keyring, row)
}

export async function lockCustomerByUmaRow(
  tx: Tx,
  platformId: Id<'platform'>,
  umaAddress: string,
): Promise<Customer | undefined> {
  const row = await tx.maybe<CustomerRow>(
    sql`${byUma(platformId, umaAddress)} for no key update of c`,
  )
  return row && toCustomer(tx.keyring, row)
}

const CLAIM: Columns<Customer> = {
  address: ['text', ({ umaAddress }) => umaAddress],
  customer_id: ['uuid', ({ id }) => id],
}

/** Claims the addresses that are free and were never used, and answers which; waits for concurrent claims. */
export async function claimUmaAddresses(
  tx: Tx,
  platform: Platform,
  customers: readonly Customer[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.many<{ address: string }>(
    sql`insert into uma_addresses (platform_id, address, customer_id)
        select ${platform.id}, address, customer_id
        from ${given('c', CLAIM, customers)}
        where not exists (select 1 from uma_addresses u where u.address = c.address and ${isTakenFor(platform)})
        order by address
        on conflict do nothing returning address`,
  )
  return new Set(rows.map(({ address }) => address))
}
