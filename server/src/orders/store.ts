import { fail } from '../kernel/errors.ts'
import type { AmountFilter, Period, Place } from '../kernel/page.ts'
import { afterPlace, inPeriod, inRange, ofPlatforms } from '../infra/db/list-rows.ts'
import type { Id } from '../kernel/ids.ts'
import type { Environment } from '../kernel/platform.ts'
import { sql, type Sql } from '../infra/db/statement/sql.ts'
import type { Tx } from '../infra/db/tx.ts'
import type { Work } from '../infra/work/work.ts'
import { seal, unseal, type Keyring } from '../crypto/seal.ts'
import { OPEN_STATES, type Order, type OrderType } from './order.ts'
import { isPastSending } from './schedule.ts'

export type OrderRow = Omit<Order, 'money'> &
  Readonly<{ amount: bigint | null; currency: string | null }>

export const ORDER_COLUMNS = sql`o.platform_id, o.id, o.provider_id, o.type, o.transaction_id, o.subject, o.request,
  o.sealed_secret is not null as has_secret, o.amount, o.currency, o.own_reference, o.state, o.failure_reason, o.reference, o.created_at, o.execute_at, o.expected_at,
  o.is_instant, o.is_held, o.attempts, o.asks, o.last_attempt_at, o.expires_at, o.last_error, o.asks_first, o.asking_since,
  o.never_heard_at, o.gap_since, o.next_at, o.cancel_asked_at, o.cancel_attempts, o.cancel_next_at, o.sequence,
  o.settled_amount, o.returned_amount, o.credited_amount, o.lost_funding, o.proofs, o.outside_fees`

export function toOrder({ amount, currency, ...row }: OrderRow): Order {
  const money = amount === null || currency === null ? undefined : { amount, currency }
  return { ...row, money }
}

const OPEN = sql`o.state = any(${[...OPEN_STATES]})`

/** Of any platform: the operator and the order's provider know it by its id alone. */
export async function findOrder(tx: Tx, id: Id<'order'>): Promise<Order | undefined> {
  const row = await tx.maybe<OrderRow>(
    sql`select ${ORDER_COLUMNS} from provider_orders o where o.id = ${id}`,
  )
  return row && toOrder(row)
}

/** Whether one of these orders is the provider's. */
export async function hasOrderAmong(
  tx: Tx,
  providerId: Id<'provider'>,
  ids: readonly Id<'order'>[],
): Promise<boolean> {
  const { found } = await tx.one<{ found: boolean }>(
    sql`select exists (select from provider_orders where provider_id = ${providerId} and id = any(${ids}::uuid[])) as found`,
  )
  return found
}

/** Callers have locked what the order is about. */
export async function lockOrder(
  tx: Tx,
  platformId: Id<'platform'>,
  id: Id<'order'>,
): Promise<Order | undefined> {
  const row = await tx.maybe<OrderRow>(
    sql`select ${ORDER_COLUMNS} from provider_orders o where o.platform_id = ${platformId} and o.id = ${id}
        for no key update`,
  )
  return row && toOrder(row)
}

type OfTransaction = Readonly<{ platformId: Id<'platform'>; transactionId: Id<'transaction'> }>

const ofTransaction = ({ platformId, transactionId }: OfTransaction): Sql =>
  sql`o.platform_id = ${platformId} and o.transaction_id = ${transactionId}`

/** The order of a payment that has not ended yet; callers hold the payment's lock. */
export async function lockOpenOrder(tx: Tx, of: OfTransaction): Promise<Order | undefined> {
  const row = await tx.maybe<OrderRow>(
    sql`select ${ORDER_COLUMNS} from provider_orders o where ${ofTransaction(of)} and ${OPEN} for no key update`,
  )
  return row && toOrder(row)
}

/** The payout of a payment, in whatever state; callers hold the payment's lock. */
export async function lockPayoutOf(tx: Tx, of: OfTransaction): Promise<Order | undefined> {
  const row = await tx.maybe<OrderRow>(
    sql`select ${ORDER_COLUMNS} from provider_orders o where ${ofTransaction(of)} and o.type = 'PAYOUT'
        order by o.created_at desc, o.id desc limit 1 for no key update`,
  )
  return row && toOrder(row)
}

type SettledPayouts = Readonly<{
  /** As the service wrote them on the payments (PROV-41). */
  ownReferences: readonly string[]
  environment: Environment
  /** Null: all of the environment. */
  platformIds: readonly Id<'platform'>[] | null
}>

/** A payout that was settled, by what was written on it. */
export async function findSettledPayout(
  tx: Tx,
  { ownReferences, environment, platformIds }: SettledPayouts,
): Promise<Order | undefined> {
  if (ownReferences.length === 0) return undefined
  const [row] = await tx.many<OrderRow>(
    sql`select ${ORDER_COLUMNS} from provider_orders o
        join platforms p on p.id = o.platform_id and p.environment = ${environment}
          and (${platformIds}::uuid[] is null or p.id = any(${platformIds}::uuid[]))
        where o.own_reference = any(${ownReferences}::text[]) and o.type = 'PAYOUT' and o.state = 'SETTLED'
        order by o.id limit 1`,
  )
  return row && toOrder(row)
}

/** Of one payment, in the order of placing. */
export async function listOrdersOf(tx: Tx, of: OfTransaction): Promise<Order[]> {
  const rows = await tx.many<OrderRow>(
    sql`select ${ORDER_COLUMNS} from provider_orders o where ${ofTransaction(of)} order by o.created_at, o.id`,
  )
  return rows.map(toOrder)
}

type OfSubject = Readonly<{ platformId: Id<'platform'>; type: OrderType; subject: string }>

/** The newest order about something other than a payment; callers hold the subject's lock. */
export async function lockLatestOrder(tx: Tx, of: OfSubject): Promise<Order | undefined> {
  const { platformId, type, subject } = of
  const row = await tx.maybe<OrderRow>(
    sql`select ${ORDER_COLUMNS} from provider_orders o
        where o.platform_id = ${platformId} and o.subject = ${subject} and o.type = ${type}
        order by o.created_at desc, o.id desc limit 1 for no key update`,
  )
  return row && toOrder(row)
}

/** The payments of `payment` that a provider is at, for statements about payments. */
export const hasOpenOrder = (payment: Sql): Sql =>
  sql`exists (select from provider_orders asked where asked.platform_id = ${payment}.platform_id
        and asked.transaction_id = ${payment}.id and asked.state = any(${[...OPEN_STATES]}))`

/** Whether its bytes may still go out: nothing was heard of it, and its window is open. */
const isSendable = (order: Order, now: Date): boolean =>
  order.state === 'QUEUED' || (order.state === 'UNKNOWN' && !isPastSending(order, now))

/** What a change leaves of an order. Queued for the commit; the caller holds its lock. */
export function saveOrder(tx: Tx, order: Order, now: Date): void {
  tx.queueWrite(
    sql`update provider_orders set state = ${order.state}, failure_reason = ${order.failureReason},
          reference = ${order.reference}, expected_at = ${order.expectedAt}, is_held = ${order.isHeld},
          attempts = ${order.attempts}, asks = ${order.asks}, last_attempt_at = ${order.lastAttemptAt},
          expires_at = ${order.expiresAt}, last_error = ${order.lastError}, asks_first = ${order.asksFirst}, asking_since = ${order.askingSince},
          never_heard_at = ${order.neverHeardAt}, gap_since = ${order.gapSince}, next_at = ${order.nextAt},
          cancel_asked_at = ${order.cancelAskedAt}, cancel_attempts = ${order.cancelAttempts},
          cancel_next_at = ${order.cancelNextAt}, sequence = ${order.sequence},
          settled_amount = ${order.settledAmount}, returned_amount = ${order.returnedAmount},
          credited_amount = ${order.creditedAmount},
          proofs = ${order.proofs && sql.json(order.proofs)}, outside_fees = ${sql.json(order.outsideFees)},
          sealed_secret = case when ${isSendable(order, now)} then sealed_secret end, updated_at = ${now}
        where platform_id = ${order.platformId} and id = ${order.id}`,
  )
}

/**
 * What was not answered when the backup was made may have been sent since, so that it counts as sent until its provider
 * has said otherwise (OPER-93). `expires_at` is missing where it was not sent by then.
 */
export async function askBeforeSending(tx: Tx, now: Date): Promise<void> {
  await tx.run(
    sql`update provider_orders o set asks_first = true, state = 'UNKNOWN', attempts = greatest(o.attempts, 1),
          next_at = ${now}::timestamptz + p.clock_offset_ms * interval '1 millisecond', leased_until = null
        from platforms p where p.id = o.platform_id and o.state in ('QUEUED', 'UNKNOWN')`,
  )
}

const BODY_PURPOSE = 'order-body'

/** Fixes the bytes of an order for good, before they are sent for the first time. */
export function saveBody(
  { tx, keyring }: Readonly<{ tx: Tx; keyring: Keyring }>,
  { platformId, id }: Order,
  body: string,
): void {
  tx.queueWrite(
    sql`update provider_orders set body = ${seal(keyring, BODY_PURPOSE, body, id)}
        where platform_id = ${platformId} and id = ${id} and body is null`,
  )
}

export async function readBody(
  { tx, keyring }: Readonly<{ tx: Tx; keyring: Keyring }>,
  { platformId, id }: Pick<Order, 'platformId' | 'id'>,
): Promise<string> {
  const { body } = await tx.one<{ body: Buffer }>(
    sql`select body from provider_orders
        where platform_id = ${platformId} and id = ${id} and body is not null`,
  )
  return unseal(keyring, BODY_PURPOSE, body, id).toString('utf8')
}

/** Moves an order that was never sent to another provider. */
export async function moveToProvider(
  { tx, now }: Pick<Work, 'tx' | 'now'>,
  { platformId, id }: Order,
  providerId: Id<'provider'>,
): Promise<void> {
  const moved = await tx.run(
    sql`update provider_orders set provider_id = ${providerId}, updated_at = ${now}
        where platform_id = ${platformId} and id = ${id} and state = 'QUEUED' and attempts = 0`,
  )
  if (moved === 0) fail('CONFLICT', { reason: 'ALREADY_SENT' })
}

export type OrderFilters = Readonly<{
  platformIds: readonly Id<'platform'>[] | null
  providerId: Id<'provider'> | null
  transactionId: Id<'transaction'> | null
  state: string | null
  period: Period
  amount: AmountFilter | undefined
  isOpen: boolean
  isNewestFirst: boolean
  after: Place | null
  limit: number
}>

/** What decides why an order waits. */
type Circumstances = Readonly<{
  isCircuitOpen: boolean
  hasException: boolean
  clockOffsetMs: number
}>

export type ListedOrder = Order & Circumstances

const CIRCUMSTANCES = sql`(select p.clock_offset_ms::float8 from platforms p where p.id = o.platform_id) as clock_offset_ms,
  exists (select from provider_health h
    where h.provider_id = o.provider_id and h.circuit = 'OPEN') as is_circuit_open,
  exists (select from exceptions e where e.platform_id = o.platform_id and e.order_id = o.id and e.status = 'OPEN')
    as has_exception`

type ListedRow = OrderRow & Circumstances

const toListed = ({
  isCircuitOpen,
  hasException,
  clockOffsetMs,
  ...row
}: ListedRow): ListedOrder => ({ ...toOrder(row), isCircuitOpen, hasException, clockOffsetMs })

/** New ones are found by their ids, which rise with time: no index has the time alone. */
const placed = ({ isNewestFirst, after }: OrderFilters): Readonly<{ rest: Sql; order: Sql }> =>
  isNewestFirst
    ? { rest: after ? sql`and o.id < ${after.id}` : sql.empty, order: sql`o.id desc` }
    : { rest: afterPlace(after, sql`o.created_at, o.id`), order: sql`o.created_at, o.id` }

/** Across platforms: only the operator may ask. */
export async function listOrders(tx: Tx, filters: OrderFilters): Promise<ListedOrder[]> {
  const { platformIds, providerId, transactionId, state, period, amount, limit } = filters
  const { rest, order } = placed(filters)
  const narrowed = [
    sql`true`,
    ...inPeriod(period, sql`o.created_at`),
    ...inRange(amount, { amount: sql`o.amount`, currency: sql`o.currency` }),
  ]
  const rows = await tx.many<ListedRow>(
    sql`select ${ORDER_COLUMNS}, ${CIRCUMSTANCES} from provider_orders o
        where ${sql.and(narrowed)} ${ofPlatforms(platformIds, sql`o.platform_id`)}
          ${providerId === null ? sql.empty : sql`and o.provider_id = ${providerId}`}
          ${transactionId === null ? sql.empty : sql`and o.transaction_id = ${transactionId}`}
          ${state === null ? sql.empty : sql`and o.state = ${state}`}
          ${filters.isOpen ? sql`and ${OPEN}` : sql.empty} ${rest}
        order by ${order} limit ${limit}`,
  )
  return rows.map(toListed)
}

export async function findListedOrder(tx: Tx, id: Id<'order'>): Promise<ListedOrder | undefined> {
  const row = await tx.maybe<ListedRow>(
    sql`select ${ORDER_COLUMNS}, ${CIRCUMSTANCES} from provider_orders o where o.id = ${id}`,
  )
  return row && toListed(row)
}

type FeeSum = Readonly<{ currency: string; amount: bigint }>

/** What a provider charged for orders that changed since then, by currency (PROV-69). */
export const sumOutsideFees = (
  tx: Tx,
  providerId: Id<'provider'>,
  since: Date,
): Promise<FeeSum[]> =>
  tx.many<FeeSum>(
    sql`select fee.currency, sum(fee.amount)::bigint as amount from provider_orders o
          cross join lateral jsonb_to_recordset(o.outside_fees) as fee (currency text, amount bigint)
        where o.provider_id = ${providerId} and o.updated_at >= ${since} group by fee.currency order by fee.currency`,
  )

/** Of a provider that is to be removed; one that a report is missing of is not done with either. */
export const countOpenOrders = async (tx: Tx, providerId: Id<'provider'>): Promise<number> => {
  const { count } = await tx.one<{ count: number }>(
    sql`select ((select count(*) from provider_orders o where o.provider_id = ${providerId}
            and (${OPEN} or (o.due_at is not null and o.gap_since is not null)))
          + (select count(*) from exceptions e where e.provider_id = ${providerId} and e.status = 'OPEN'))::int as count`,
  )
  return count
}
