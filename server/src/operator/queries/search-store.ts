/** Searches across platforms, for operators only (OPER-112). */
import type { Id, IdKind } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money/currency.ts'
import { ofPlatforms } from '../../infra/db/list-rows.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'

export type Hit = Readonly<{
  kind: IdKind
  id: string
  platformId: Id<'platform'>
  customerId: Id<'customer'> | null
  /** The value that matched, for display: a name, an address, an amount. */
  title: string | null
}>

/** How many of a kind are shown. */
const HITS_MAX = 20

/** The name as it is indexed; null where there is none, or where it is sealed. */
const CUSTOMER_NAME = sql`lower(coalesce(profile ->> 'fullName', profile -> 'businessInfo' ->> 'legalName'))`
const TITLE = sql`coalesce(profile ->> 'fullName', profile -> 'businessInfo' ->> 'legalName')`

type Platforms = readonly Id<'platform'>[] | null

/** Whether names can be found by their trigrams. */
export async function hasTrigrams(tx: Tx): Promise<boolean> {
  const { found } = await tx.one<{ found: boolean }>(
    sql`select to_regclass('customers_by_name') is not null as found`,
  )
  return found
}

/** The share of a name's trigrams that has to be the same; the default of 0.6 misses one typo in a short name. */
const SIMILARITY_MIN = '0.5'

/** For the transaction. */
export async function allowTypos(tx: Tx): Promise<void> {
  await tx.run(sql`select set_config('pg_trgm.word_similarity_threshold', ${SIMILARITY_MIN}, true)`)
}

/** In a pattern these stand for any text. */
const literal = (text: string): string => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)

/** How a name matches the text: it contains it, begins with it, or has similar trigrams. */
export type Way = 'contains' | 'begins' | 'resembles'

function matches(column: Sql, text: string, way: Way): Sql {
  if (way === 'resembles') return sql`${text} <% ${column}`
  return sql`${column} like ${way === 'contains' ? `%${literal(text)}%` : `${literal(text)}%`}`
}

/** Only this many matches are read and then sorted, so that a common name does not read the whole table. */
const FEW = 200

type Named = Readonly<{ text: string; way: Way; platformIds: Platforms }>

/** The names that are nearest first. */
const nearest = (column: Sql, { text, way }: Named): Sql =>
  way === 'resembles'
    ? sql`word_similarity(${text}, ${column}) desc`
    : sql`${column} = ${text} desc`

export const findCustomersByName = (tx: Tx, named: Named): Promise<Hit[]> =>
  tx.many<Hit>(
    sql`select 'customer' as kind, id, platform_id, id as customer_id, ${TITLE} as title
        from (select platform_id, id, profile, created_at from customers
          where ${matches(CUSTOMER_NAME, named.text, named.way)} ${ofPlatforms(named.platformIds, sql`platform_id`)}
          limit ${FEW}) c
        order by ${nearest(CUSTOMER_NAME, named)}, created_at desc, id desc limit ${HITS_MAX}`,
  )

export const findAgentsByName = (tx: Tx, named: Named): Promise<Hit[]> =>
  tx.many<Hit>(
    sql`select 'agent' as kind, id, platform_id, customer_id, name as title
        from (select platform_id, id, customer_id, name, created_at from agents
          where deleted_at is null and ${matches(sql`lower(name)`, named.text, named.way)}
            ${ofPlatforms(named.platformIds, sql`platform_id`)}
          limit ${FEW}) a
        order by ${nearest(sql`lower(name)`, named)}, created_at desc, id desc limit ${HITS_MAX}`,
  )

/** The newest payments to accounts whose holder was verified under this name. */
export const findPaymentsByBeneficiary = (tx: Tx, named: Named): Promise<Hit[]> =>
  tx.many<Hit>(
    sql`select 'transaction' as kind, t.id, a.platform_id, t.customer_id, a.beneficiary_verified_name as title
        from (select platform_id, id, beneficiary_verified_name from external_accounts
          where beneficiary_verified_name is not null
            and ${matches(sql`lower(beneficiary_verified_name)`, named.text, named.way)}
            ${ofPlatforms(named.platformIds, sql`platform_id`)}
          limit ${FEW}) a
        cross join lateral (
          select id, customer_id, created_at from transactions
          where platform_id = a.platform_id and destination_identifier = 'ExternalAccount:' || a.id
          order by created_at desc, id desc limit ${HITS_MAX}) t
        order by t.created_at desc, t.id desc limit ${HITS_MAX}`,
  )

export const findCustomersByIdEnd = (tx: Tx, end: string, platformIds: Platforms): Promise<Hit[]> =>
  tx.many<Hit>(
    sql`select 'customer' as kind, id, platform_id, id as customer_id, ${TITLE} as title from customers
        where right(id::text, 8) = ${end} ${ofPlatforms(platformIds, sql`platform_id`)} limit ${HITS_MAX}`,
  )

export const findCardsByLast4 = (tx: Tx, last4: string, platformIds: Platforms): Promise<Hit[]> =>
  tx.many<Hit>(
    sql`select 'card' as kind, id, platform_id, customer_id, brand || ' •••• ' || last4 as title from cards
        where last4 = ${last4} ${ofPlatforms(platformIds, sql`platform_id`)}
        order by created_at desc, id desc limit ${HITS_MAX}`,
  )

/** So many of the newest payments are read where no index leads to them, shared out between the platforms. */
const NEWEST_MAX = 50_000

/** The share of each platform. */
const SHARE = sql`greatest(500, ${NEWEST_MAX} / greatest(1, (select count(*)::int from platforms)))`

const newestWhere = (tx: Tx, condition: Sql, title: Sql, platformIds: Platforms): Promise<Hit[]> =>
  tx.many<Hit>(
    sql`select case t.type when 'CARD' then 'cardTransaction' else 'transaction' end as kind, t.id, t.platform_id,
          t.customer_id, ${title} as title
        from platforms p cross join lateral (
          select platform_id, id, type, customer_id, created_at, sent_amount, sent_currency, received_amount,
            received_currency
          from transactions where platform_id = p.id order by created_at desc, id desc limit ${SHARE}) t
        where ${condition} ${ofPlatforms(platformIds, sql`p.id`)}
        order by t.created_at desc, t.id desc limit ${HITS_MAX}`,
  )

export type ExactAmount = Readonly<{ amount: bigint; currency: Currency['code'] }>

/** What was sent or received, among the newest payments. */
export const findPaymentsByAmount = (
  tx: Tx,
  asked: readonly ExactAmount[],
  platformIds: Platforms,
): Promise<Hit[]> => {
  const amounts = [...new Set(asked.map(({ amount }) => amount))]
  const pairs = asked.map(({ amount, currency }) => `${amount} ${currency}`)
  const sent = sql`sent_amount || ' ' || sent_currency`
  const received = sql`received_amount || ' ' || received_currency`
  return newestWhere(
    tx,
    sql`((t.sent_amount = any(${amounts}::bigint[]) and ${sent} = any(${pairs}::text[]))
      or (t.received_amount = any(${amounts}::bigint[]) and ${received} = any(${pairs}::text[])))`,
    sql`case when ${sent} = any(${pairs}::text[]) then ${sent} else ${received} end`,
    platformIds,
  )
}

export const findPaymentsByIdEnd = (tx: Tx, end: string, platformIds: Platforms) =>
  newestWhere(tx, sql`right(t.id::text, 8) = ${end}`, sql`null::text`, platformIds)
