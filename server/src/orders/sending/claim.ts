import { addMs } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'
import type { RegisteredProvider } from '../../kernel/ports.ts'
import type { Database } from '../../infra/db/database.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Order } from '../order.ts'
import { ORDER_COLUMNS, toOrder, type OrderRow } from '../store.ts'
import { LEASE_MS } from '../schedule.ts'
import { lockHealth, postponeProbe, type Health } from './health.ts'

/** An order that this process has leased. */
export type Claimed = Readonly<{
  order: Order
  dueAt: Date
  /** The provider's circuit at the time of the claim. With an open one only the probe is sent. */
  circuit: Health['circuit']
  isProbe: boolean
}>

/** The time of the order's platform at the real time `now`. */
const platformNow = (now: Date): Sql =>
  sql`${now}::timestamptz + p.clock_offset_ms * interval '1 millisecond'`

const isUnleased = (now: Date): Sql => sql`(o.leased_until is null or o.leased_until <= ${now})`

/** Finds the providers that have due orders. */
export const findDueProviders = async (tx: Tx, now: Date): Promise<Id<'provider'>[]> => {
  const rows = await tx.many<{ providerId: Id<'provider'> }>(
    sql`select r.id as provider_id from providers r where exists (
          select from provider_orders o join platforms p on p.id = o.platform_id
          where o.provider_id = r.id and o.due_at <= ${platformNow(now)} and ${isUnleased(now)}
            and (o.attempts > 0 or not o.is_held))`,
  )
  return rows.map(({ providerId }) => providerId)
}

type Claim = Readonly<{
  now: Date
  /** Restricts the claim to one platform, up to a time on its clock. */
  of?: Readonly<{ platformId: Id<'platform'>; until: Date }>
  limit?: number
}>

/**
 * Leases a provider's due orders, oldest first, up to its limit of concurrent calls (PROV-42). Locks the provider's
 * health row, so that several processes do not exceed the limit together.
 */
export const claimOrders = (
  db: Database,
  provider: RegisteredProvider,
  { now, of, limit }: Claim,
): Promise<Claimed[]> =>
  db.transaction(async (tx) => {
    const [{ circuit, tryAt }, { count }] = await Promise.all([
      lockHealth(tx, provider.id),
      tx.one<{ count: number }>(
        sql`select count(*)::int as count from provider_orders
            where provider_id = ${provider.id} and leased_until > ${now}`,
      ),
    ])
    const free = Math.min(provider.maxInFlight - count, limit ?? Infinity)
    if (free <= 0) return []
    const isProbe = circuit === 'OPEN' && (tryAt === null || tryAt <= now)
    const maySendNew = provider.status === 'ENABLED' && (circuit === 'CLOSED' || isProbe)
    const due = of
      ? sql`o.platform_id = ${of.platformId} and o.due_at <= ${of.until}`
      : sql`o.due_at <= ${platformNow(now)}`
    const claimed = await tx.many<OrderRow & Readonly<{ dueAt: Date }>>(
      sql`with due as (
            select o.platform_id, o.id, o.due_at from provider_orders o join platforms p on p.id = o.platform_id
            where o.provider_id = ${provider.id} and ${due} and ${isUnleased(now)}
              and (o.attempts > 0 or (${maySendNew} and not o.is_held))
            order by o.due_at, o.id limit ${isProbe ? 1 : free} for no key update of o skip locked
          )
          update provider_orders o set leased_until = ${addMs(now, LEASE_MS)} from due d
          where o.platform_id = d.platform_id and o.id = d.id and o.due_at is not null
          returning ${ORDER_COLUMNS}, o.due_at`,
    )
    if (isProbe && claimed.length > 0) postponeProbe(tx, provider.id, now)
    return claimed
      .toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime())
      .map(({ dueAt, ...row }) => ({
        order: toOrder(row),
        dueAt,
        circuit,
        isProbe,
      }))
  })

/** Claims an order whose lease belongs to the request that placed it. */
export const claimLeased = (db: Database, order: Order): Promise<Claimed> =>
  db.transaction(async (tx) => {
    const { circuit } = await lockHealth(tx, order.providerId)
    return { order, dueAt: order.createdAt, circuit, isProbe: false }
  })

export function releaseOrder(tx: Tx, { platformId, id }: Order): void {
  tx.queueWrite(
    sql`update provider_orders set leased_until = null where platform_id = ${platformId} and id = ${id}`,
  )
}

/** Finds the platform's earliest order that may be called for now, including one leased by another process. */
export async function findNextDue(
  tx: Tx,
  platformId: Id<'platform'>,
): Promise<Readonly<{ dueAt: Date; providerId: Id<'provider'>; id: Id<'order'> }> | undefined> {
  return tx.maybe(
    sql`select o.due_at, o.provider_id, o.id from provider_orders o
          join providers r on r.id = o.provider_id
          left join provider_health h on h.provider_id = o.provider_id
        where o.platform_id = ${platformId} and o.due_at is not null
          and (o.attempts > 0 or (r.status = 'ENABLED' and not o.is_held and h.circuit is distinct from 'OPEN'))
        order by o.due_at, o.id limit 1`,
  )
}
