/** What an id or a reference belongs to, in whichever platform: only the operator may ask. */
import type { Id, IdKind } from '../../kernel/ids.ts'
import { ofPlatforms } from '../../infra/db/list-rows.ts'
import { readPhone } from './read-typed.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { searchedTexts } from '../../features/customers/index.ts'
import { THINGS, type Thing } from '../../features/timelines/index.ts'

export type FoundLine = Readonly<{
  kind: IdKind
  id: string
  platformId: Id<'platform'>
  customerId: Id<'customer'> | null
}>

export type NamedLine = FoundLine & Readonly<{ by: 'REFERENCE' | 'EMAIL' | 'PHONE' }>

const NOBODY = sql`null::uuid`

/** The tables that a look-up reads; `job` is a background job, not an import of customers. */
const PLACES: Partial<Record<IdKind, Thing>> = {
  ...THINGS,
  order: { table: sql`provider_orders`, customer: NOBODY },
  exception: { table: sql`exceptions`, customer: NOBODY },
  job: { table: sql`jobs`, customer: NOBODY },
}

/** Resources with this uuid, of one kind or of any, in all platforms, by the primary keys of the tables. */
export async function findByUuid(
  tx: Tx,
  uuid: string,
  wanted: IdKind | undefined,
): Promise<FoundLine[]> {
  const kinds = (Object.keys(PLACES) as IdKind[]).filter(
    (kind) => wanted === undefined || kind === wanted,
  )
  const selects = kinds.flatMap((kind) => {
    const place = PLACES[kind]
    if (!place) return []
    const { table, customer, only = sql.empty } = place
    return [
      sql`select ${kind}::text as kind, id, ${customer} as customer_id from ${table}
          where platform_id = p.id and id = ${uuid} ${only}`,
    ]
  })
  const platform = sql`select 'platform' as kind, p.id, p.id as platform_id, ${NOBODY} as customer_id
    from platforms p where p.id = ${uuid}`
  if (wanted === 'platform') return tx.many<FoundLine>(platform)
  if (selects.length === 0) return []
  const others = sql`select f.kind, f.id, p.id as platform_id, f.customer_id from platforms p
    cross join lateral (${sql.join(selects, ' union all ')}) f`
  return tx.many<FoundLine>(wanted === undefined ? sql`${platform} union all ${others}` : others)
}

const NAMED_MAX = 20

/** Without an order, because the planner would then walk all transactions in that order to find the few. */
const ofTransaction = (condition: Sql): Sql =>
  sql`(select case type when 'CARD' then 'cardTransaction' else 'transaction' end as kind, id, customer_id, created_at,
        'REFERENCE' as by
      from transactions where platform_id = p.id and ${condition} limit ${NAMED_MAX})`

const ofCustomer = (by: Sql, condition: Sql): Sql =>
  sql`(select 'customer' as kind, id, id as customer_id, created_at, ${by} as by from customers
      where platform_id = p.id and ${condition} order by created_at desc, id desc limit ${NAMED_MAX})`

/**
 * Whatever is called so: a platform's own id of a customer, its e-mail address or phone number, a UMA address, a reference
 * of a payment or a refund.
 */
export const findByName = (
  tx: Tx,
  name: string,
  platformIds: readonly Id<'platform'>[] | null,
): Promise<NamedLine[]> => {
  const ids = searchedTexts(tx.keyring, 'platformCustomerId', name)
  const emails = searchedTexts(tx.keyring, 'email', name)
  const phones = searchedTexts(tx.keyring, 'phoneNumber', readPhone(name) ?? name)
  const selects = [
    ofCustomer(sql`'REFERENCE'`, sql`platform_customer_id = any(${ids}::text[])`),
    ofCustomer(sql`'EMAIL'`, sql`email is not null and lower(email) = any(${emails}::text[])`),
    ofCustomer(
      sql`'PHONE'`,
      sql`phone_number is not null and phone_number = any(${phones}::text[])`,
    ),
    ofCustomer(
      sql`'REFERENCE'`,
      sql`id in (select customer_id from uma_addresses
        where platform_id = p.id and address = ${name.toLowerCase()})`,
    ),
    ofTransaction(sql`payment_reference = ${name}`),
    ofTransaction(sql`reconciliation_reference = ${name}`),
    ofTransaction(sql`refund_reference = ${name}`),
  ]
  return tx.many<NamedLine>(
    sql`select f.kind, f.id, p.id as platform_id, f.customer_id, min(f.by) as by from platforms p
        cross join lateral (${sql.join(selects, ' union all ')}) f
        where true ${ofPlatforms(platformIds, sql`p.id`)}
        group by f.kind, f.id, p.id, f.customer_id, f.created_at
        order by f.created_at desc, f.id desc limit ${NAMED_MAX}`,
  )
}
