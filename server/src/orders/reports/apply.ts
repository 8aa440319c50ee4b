import { isOutOfRange } from '../../kernel/money/amount-range.ts'
import { amountToWire } from '../../kernel/money/wire-money.ts'
import type { Id } from '../../kernel/ids.ts'
import { attempt } from '../../infra/work/attempt.ts'
import type { Work } from '../../infra/work/work.ts'
import { isOpen, type Order, type Statement } from '../order.ts'
import type { ContradictionType } from '../exceptions/resolutions.ts'
import { closeSettled, openException } from '../exceptions/store.ts'
import { judge, type Judgement } from '../judge.ts'
import { scheduled, withinWindow } from '../schedule.ts'
import type { DecisionOutcome } from '../order-kind.ts'
import { saveOrder } from '../store.ts'
import type { LockedOrder } from '../with-order.ts'

export type Applied = Readonly<{
  order: Order
  exceptionId?: Id<'exception'>
  /** It says nothing that is not known. */
  isKnown?: boolean
}>

/**
 * Makes of an order what its provider says about it, with all that follows, in one transaction. What contradicts is
 * kept for an operator and moves nothing (PROV-68). `sequence` is the report's, absent for the answer to an order.
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
  const said = withSaid(numbered(order, sequence), statement)
  const isFailing = judgement.kind === 'move' && judgement.to === 'FAILED'
  const named = isFailing ? { ...said, failureReason: reasonOf(statement) } : said
  const heard = withinWindow(kind, scheduled(movedBy(named, judgement), work.now), work.now)
  const effect = (inner: Work): Promise<bigint> =>
    takeEffect({ ...locked, work: inner, order: heard }, statement, judgement)
  const credited = judgement.kind === 'return' ? await ifRoom(work, effect) : await effect(work)
  if (credited === undefined)
    return contradict(locked, { type: 'RETURN_NOT_CREDITED', details, sequence })
  const outcome = await takeDecision({ ...locked, order: heard }, statement, judgement)
  if (statement.state === 'ACCEPTED' && isOpen(heard.state))
    await kind.accepted?.(work, heard, statement)
  if (!isOpen(heard.state)) closeSettled(work.tx, heard, { now: work.now, isEnded: true })
  const after = { ...heard, creditedAmount: heard.creditedAmount + credited }
  saveOrder(work.tx, after, work.now)
  return { order: after, ...outcome }
}

/** Undefined, without effect, where the account of the payer is full: the operator credits it once there is room. */
async function ifRoom(
  work: Work,
  effect: (work: Work) => Promise<bigint>,
): Promise<bigint | undefined> {
  const taken = await attempt(work, effect, isOutOfRange)
  return taken.ok ? taken.result : undefined
}

/** A late report whose number was given up does not set the numbers back. */
const numbered = (order: Order, sequence: number | undefined): Order => ({
  ...order,
  sequence: Math.max(order.sequence, sequence ?? 0),
})

type Contradiction = Readonly<{
  type: ContradictionType
  details: Readonly<{ known: unknown; stated: Statement }>
  sequence: number | undefined
}>

/** Keeps both statements for an operator; nothing moves but the number of the report. */
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

function withSaid(order: Order, statement: Statement): Order {
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

function movedBy(order: Order, judgement: Judgement): Order {
  if (judgement.kind === 'return') {
    return {
      ...order,
      returnedAmount: order.returnedAmount + judgement.amount,
      state: judgement.isWhole ? 'RETURNED' : order.state,
    }
  }
  if (judgement.kind !== 'move') return order
  const { to } = judgement
  return {
    ...order,
    state: to,
    settledAmount: to === 'SETTLED' ? (order.money?.amount ?? null) : order.settledAmount,
  }
}

/** Answers what a return gave back to the payer at once. */
async function takeEffect(
  { work, kind, order }: LockedOrder,
  statement: Statement,
  judgement: Judgement,
): Promise<bigint> {
  if (judgement.kind === 'return') {
    const { amount, isWhole } = judgement
    return (await kind.returned?.(work, order, { amount, isWhole })) ?? 0n
  }
  if (judgement.kind !== 'move') return 0n
  if (judgement.to === 'SETTLED') await kind.settled?.(work, order)
  if (judgement.to === 'FAILED') await failOrder({ work, kind, order }, reasonOf(statement))
  return 0n
}

async function takeDecision(
  { work, kind, order }: LockedOrder,
  statement: Statement,
  judgement: Judgement,
): Promise<DecisionOutcome | void> {
  if (statement.state !== 'DECIDED') return
  if (judgement.kind === 'again') return kind.decidedAgain?.(work, order, statement)
  if (judgement.kind === 'move') return kind.decided?.(work, order, statement)
}

const reasonOf = (statement: Statement): string =>
  statement.state === 'REFUSED' || statement.state === 'FAILED' ? statement.reason : 'CANCELLED'

/** What follows from the end of an order that was not carried out. An order that was wrong is ours to look at. */
async function failOrder({ work, kind, order }: LockedOrder, reason: string): Promise<void> {
  const isCancelled = reason === 'CANCELLED' && order.cancelAskedAt !== null
  await kind.failed(work, order, { reason, isCancelled })
  if (reason !== 'INVALID_ORDER') return
  openException(work, {
    type: 'INVALID_ORDER',
    providerId: order.providerId,
    orderId: order.id,
    details: { known: knownOf(order) },
  })
}

/** Ends an order by what we know ourselves: nobody ever got it, or a newer one took its place. */
export async function endUnsent(locked: LockedOrder, reason: string): Promise<Order> {
  const { work, order } = locked
  const ended: Order = {
    ...order,
    state: 'FAILED',
    failureReason: reason,
    nextAt: null,
    cancelNextAt: null,
    gapSince: null,
  }
  await failOrder({ ...locked, order: ended }, reason)
  closeSettled(work.tx, ended, { now: work.now, isEnded: true })
  saveOrder(work.tx, ended, work.now)
  return ended
}

/** Ends an order that was never sent, where what it was for has been ended by the caller. */
export function endQueued({ tx, now }: Work, order: Order): void {
  const ended = { state: 'FAILED', failureReason: 'CANCELLED', nextAt: null } as const
  saveOrder(tx, { ...order, ...ended }, now)
}

/** Lets an order go that waited for a screening; it is due since it was placed. */
export function releaseHeld({ tx, now }: Work, order: Order): void {
  saveOrder(tx, { ...order, isHeld: false }, now)
}
