import type { Id } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Customer } from '../customer.ts'
import { CUSTOMER_COLUMNS, toCustomer, type CustomerRow } from '../records/store.ts'

/** Whether any active customer follows the platform's list of currencies. */
export async function hasFollowers(tx: Tx, platformId: Id<'platform'>): Promise<boolean> {
  const { found } = await tx.one<{ found: boolean }>(
    sql`select exists (select 1 from customers
          where platform_id = ${platformId} and not currencies_explicit and not is_deleted) as found`,
  )
  return found
}

/** Sorts before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000'

export type Follower = Readonly<{ customer: Customer; added: readonly string[] }>

export type Appending = Readonly<{
  currencies: readonly string[]
  after: Id<'customer'> | null
  limit: number
  now: Date
}>

/** Appends currencies to the next followers by id and answers which each of them gained; some may gain none. */
export async function appendCurrencies(
  tx: Tx,
  platformId: Id<'platform'>,
  { currencies, after, limit, now }: Appending,
): Promise<Follower[]> {
  const rows = await tx.many<CustomerRow & { added: string[] }>(
    sql`with followers as (
          select id, array(select code from unnest(${currencies}::text[]) with ordinality as new(code, n)
                           where code <> all(c.currencies) order by n) as added
          from customers c
          where platform_id = ${platformId} and not currencies_explicit and not is_deleted
            and id > ${after ?? FIRST}
          order by id limit ${limit} for no key update
        ), appended as (
          update customers c set currencies = c.currencies || f.added, updated_at = ${now}
          from followers f where c.platform_id = ${platformId} and c.id = f.id and cardinality(f.added) > 0
          returning c.platform_id, ${CUSTOMER_COLUMNS}
        ), listed as (
          insert into customer_currencies
            (platform_id, currency, customer_type, is_deleted, created_at, customer_id, region, updated_at)
          select a.platform_id, code, a.customer_type, false, a.created_at, a.id, a.region, a.updated_at
          from appended a join followers f on f.id = a.id cross join lateral unnest(f.added) as code
        )
        select ${CUSTOMER_COLUMNS}, f.added from customers c join followers f on f.id = c.id
        where c.platform_id = ${platformId} order by c.id`,
  )
  return rows.map(({ added, ...row }) => ({ customer: toCustomer(tx.keyring, row), added }))
}
