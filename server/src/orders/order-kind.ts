import type { Id } from '../kernel/ids.ts'
import type { Port } from '../kernel/ports.ts'
import type { Work } from '../infra/work/work.ts'
import type { Order, OrderType, Returned, Statement } from './order.ts'

/** The body members that depend on the kind; the sender adds `id`, times, `reportUrl`, `platform` and references. */
export type OrderBody = Readonly<Record<string, unknown>>

/** The result of a decision that had no effect: an exception was opened, or the decision was known already. */
export type DecisionOutcome = Readonly<{ exceptionId: Id<'exception'> } | { isKnown: true }>

export type Accepted = Extract<Statement, { state: 'ACCEPTED' | 'SENT' }>

type Decided = Extract<Statement, { state: 'DECIDED' }>

/** The body of one type of order, and the effects of its outcome. Features export kinds. */
export type OrderKind = Readonly<{
  types: readonly OrderType[]
  port: Port
  /** Locks the subject of the order. Runs before the order itself is locked, as every use-case locks in this direction. */
  lock(work: Work, order: Order): Promise<void>
  /** Reads the members of the body, once, before the first attempt. */
  body(work: Work, order: Order): Promise<OrderBody>
  /** Removes from a statement whatever must not be stored. */
  redact?<S extends Statement>(statement: S): S
  /** Such an order is sent by the platform's request and resent only by its retry; in between the provider is asked for it (PROV-130). */
  isRepeatedByPlatform?: true
  /** The provider accepted the order or reported progress; may run more than once. */
  onAccepted?(work: Work, order: Order, statement: Accepted): Promise<void>
  onSettled?(work: Work, order: Order): Promise<void>
  onDecided?(work: Work, order: Order, decision: Decided): Promise<DecisionOutcome | void>
  /** A further decision, about an order that is decided or has failed. */
  onDecidedAgain?(work: Work, order: Order, decision: Decided): Promise<DecisionOutcome | void>
  /** No decision came within the window: a person may decide now, and the provider still may later (PROV-97, PROV-109). */
  onUndecided?(work: Work, order: Order): Promise<void>
  onFailed(work: Work, order: Order, failure: OrderFailure): Promise<void>
  /** Returns the amount that was credited to the payer at once, in the currency that was sent. */
  onReturned?(work: Work, order: Order, returned: Returned): Promise<bigint>
  /** An operator decided a screening whose verdict was REVIEW (PROV-104). */
  onReviewed?(work: Work, order: Order, as: 'RELEASED' | 'REFUSED'): Promise<void>
  /** An operator resolved as settled an order that was booked as failed (PROV-70). */
  onSettledAfterAll?(work: Work, order: Order, mustNameBearer: () => Bearer): Promise<void>
}>

/** The party that bears the loss where money was both paid out and refunded; the operator names it only in that case. */
export type Bearer = 'PLATFORM' | 'SERVICE'

export type OrderFailure = Readonly<{
  /** A reason of the list in PROV-49, or one of ours: `NEVER_RECEIVED`, `SUPERSEDED`. */
  reason: string
  /** Whether the platform had requested the cancellation. */
  isCancelled: boolean
}>

export type OrderKinds = ReadonlyMap<OrderType, OrderKind>

export const kindsByType = (kinds: readonly OrderKind[]): OrderKinds =>
  new Map(kinds.flatMap((kind) => kind.types.map((type) => [type, kind] as const)))
