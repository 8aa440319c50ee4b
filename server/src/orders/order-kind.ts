import type { Id } from '../kernel/ids.ts'
import type { Port } from '../kernel/ports.ts'
import type { Work } from '../infra/work/work.ts'
import type { Order, OrderType, Statement } from './order.ts'

/** The members of a body that its kind knows; `id`, times, `reportUrl`, `platform` and references are added. */
export type OrderBody = Readonly<Record<string, unknown>>

/** What a decision came to, where it did not simply take effect: an operator has to look, or it was known already. */
export type DecisionOutcome = Readonly<{ exceptionId: Id<'exception'> } | { isKnown: true }>

export type Accepted = Extract<Statement, { state: 'ACCEPTED' | 'SENT' }>

type Decided = Extract<Statement, { state: 'DECIDED' }>

export type Returned = Readonly<{ amount: bigint; isWhole: boolean }>

/** What one type of order says, and what its end does. The features that place orders export them; app/ lists them. */
export type OrderKind = Readonly<{
  types: readonly OrderType[]
  port: Port
  /** Locks what the order is about, before the order itself: every use-case locks in this direction. */
  lock(work: Work, order: Order): Promise<void>
  /** Everything that a provider needs to know, read once before the first attempt. */
  body(work: Work, order: Order): Promise<OrderBody>
  /** What a provider says, without what must not be kept anywhere. */
  redact?<S extends Statement>(statement: S): S
  /** Sent within a request, and sent again only when the platform repeats that; meanwhile it is asked for (PROV-130). */
  isRepeatedByPlatform?: true
  /** The provider has it, and may say how far it is; also said again. */
  accepted?(work: Work, order: Order, statement: Accepted): Promise<void>
  settled?(work: Work, order: Order): Promise<void>
  decided?(work: Work, order: Order, decision: Decided): Promise<DecisionOutcome | void>
  /** A decision about an order that has one, or that has failed. */
  decidedAgain?(work: Work, order: Order, decision: Decided): Promise<DecisionOutcome | void>
  /** The window ended without a decision: a person may decide at once, and the provider still later (PROV-97, 109). */
  undecided?(work: Work, order: Order): Promise<void>
  failed(work: Work, order: Order, failure: OrderFailure): Promise<void>
  /** Answers what was given back to the payer at once, in the currency that was sent. */
  returned?(work: Work, order: Order, returned: Returned): Promise<bigint>
  /** The operator decides what a screening left open (PROV-104). */
  reviewed?(work: Work, order: Order, as: 'RELEASED' | 'REFUSED'): Promise<void>
  /** The operator says that it was settled though its end was booked as a failure (PROV-70). */
  settledAfterAll?(work: Work, order: Order, mustBear: () => Bearer): Promise<void>
}>

/** Who pays for what was paid out and refunded as well; the operator must say so only there. */
export type Bearer = 'PLATFORM' | 'SERVICE'

export type OrderFailure = Readonly<{
  /** Of the list of PROV-49, or ours: `NEVER_RECEIVED`, `SUPERSEDED`. */
  reason: string
  /** The platform had asked for it. */
  isCancelled: boolean
}>

export type OrderKinds = ReadonlyMap<OrderType, OrderKind>

export const kindsByType = (kinds: readonly OrderKind[]): OrderKinds =>
  new Map(kinds.flatMap((kind) => kind.types.map((type) => [type, kind] as const)))
