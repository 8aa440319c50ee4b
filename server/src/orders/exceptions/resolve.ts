import { fail, failFields } from '../../kernel/errors.ts'
import { failNotFound, formatId, type Id } from '../../kernel/ids.ts'
import type { OperatorActor } from '../../kernel/access/actor.ts'
import type { Deps } from '../../infra/deps.ts'
import { audit } from '../../infra/work/audit.ts'
import type { Work } from '../../infra/work/work.ts'
import { isBookedApart, isOpen, type Order } from '../order.ts'
import type { Bearer } from '../order-kind.ts'
import { applyWaiting, giveUpGaps } from '../reports/take-report.ts'
import { setReportStatus } from '../reports/store.ts'
import { findOrder, saveOrder } from '../store.ts'
import { inPlatformOf, withOrder, type LockedOrder, type OrderDeps } from '../with-order.ts'
import { RESOLUTIONS, type ExceptionType, type Resolution } from './resolutions.ts'
import { findException, lockException, saveResolution, type Exception } from './store.ts'

export type Resolving = Readonly<{
  as: Resolution
  note: string
  /** With RETURNED: how much came back. */
  amount?: bigint | undefined
  /** What the outside calls the movement: of a wallet payout the transaction's hash. */
  reference?: string | undefined
  /** Who pays for what was paid out and refunded as well. */
  bearer?: Bearer | undefined
}>

const resolutionsOf = (type: ExceptionType): readonly Resolution[] => RESOLUTIONS[type]

/**
 * The operator says what is true: the order comes into that state with all that follows, and reports that waited are
 * applied (PROV-70). Fails: REFERENCE_NOT_FOUND, INVALID_INPUT, CONFLICT where it is resolved already.
 */
export async function resolveException(
  orders: OrderDeps,
  id: Id<'exception'>,
  { actor, ...resolving }: Resolving & Readonly<{ actor: OperatorActor }>,
): Promise<Exception> {
  const { deps } = orders
  const found = (await findException(deps.db.read, id)) ?? failNotFound('exception')
  mustBeAmong(resolutionsOf(found.type), resolving.as)
  const order = found.orderId && (await findOrder(deps.db.read, found.orderId))
  if (!order) return resolveAlone(deps, found, { actor, ...resolving })
  return withOrder(orders, order, { actor }, async (locked) => {
    const { work } = locked
    const resolved = await close(work, found, { actor, ...resolving })
    mustFit(found, locked, resolving.as)
    if (found.sequence !== null) {
      const status = resolving.as === 'IGNORED' ? 'DISCARDED' : 'APPLIED'
      setReportStatus(work.tx, order, { sequence: found.sequence, status })
    }
    const known = found.type === 'REPORT_GAP' ? await giveUpGaps(locked) : locked.order
    const proven = withReference(known, resolving.reference)
    const after = await takeResolution({ ...locked, order: proven }, resolving)
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

/** Not every order can come into every state that its exception could be resolved as. */
function mustFit({ type }: Exception, locked: LockedOrder, as: Resolution): void {
  const allowed = resolutionsOf(type).filter((one) => isPossible(one, locked))
  const { order } = locked
  mustBeAmong(allowed, as, `: a ${order.type} that is ${order.state} cannot be resolved as ${as}`)
}

function isPossible(as: Resolution, { kind, order }: LockedOrder): boolean {
  const { state, settledAmount, returnedAmount } = order
  // What a pull or a collection brought in after all is a deposit, which its own commands send back.
  const isBooked = order.type === 'PAYOUT' || !isBookedApart(order)
  const isReturnable = returnedAmount < (settledAmount ?? 0n) && isBooked
  if (as === 'RETURNED') return isReturnable
  if (as === 'FAILED') return isOpen(state) || state === 'FAILED' || isReturnable
  if (as !== 'SETTLED') return true
  if (state === 'FAILED') return kind.settledAfterAll !== undefined
  return isOpen(state) ? kind.settled !== undefined : state !== 'DECIDED'
}

type Said = Resolving & Readonly<{ actor: OperatorActor }>

/** Where no order is in question, as with a price, what follows is up to the features that opened it. */
const resolveAlone = (deps: Deps, found: Exception, said: Said): Promise<Exception> =>
  inPlatformOf(deps, found.platformId, said, (work) => close(work, found, said))

async function close(work: Work, found: Exception, said: Said): Promise<Exception> {
  const { tx, platform, now } = work
  const exception = await lockException(tx, platform.id, found.id)
  if (exception?.status !== 'OPEN') fail('CONFLICT', { reason: 'RESOLVED_ALREADY' })
  const { as: resolution, note, actor } = said
  const operator = actor.name
  saveResolution(tx, found, { resolution, note, operator, now })
  audit(work, {
    action: 'exceptions resolve',
    resource: formatId('exception', found.id),
    note: `${resolution}: ${note}`,
  })
  await work.react('exceptions.resolved', { ...found, resolution, amount: said.amount })
  return { ...found, status: 'RESOLVED', resolution, note, operator, resolvedAt: now }
}

/** What the operator found out is a proof like those of a report (PROV-69). */
function withReference(order: Order, reference: string | undefined): Order {
  if (reference === undefined) return order
  const { network } = order.request
  const proof =
    typeof network === 'string'
      ? { onChainTransaction: { transactionHash: reference, network } }
      : { bankReference: reference }
  return { ...order, proofs: { ...order.proofs, ...proof } }
}

const ended = (order: Order): Order => ({
  ...order,
  nextAt: null,
  cancelNextAt: null,
  gapSince: null,
})

async function takeResolution(
  { work, kind, order }: LockedOrder,
  { as, amount, bearer }: Resolving,
): Promise<Order> {
  const settledAmount = order.money?.amount ?? null
  switch (as) {
    case 'SETTLED': {
      if (order.state === 'SETTLED' || order.state === 'RETURNED') return order
      const settled: Order = ended({ ...order, state: 'SETTLED', settledAmount })
      if (isOpen(order.state)) await kind.settled?.(work, settled)
      else await kind.settledAfterAll?.(work, settled, () => mustBear(bearer))
      return settled
    }
    case 'FAILED': {
      if (order.state === 'FAILED') return order
      const rest = (order.settledAmount ?? 0n) - order.returnedAmount
      const returnedAmount = order.returnedAmount + rest
      const changes = { state: 'FAILED', failureReason: 'OTHER', returnedAmount } as const
      const failed: Order = ended({ ...order, ...changes })
      if (isOpen(order.state))
        await kind.failed(work, failed, { reason: 'OTHER', isCancelled: false })
      else if (rest > 0n) await kind.returned?.(work, failed, { amount: rest, isWhole: true })
      return failed
    }
    case 'RETURNED':
      return takeReturn({ work, kind, order }, amount)
    case 'RELEASED':
    case 'REFUSED':
      await kind.reviewed?.(work, order, as)
      return order
    default:
      return order
  }
}

function mustBear(bearer: Bearer | undefined): Bearer {
  if (bearer) return bearer
  const message = 'is required: the money was paid out and refunded as well'
  return failFields([{ field: 'bear', message, constraint: { enum: ['PLATFORM', 'SERVICE'] } }])
}

async function takeReturn(
  { work, kind, order }: LockedOrder,
  amount: bigint | undefined,
): Promise<Order> {
  const left = (order.settledAmount ?? 0n) - order.returnedAmount
  if (amount === undefined || amount < 1n || amount > left) {
    return failFields([{ field: 'amount', message: `must be from 1 to ${left}` }])
  }
  const isWhole = amount === left
  const returned: Order = {
    ...order,
    returnedAmount: order.returnedAmount + amount,
    state: isWhole ? 'RETURNED' : order.state,
  }
  const credited = (await kind.returned?.(work, returned, { amount, isWhole })) ?? 0n
  return { ...returned, creditedAmount: order.creditedAmount + credited }
}
