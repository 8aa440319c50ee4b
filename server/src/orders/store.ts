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

/** Finds an order of any platform: operators and providers know it by its id alone. */
export async function findOrder(tx: Tx, id: Id<'order'>): Promise<Order | undefined> {
  const row = await tx.maybe<OrderRow>(
    sql`select ${ORDER_COLUMNS} from provider_orders o where o.id = ${id}`,
  )
  return row && toOrder(row)
}

/** Whether at least one of these orders belongs to the provider. */
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

/** The caller has locked the subject of the order. */
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

/** Locks the open order of a payment. The caller holds the payment's lock. */
export async function lockOpenOrder(tx: Tx, of: OfTransaction): Promise<Order | undefined> {
  const row = await tx.maybe<OrderRow>(
    sql`select ${ORDER_COLUMNS} from provider_orders o where ${ofTransaction(of)} and ${OPEN} for no key update`,
  )
  return row && toOrder(row)
}

/** Locks the latest payout order of a payment, in any state. The caller holds the payment's lock. */
export async function lockPayoutOf(tx: Tx, of: OfTransaction): Promise<Order | undefined> {
  const row = await tx.maybe<OrderRow>(
    sql`select ${ORDER_COLUMNS} from provider_orders o where ${ofTransaction(of)} and o.type = 'PAYOUT'
        order by o.created_at desc, o.id desc limit 1 for no key update`,
  )
  return row && toOrder(row)
}

type SettledPayouts = Readonly<{
  /** References that the service put on the payouts (PROV-41). */
  ownReferences: readonly string[]
  environment: Environment
  /** Null means all platforms of the environment. */
  platformIds: readonly Id<'platform'>[] | null
}>

/** Finds a settled payout by the reference that the service put on it. */
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

/** Lists the orders of one payment, oldest first. */
export async function listOrdersOf(tx: Tx, of: OfTransaction): Promise<Order[]> {
  const rows = await tx.many<OrderRow>(
    sql`select ${ORDER_COLUMNS} from provider_orders o where ${ofTransaction(of)} order by o.created_at, o.id`,
  )
  return rows.map(toOrder)
}

type OfSubject = Readonly<{ platformId: Id<'platform'>; type: OrderType; subject: string }>

/** Locks the newest order about a subject that is no payment. The caller holds the subject's lock. */
export async function lockLatestOrder(tx: Tx, of: OfSubject): Promise<Order | undefined> {
  const { platformId, type, subject } = of
  const row = await tx.maybe<OrderRow>(
    sql`select ${ORDER_COLUMNS} from provider_orders o
        where o.platform_id = ${platformId} and o.subject = ${subject} and o.type = ${type}
        order by o.created_at desc, o.id desc limit 1 for no key update`,
  )
  return row && toOrder(row)
}

/** A condition for statements about payments: a provider still works on the payment. */
export const hasOpenOrder = (payment: Sql): Sql =>
  sql`exists (select from provider_orders asked where asked.platform_id = ${payment}.platform_id
        and asked.transaction_id = ${payment}.id and asked.state = any(${[...OPEN_STATES]}))`

/** Whether the order may still be sent: the provider has not answered, and the window is open. */
const isSendable = (order: Order, now: Date): boolean =>
  order.state === 'QUEUED' || (order.state === 'UNKNOWN' && !isPastSending(order, now))

/** Queues the update for the commit. The caller holds the order's lock. */
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
 * After a restore: an order that was unanswered at the time of the backup may have been sent since, so it counts as sent
 * until its provider says otherwise (OPER-93). `expires_at` is null where the backup knows of no attempt.
 */
export async function askBeforeSending(tx: Tx, now: Date): Promise<void> {
  await tx.run(
    sql`update provider_orders o set asks_first = true, state = 'UNKNOWN', attempts = greatest(o.attempts, 1),
          next_at = ${now}::timestamptz + p.clock_offset_ms * interval '1 millisecond', leased_until = null
        from platforms p where p.id = o.platform_id and o.state in ('QUEUED', 'UNKNOWN')`,
  )
}

const BODY_PURPOSE = 'order-body'

/** Stores the body before the first attempt; it never changes afterwards. */
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

/** Moves an order that was never sent to another provider. Fails: CONFLICT. */
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

/** The facts from which `waitingFor` derives why an order waits. */
type WaitingFacts = Readonly<{
  isCircuitOpen: boolean
  hasException: boolean
  clockOffsetMs: number
}>

export type ListedOrder = Order & WaitingFacts

const WAITING_FACTS = sql`(select p.clock_offset_ms::float8 from platforms p where p.id = o.platform_id) as clock_offset_ms,
  exists (select from provider_health h
    where h.provider_id = o.provider_id and h.circuit = 'OPEN') as is_circuit_open,
  exists (select from exceptions e where e.platform_id = o.platform_id and e.order_id = o.id and e.status = 'OPEN')
    as has_exception`

type ListedRow = OrderRow & WaitingFacts

const toListed = ({
  isCircuitOpen,
  hasException,
  clockOffsetMs,
  ...row
}: ListedRow): ListedOrder => ({ ...toOrder(row), isCircuitOpen, hasException, clockOffsetMs })

/** Newest first sorts by id, which rises with time: no index has the time alone. */
const pagedBy = ({ isNewestFirst, after }: OrderFilters): Readonly<{ rest: Sql; order: Sql }> =>
  isNewestFirst
    ? { rest: after ? sql`and o.id < ${after.id}` : sql.empty, order: sql`o.id desc` }
    : { rest: afterPlace(after, sql`o.created_at, o.id`), order: sql`o.created_at, o.id` }

/** Lists across platforms, so only the operator may call it. */
export async function listOrders(tx: Tx, filters: OrderFilters): Promise<ListedOrder[]> {
  const { platformIds, providerId, transactionId, state, period, amount, limit } = filters
  const { rest, order } = pagedBy(filters)
  const narrowed = [
    sql`true`,
    ...inPeriod(period, sql`o.created_at`),
    ...inRange(amount, { amount: sql`o.amount`, currency: sql`o.currency` }),
  ]
  const rows = await tx.many<ListedRow>(
    sql`select ${ORDER_COLUMNS}, ${WAITING_FACTS} from provider_orders o
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
    sql`select ${ORDER_COLUMNS}, ${WAITING_FACTS} from provider_orders o where o.id = ${id}`,
  )
  return row && toListed(row)
}

type FeeSum = Readonly<{ currency: string; amount: bigint }>

/** Sums a provider's fees for orders that changed since a time, by currency (PROV-69). */
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

/** Counts what keeps a provider from being removed: open orders, missing reports and open exceptions. */
export const countOpenOrders = async (tx: Tx, providerId: Id<'provider'>): Promise<number> => {
  const { count } = await tx.one<{ count: number }>(
    sql`select ((select count(*) from provider_orders o where o.provider_id = ${providerId}
            and (${OPEN} or (o.due_at is not null and o.gap_since is not null)))
          + (select count(*) from exceptions e where e.provider_id = ${providerId} and e.status = 'OPEN'))::int as count`,
  )
  return count
}
