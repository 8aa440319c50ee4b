/**
 * The table customer_currencies, by which lists find customers of a currency. It mirrors `currencies` of a customer. The
 * time of a later change gets there by a trigger of the database, so that no writer can forget it.
 */
import type { Id } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Customer } from '../customer.ts'

type PlatformId = Id<'platform'>

export function indexCurrencies(
  tx: Tx,
  platformId: PlatformId,
  { customer, currencies }: { customer: Customer; currencies: readonly string[] },
): void {
  tx.queueWrite(
    sql`insert into customer_currencies
          (platform_id, currency, customer_type, is_deleted, created_at, customer_id, region, updated_at)
        select ${platformId}, currency, ${customer.customerType}, false, ${customer.createdAt}, ${customer.id},
          ${customer.region ?? null}, ${customer.updatedAt}
        from unnest(${currencies}::text[]) as currency`,
  )
}

export function unindexCurrencies(
  tx: Tx,
  platformId: PlatformId,
  { customer, currencies }: { customer: Customer; currencies: readonly string[] },
): void {
  tx.queueWrite(
    sql`delete from customer_currencies
        where platform_id = ${platformId} and currency = any(${currencies}::text[])
          and customer_type = ${customer.customerType} and not is_deleted and created_at = ${customer.createdAt}
          and customer_id = ${customer.id}`,
  )
}

export function markDeletedInIndex(tx: Tx, platformId: PlatformId, customer: Customer): void {
  tx.queueWrite(
    sql`update customer_currencies set is_deleted = true
        where platform_id = ${platformId} and currency = any(${customer.currencies}::text[])
          and customer_type = ${customer.customerType} and not is_deleted and created_at = ${customer.createdAt}
          and customer_id = ${customer.id}`,
  )
}
