/**
 * GET /customers: any filters, newest first, at a cost that depends neither on the depth of the page nor on the size
 * of the table (CORE-52). The filters choose the index to walk along:
 *
 *   umaAddress, platformCustomerId   the few customers that have it
 *   updatedAfter, updatedBefore      those changed in that time, where they are few
 *   currency, with or without region a range of customer_currencies
 *   region                           a range of customers_by_region
 *   none of these                    a range of customers_by_creation
 *
 * A range has one type of customer, either deleted or not; up to four are merged.
 */
import type { Id } from '../../../kernel/ids.ts'
import { sql, when, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Customer } from '../customer.ts'
import { CUSTOMER_TYPES, type CustomerStatus, type CustomerType } from '../status/machine.ts'
import { searchedTexts } from '../records/contact-store.ts'
import { CUSTOMER_COLUMNS, toCustomer, type CustomerRow } from '../records/store.ts'
import { ofPlatforms } from '../../../infra/db/list-rows.ts'

export type ListFilters = Readonly<{
  platformCustomerId?: string | undefined
  customerType?: CustomerType | undefined
  region?: string | undefined
  currency?: string | undefined
  umaAddress?: string | undefined
  createdAfter?: Date | undefined
  createdBefore?: Date | undefined
  updatedAfter?: Date | undefined
  updatedBefore?: Date | undefined
  /** For the operator alone. */
  status?: CustomerStatus | undefined
  isIncludingDeleted: boolean
}>

export type Place = Readonly<{ createdAt: Date; id: Id<'customer'> }>

/** One platform, or the column of the platform in a query across platforms. */
type PlatformRef = Id<'platform'> | Sql

/** Selects `{id, created_at}` of a part of the list, in order, after a place, up to a number of rows. */
type Part = (options: { after?: Place | undefined; limit: number }) => Sql

/** Up to this many changed customers are fetched first; where there are more, walking the list meets them soon. */
const CHANGED_FEW_MAX = 5_000

const since = (column: Sql, instant: Date | undefined): Sql[] =>
  instant ? [sql`${column} >= ${instant}`] : []

const until = (column: Sql, instant: Date | undefined): Sql[] =>
  instant ? [sql`${column} < ${instant}`] : []

const equal = (column: Sql, value: unknown): Sql[] =>
  value === undefined ? [] : [sql`${column} = ${value}`]

/** A customer changes after its creation, so an upper bound on the change also bounds the creation. */
function createdWithin({ createdAfter, createdBefore, updatedBefore }: ListFilters): Sql[] {
  const created = sql`created_at`
  const before = [createdBefore, updatedBefore].filter((instant) => instant !== undefined)
  return [...since(created, createdAfter), ...before.flatMap((instant) => until(created, instant))]
}

const updatedWithin = ({ updatedAfter, updatedBefore }: ListFilters): Sql[] => [
  ...since(sql`updated_at`, updatedAfter),
  ...until(sql`updated_at`, updatedBefore),
]

/** Only deleted customers can be erased. */
const UNERASED = sql`erased_at is null`

const hasUpdateFilter = ({ updatedAfter, updatedBefore }: ListFilters): boolean =>
  updatedAfter !== undefined || updatedBefore !== undefined

const partOf =
  ({ from, id, conditions }: { from: Sql; id: Sql; conditions: readonly Sql[] }): Part =>
  ({ after, limit }) => {
    const beyond = after ? [sql`(created_at, ${id}) < (${after.createdAt}, ${after.id})`] : []
    return sql`(select ${id} as id, created_at from ${from} where ${sql.and([...conditions, ...beyond])}
      order by created_at desc, ${id} desc limit ${limit})`
  }

/** Fetches a few customers and applies every other filter to them. */
function fewPart(platformId: PlatformRef, filters: ListFilters, few: Sql): Part {
  const { currency } = filters
  const conditions = [
    ...equal(sql`customer_type`, filters.customerType),
    ...equal(sql`region`, filters.region),
    ...when(currency, (code) => sql`${code} = any(currencies)`),
    filters.isIncludingDeleted ? UNERASED : sql`not is_deleted`,
    ...createdWithin(filters),
    ...updatedWithin(filters),
  ]
  // The offset keeps the planner from walking along all customers in search of the few.
  const from = sql`(select * from customers where platform_id = ${platformId} and ${few} offset 0) few`
  return partOf({ from, id: sql`id`, conditions })
}

/** A former address matches no customer (CUST-41). */
const holdsUmaAddress = (platformId: PlatformRef, address: string): Sql =>
  sql`uma_address = ${address} and id = (select customer_id from uma_addresses
      where platform_id = ${platformId} and address = ${address})`

const changed = (platformId: Id<'platform'>, filters: ListFilters): Sql =>
  sql`select id from customers where ${sql.and([
    sql`platform_id = ${platformId}`,
    ...updatedWithin(filters),
  ])} limit ${CHANGED_FEW_MAX + 1}`

type Range = Readonly<{ customerType: CustomerType; isDeleted: boolean }>

function rangesOf({ customerType, isIncludingDeleted }: ListFilters): Range[] {
  const types = customerType ? [customerType] : CUSTOMER_TYPES
  const deletions = isIncludingDeleted ? [false, true] : [false]
  return types.flatMap((type) => deletions.map((isDeleted) => ({ customerType: type, isDeleted })))
}

function rangePart(platformId: PlatformRef, filters: ListFilters, range: Range): Part {
  const { currency, region } = filters
  const conditions = [
    sql`platform_id = ${platformId}`,
    ...equal(sql`currency`, currency),
    ...equal(sql`region`, region),
    sql`customer_type = ${range.customerType}`,
    sql`is_deleted = ${range.isDeleted}`,
    ...createdWithin(filters),
    ...updatedWithin(filters),
  ]
  if (currency !== undefined)
    return partOf({ from: sql`customer_currencies`, id: sql`customer_id`, conditions })
  const further = [...(range.isDeleted ? [UNERASED] : []), ...equal(sql`status`, filters.status)]
  return partOf({ from: sql`customers`, id: sql`id`, conditions: [...conditions, ...further] })
}

/** Chooses the parts whose union is the list. */
export async function findParts(
  tx: Tx,
  platformId: Id<'platform'>,
  filters: ListFilters,
): Promise<readonly Part[]> {
  const { umaAddress, platformCustomerId } = filters
  const named = [
    ...(umaAddress === undefined ? [] : [holdsUmaAddress(platformId, umaAddress)]),
    ...(platformCustomerId === undefined
      ? []
      : [
          sql`platform_customer_id = any(${searchedTexts(tx.keyring, 'platformCustomerId', platformCustomerId)}::text[])`,
        ]),
  ]
  if (named.length > 0) return [fewPart(platformId, filters, sql.and(named))]
  if (hasUpdateFilter(filters) && (await isChangedFew(tx, platformId, filters)))
    return [fewPart(platformId, filters, sql`id = any(array(${changed(platformId, filters)}))`)]
  return rangesOf(filters).map((range) => rangePart(platformId, filters, range))
}

async function isChangedFew(
  tx: Tx,
  platformId: Id<'platform'>,
  filters: ListFilters,
): Promise<boolean> {
  const { count } = await tx.one<{ count: bigint }>(
    sql`select count(*) from (${changed(platformId, filters)}) found`,
  )
  return count <= CHANGED_FEW_MAX
}

export async function listCustomerRows(
  tx: Tx,
  platformId: Id<'platform'>,
  { parts, after, limit }: { parts: readonly Part[]; after: Place | undefined; limit: number },
): Promise<Customer[]> {
  const keys = sql.join(
    parts.map((part) => part({ after, limit })),
    ' union all ',
  )
  const rows = await tx.many<CustomerRow>(
    sql`select ${CUSTOMER_COLUMNS}
        from (select id from (${keys}) keys order by created_at desc, id desc limit ${limit}) page
        join customers c on c.platform_id = ${platformId} and c.id = page.id
        order by c.created_at desc, c.id desc`,
  )
  return rows.map((row) => toCustomer(tx.keyring, row))
}

const UNDECIDED: readonly unknown[] = ['PENDING', 'HOLD']

/** Undecided customers are few and have their own index; other statuses are filtered while walking. */
function partsOfAll(filters: ListFilters): readonly Part[] {
  const { status } = filters
  const at = sql`p.id`
  if (status !== undefined && UNDECIDED.includes(status))
    return [fewPart(at, filters, sql`status = ${sql.word(status)} and not is_deleted`)]
  return rangesOf(filters).map((range) => rangePart(at, filters, range))
}

export type OwnedCustomer = Readonly<{ platformId: Id<'platform'>; customer: Customer }>

/** For the operator: customers of some platforms or of all, newest first. Each platform contributes a page. */
export async function listCustomersOfAll(
  tx: Tx,
  platformIds: readonly Id<'platform'>[] | null,
  page: Readonly<{
    filters: Pick<ListFilters, 'status' | 'customerType'>
    after: Place | undefined
    limit: number
  }>,
): Promise<OwnedCustomer[]> {
  const { after, limit } = page
  const keys = sql.join(
    partsOfAll({ ...page.filters, isIncludingDeleted: false }).map((part) =>
      part({ after, limit }),
    ),
    ' union all ',
  )
  const rows = await tx.many<CustomerRow & Readonly<{ platformId: Id<'platform'> }>>(
    sql`select c.platform_id, ${CUSTOMER_COLUMNS}
        from (
          select p.id as platform_id, k.id from platforms p cross join lateral (${keys}) k
          where true ${ofPlatforms(platformIds, sql`p.id`)}
          order by k.created_at desc, k.id desc limit ${limit}
        ) page
        join customers c on c.platform_id = page.platform_id and c.id = page.id
        order by c.created_at desc, c.id desc`,
  )
  return rows.map(({ platformId: of, ...row }) => ({
    platformId: of,
    customer: toCustomer(tx.keyring, row),
  }))
}

/** Those whose data may be erased by now, longest first: ended as many years ago by their platform's clock (OPER-70). */
export async function listErasableCustomers(
  tx: Tx,
  {
    platformIds = null,
    now,
    years,
    limit,
  }: Readonly<{
    platformIds?: readonly Id<'platform'>[] | null
    now: Date
    years: number
    limit: number
  }>,
): Promise<OwnedCustomer[]> {
  const rows = await tx.many<CustomerRow & Readonly<{ platformId: Id<'platform'> }>>(
    sql`select c.platform_id, ${CUSTOMER_COLUMNS} from customers c
          join platforms p on p.id = c.platform_id
          cross join lateral (select case when c.is_deleted then c.updated_at
            else coalesce(c.status_changed_at, c.updated_at) end as at) ended
        where (c.is_deleted or c.status = 'REJECTED') and c.erased_at is null and c.legal_hold_since is null
          ${ofPlatforms(platformIds, sql`c.platform_id`)}
          and ended.at + make_interval(years => ${years}) <= ${now}::timestamptz + p.clock_offset_ms * interval '1 ms'
        order by ended.at, c.id limit ${limit}`,
  )
  return rows.map(({ platformId: of, ...row }) => ({
    platformId: of,
    customer: toCustomer(tx.keyring, row),
  }))
}

/** Counts up to `max` over all parts. */
export async function countCustomers(
  tx: Tx,
  { parts, max }: { parts: readonly Part[]; max: number },
): Promise<number> {
  const keys = sql.join(
    parts.map((part) => part({ limit: max })),
    ' union all ',
  )
  const { count } = await tx.one<{ count: number }>(
    sql`select count(*)::integer as count from (select 1 from (${keys}) keys limit ${max}) counted`,
  )
  return count
}
