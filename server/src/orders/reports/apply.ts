import { isOutOfRange } from '../../kernel/money/amount-range.ts'
import { amountToWire } from '../../kernel/money/wire-money.ts'
import type { Id } from '../../kernel/ids.ts'
import { attempt } from '../../infra/work/attempt.ts'
import type { Work } from '../../infra/work/work.ts'
import { isOpen, withReturn, type Order, type Statement } from '../order.ts'
import type { ContradictionType } from '../exceptions/resolutions.ts'
import { closeByReport, openException } from '../exceptions/store.ts'
import { judge, type Judgement } from '../judge.ts'
import { cappedAtWindow, scheduled, unscheduled } from '../schedule.ts'
import type { DecisionOutcome } from '../order-kind.ts'
import { saveOrder } from '../store.ts'
import type { LockedOrder } from '../with-order.ts'

export type Applied = Readonly<{
  order: Order
  exceptionId?: Id<'exception'>
  /** Whether the statement added nothing new. */
  isKnown?: boolean
}>

/**
 * Applies a provider's statement to an order, with all effects. A contradiction opens an exception and moves nothing
 * (PROV-68). `sequence` is the report's number, absent for the direct answer to an order.
 */
export async function applyStatement(
  locked: LockedOrder,
  stated: Statement,
  sequence?: number,
): Promise<Applied> {
  const { work, kind, order } = locked
  const statement = kind.redact?.(stated) ?? stated
  const judgement = judge(order, statement)
  const details = { known: knownOf(order), stated: statement }
  if (judgement.kind === 'contradiction') {
    return contradict(locked, { type: judgement.type, details, sequence })
  }
  const detailed = withDetails(numbered(order, sequence), statement)
  const isFailing = judgement.kind === 'move' && judgement.to === 'FAILED'
  const named = isFailing ? { ...detailed, failureReason: reasonOf(statement) } : detailed
  const moved = cappedAtWindow(kind, scheduled(withJudgement(named, judgement), work.now), work.now)
  const effect = (inner: Work): Promise<bigint> =>
    applyEffect({ ...locked, work: inner, order: moved }, statement, judgement)
  const credited =
    judgement.kind === 'return' ? await ifAccountHasRoom(work, effect) : await effect(work)
  if (credited === undefined)
    return contradict(locked, { type: 'RETURN_NOT_CREDITED', details, sequence })
  const outcome = await applyDecision({ ...locked, order: moved }, statement, judgement)
  if (statement.state === 'ACCEPTED' && isOpen(moved.state))
    await kind.onAccepted?.(work, moved, statement)
  if (!isOpen(moved.state)) closeByReport(work.tx, moved, { now: work.now, isEnded: true })
  const after = { ...moved, creditedAmount: moved.creditedAmount + credited }
  saveOrder(work.tx, after, work.now)
  return { order: after, ...outcome }
}

/** Undefined, without effect, if the payer's account is full: an operator credits it once there is room. */
async function ifAccountHasRoom(
  work: Work,
  effect: (work: Work) => Promise<bigint>,
): Promise<bigint | undefined> {
  const taken = await attempt(work, effect, isOutOfRange)
  return taken.ok ? taken.result : undefined
}

/** A late report whose number was skipped does not set the number back. */
const numbered = (order: Order, sequence: number | undefined): Order => ({
  ...order,
  sequence: Math.max(order.sequence, sequence ?? 0),
})

type Contradiction = Readonly<{
  type: ContradictionType
  details: Readonly<{ known: unknown; stated: Statement }>
  sequence: number | undefined
}>

/** Opens an exception with both statements; only the report number of the order moves. */
export function contradict(
  { work, order }: LockedOrder,
  { type, details, sequence }: Contradiction,
): Applied {
  const { id: orderId, providerId } = order
  const exceptionId = openException(work, {
    type,
    providerId,
    orderId,
    sequence: sequence ?? null,
    details,
  })
  const after = numbered(order, sequence)
  saveOrder(work.tx, after, work.now)
  return { order: after, exceptionId }
}

const knownOf = ({
  state,
  money,
  reference,
  settledAmount,
  returnedAmount,
  failureReason,
}: Order) => ({
  state,
  ...(money && { amount: amountToWire(money.amount), currency: money.currency }),
  ...(reference !== null && { reference }),
  ...(settledAmount !== null && { settledAmount: amountToWire(settledAmount) }),
  ...(returnedAmount > 0n && { returnedAmount: amountToWire(returnedAmount) }),
  ...(failureReason !== null && { failureReason }),
})

function withDetails(order: Order, statement: Statement): Order {
  const { reference, proofs, fees } = statement
  const expected =
    'expectedSettlementAt' in statement && typeof statement.expectedSettlementAt === 'string'
      ? new Date(statement.expectedSettlementAt)
      : order.expectedAt
  return {
    ...order,
    reference: reference ?? order.reference,
    proofs: proofs ? { ...order.proofs, ...proofs } : order.proofs,
    outsideFees: fees ? [...order.outsideFees, ...fees] : order.outsideFees,
    expectedAt: expected,
  }
}

function withJudgement(order: Order, judgement: Judgement): Order {
  if (judgement.kind === 'return') return withReturn(order, judgement)
  if (judgement.kind !== 'move') return order
  const { to } = judgement
  return {
    ...order,
    state: to,
    settledAmount: to === 'SETTLED' ? (order.money?.amount ?? null) : order.settledAmount,
  }
}

/** Returns the amount that a return credited to the payer at once. */
async function applyEffect(
  { work, kind, order }: LockedOrder,
  statement: Statement,
  judgement: Judgement,
): Promise<bigint> {
  if (judgement.kind === 'return') {
    const { amount, isWhole } = judgement
    return (await kind.onReturned?.(work, order, { amount, isWhole })) ?? 0n
  }
  if (judgement.kind !== 'move') return 0n
  if (judgement.to === 'SETTLED') await kind.onSettled?.(work, order)
  if (judgement.to === 'FAILED') await handleFailure({ work, kind, order }, reasonOf(statement))
  return 0n
}

async function applyDecision(
  { work, kind, order }: LockedOrder,
  statement: Statement,
  judgement: Judgement,
): Promise<DecisionOutcome | void> {
  if (statement.state !== 'DECIDED') return
  if (judgement.kind === 'decidedAgain') return kind.onDecidedAgain?.(work, order, statement)
  if (judgement.kind === 'move') return kind.onDecided?.(work, order, statement)
}

const reasonOf = (statement: Statement): string =>
  statement.state === 'REFUSED' || statement.state === 'FAILED' ? statement.reason : 'CANCELLED'

/** Runs the effects of a failed order. An order that the provider calls invalid is our mistake, so an operator looks. */
async function handleFailure({ work, kind, order }: LockedOrder, reason: string): Promise<void> {
  const isCancelled = reason === 'CANCELLED' && order.cancelAskedAt !== null
  await kind.onFailed(work, order, { reason, isCancelled })
  if (reason !== 'INVALID_ORDER') return
  openException(work, {
    type: 'INVALID_ORDER',
    providerId: order.providerId,
    orderId: order.id,
    details: { known: knownOf(order) },
  })
}

/** Fails an order that the provider never received. */
export async function markNeverReceived(locked: LockedOrder): Promise<void> {
  const { work, order } = locked
  const reason = 'NEVER_RECEIVED'
  const ended = unscheduled({ ...order, state: 'FAILED', failureReason: reason })
  await handleFailure({ ...locked, order: ended }, reason)
  closeByReport(work.tx, ended, { now: work.now, isEnded: true })
  saveOrder(work.tx, ended, work.now)
}

/** Cancels an order that was never sent. The caller ends the payment or decision that it was for. */
export function cancelQueued({ tx, now }: Work, order: Order): void {
  const ended = { state: 'FAILED', failureReason: 'CANCELLED', nextAt: null } as const
  saveOrder(tx, { ...order, ...ended }, now)
}

/** Releases an order that waited for a screening; it is due at once. */
export function releaseHeld({ tx, now }: Work, order: Order): void {
  saveOrder(tx, { ...order, isHeld: false }, now)
}
