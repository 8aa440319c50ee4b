/**
 * The table customer_currencies, by which lists find customers of a currency. It mirrors `currencies` of a customer, with
 * what else lists ask for.
 */
import type { Id } from '../../../kernel/ids.ts'
import { sql, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Customer } from '../customer.ts'

type PlatformId = Id<'platform'>
type Some = Readonly<{ customer: Customer; currencies: readonly string[] }>

export function indexCurrencies(
  tx: Tx,
  platformId: PlatformId,
  { customer, currencies }: Some,
): void {
  tx.trail(
    sql`insert into customer_currencies
          (platform_id, currency, customer_type, is_deleted, created_at, customer_id, region, updated_at)
        select ${platformId}, currency, ${customer.customerType}, false, ${customer.createdAt}, ${customer.id},
          ${customer.region ?? null}, ${customer.updatedAt}
        from unnest(${currencies}::text[]) as currency`,
  )
}

export function unindexCurrencies(tx: Tx, platformId: PlatformId, some: Some): void {
  tx.trail(sql`delete from customer_currencies where ${rowsOf(platformId, some)}`)
}

export function indexChange(tx: Tx, platformId: PlatformId, customer: Customer): void {
  const { currencies, isDeleted, updatedAt } = customer
  tx.trail(
    sql`update customer_currencies set is_deleted = ${isDeleted}, updated_at = ${updatedAt}
        where ${rowsOf(platformId, { customer, currencies })}`,
  )
}

const rowsOf = (platformId: PlatformId, { customer, currencies }: Some): Sql =>
  sql`platform_id = ${platformId} and currency = any(${currencies}::text[])
    and customer_type = ${customer.customerType} and is_deleted = any('{false,true}') and created_at = ${customer.createdAt}
    and customer_id = ${customer.id}`
