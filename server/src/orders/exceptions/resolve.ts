import { fail, failFields } from '../../kernel/errors.ts'
import { failNotFound, formatId, type Id } from '../../kernel/ids.ts'
import type { OperatorActor } from '../../kernel/access/actor.ts'
import { audit } from '../../infra/work/audit.ts'
import type { Work } from '../../infra/work/work.ts'
import { isBookedApart, isOpen, unreturnedAmountOf, withReturn, type Order } from '../order.ts'
import type { Bearer } from '../order-kind.ts'
import { applyWaiting, skipGaps } from '../reports/take-report.ts'
import { setReportStatus } from '../reports/store.ts'
import { unscheduled } from '../schedule.ts'
import { findOrder, saveOrder } from '../store.ts'
import { inPlatformOf, withOrder, type LockedOrder, type OrderDeps } from '../with-order.ts'
import { RESOLUTIONS, type ExceptionType, type Resolution } from './resolutions.ts'
import { findException, lockException, saveResolution, type Exception } from './store.ts'

type ResolutionInput = Readonly<{
  as: Resolution
  note: string
  /** With RETURNED: the amount that came back. */
  amount?: bigint | undefined
  /** The outside reference of the movement; for a wallet payout the transaction's hash. */
  reference?: string | undefined
  /** The party that bears the loss where money was both paid out and refunded. */
  bearer?: Bearer | undefined
  actor: OperatorActor
}>

const resolutionsOf = (type: ExceptionType): readonly Resolution[] => RESOLUTIONS[type]

/**
 * Resolves an exception as the operator decides: moves the order into that state with all effects, then applies the
 * reports that waited (PROV-70). Fails: REFERENCE_NOT_FOUND, INVALID_INPUT, CONFLICT if already resolved.
 */
export async function resolveException(
  orders: OrderDeps,
  id: Id<'exception'>,
  input: ResolutionInput,
): Promise<Exception> {
  const { deps } = orders
  const exception = (await findException(deps.db.read, id)) ?? failNotFound('exception')
  const { actor, as, reference } = input
  mustBeAmong(resolutionsOf(exception.type), as)
  const order = exception.orderId && (await findOrder(deps.db.read, exception.orderId))
  // Without an order, as with a price, the effects are up to the features that react to the resolution.
  if (!order) {
    return inPlatformOf(deps, exception.platformId, { actor }, (work) =>
      closeException(work, exception, input),
    )
  }
  return withOrder(orders, order, { actor }, async (locked) => {
    const { work } = locked
    const resolved = await closeException(work, exception, input)
    mustBePossible(exception, locked, as)
    const { sequence } = exception
    if (sequence !== null) {
      const status = as === 'IGNORED' ? 'DISCARDED' : 'APPLIED'
      setReportStatus(work.tx, order, { sequence, status })
    }
    const known = exception.type === 'REPORT_GAP' ? await skipGaps(locked) : locked.order
    const proven = withReference(known, reference)
    const after = await applyResolution({ ...locked, order: proven }, input)
    saveOrder(work.tx, after, work.now)
    await applyWaiting({ ...locked, order: after })
    return resolved
  })
}

function mustBeAmong(allowed: readonly Resolution[], as: Resolution, why = ''): void {
  if (allowed.includes(as)) return
  const message = `must be one of ${allowed.join(', ')}${why}`
  failFields([{ field: 'as', message, constraint: { enum: allowed } }])
}

/** An exception's type allows resolutions that the state of this order may not. Fails: INVALID_INPUT. */
function mustBePossible({ type }: Exception, locked: LockedOrder, as: Resolution): void {
  const allowed = resolutionsOf(type).filter((one) => isPossible(one, locked))
  const { order } = locked
  mustBeAmong(allowed, as, `: a ${order.type} that is ${order.state} cannot be resolved as ${as}`)
}

function isPossible(as: Resolution, { kind, order }: LockedOrder): boolean {
  const { state } = order
  // Money that a failed pull or collection still brought in is a deposit, which its own commands send back.
  const isBooked = order.type === 'PAYOUT' || !isBookedApart(order)
  const isReturnable = unreturnedAmountOf(order) > 0n && isBooked
  if (as === 'RETURNED') return isReturnable
  if (as === 'FAILED') return isOpen(state) || state === 'FAILED' || isReturnable
  if (as !== 'SETTLED') return true
  if (state === 'FAILED') return kind.onSettledAfterAll !== undefined
  return isOpen(state) ? kind.onSettled !== undefined : state !== 'DECIDED'
}

/** Locks and resolves the exception itself. Fails: CONFLICT. */
async function closeException(
  work: Work,
  found: Exception,
  { as: resolution, note, actor, amount }: ResolutionInput,
): Promise<Exception> {
  const { tx, platform, now } = work
  const exception = await lockException(tx, platform.id, found.id)
  if (exception?.status !== 'OPEN') fail('CONFLICT', { reason: 'RESOLVED_ALREADY' })
  const operator = actor.name
  saveResolution(tx, found, { resolution, note, operator, now })
  audit(work, {
    action: 'exceptions resolve',
    resource: formatId('exception', found.id),
    note: `${resolution}: ${note}`,
  })
  await work.react('exceptions.resolved', { ...found, resolution, amount })
  return { ...found, status: 'RESOLVED', resolution, note, operator, resolvedAt: now }
}

/** The reference that the operator gives is evidence like that of a report (PROV-69). */
function withReference(order: Order, reference: string | undefined): Order {
  if (reference === undefined) return order
  const { network } = order.request
  const proof =
    typeof network === 'string'
      ? { onChainTransaction: { transactionHash: reference, network } }
      : { bankReference: reference }
  return { ...order, proofs: { ...order.proofs, ...proof } }
}

async function applyResolution(
  { work, kind, order }: LockedOrder,
  { as, amount, bearer }: ResolutionInput,
): Promise<Order> {
  const settledAmount = order.money?.amount ?? null
  switch (as) {
    case 'SETTLED': {
      if (order.state === 'SETTLED' || order.state === 'RETURNED') return order
      const settled: Order = unscheduled({ ...order, state: 'SETTLED', settledAmount })
      if (isOpen(order.state)) await kind.onSettled?.(work, settled)
      else await kind.onSettledAfterAll?.(work, settled, () => mustNameBearer(bearer))
      return settled
    }
    case 'FAILED': {
      if (order.state === 'FAILED') return order
      const rest = unreturnedAmountOf(order)
      const returnedAmount = order.returnedAmount + rest
      const changes = { state: 'FAILED', failureReason: 'OTHER', returnedAmount } as const
      const failed: Order = unscheduled({ ...order, ...changes })
      if (isOpen(order.state))
        await kind.onFailed(work, failed, { reason: 'OTHER', isCancelled: false })
      else if (rest > 0n) await kind.onReturned?.(work, failed, { amount: rest, isWhole: true })
      return failed
    }
    case 'RETURNED':
      return applyReturn({ work, kind, order }, amount)
    case 'RELEASED':
    case 'REFUSED':
      await kind.onReviewed?.(work, order, as)
      return order
    default:
      return order
  }
}

function mustNameBearer(bearer: Bearer | undefined): Bearer {
  if (bearer) return bearer
  const message = 'is required: the money was paid out and refunded as well'
  return failFields([{ field: 'bear', message, constraint: { enum: ['PLATFORM', 'SERVICE'] } }])
}

async function applyReturn(
  { work, kind, order }: LockedOrder,
  amount: bigint | undefined,
): Promise<Order> {
  const left = unreturnedAmountOf(order)
  if (amount === undefined || amount < 1n || amount > left) {
    return failFields([{ field: 'amount', message: `must be from 1 to ${left}` }])
  }
  const change = { amount, isWhole: amount === left }
  const returned = withReturn(order, change)
  const credited = (await kind.onReturned?.(work, returned, change)) ?? 0n
  return { ...returned, creditedAmount: order.creditedAmount + credited }
}
