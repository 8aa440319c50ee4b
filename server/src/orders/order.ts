import type { Id } from '../kernel/ids.ts'
import type { Money } from '../kernel/money/money.ts'
import type { NewException } from './exceptions/store.ts'

export const ORDER_STATES = [
  'QUEUED',
  'UNKNOWN',
  'ACCEPTED',
  'SENT',
  'SETTLED',
  'RETURNED',
  'DECIDED',
  'FAILED',
] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** The states in which the provider has not reported an outcome yet. */
export const OPEN_STATES = ['QUEUED', 'UNKNOWN', 'ACCEPTED', 'SENT'] as const
export const isOpen = (state: OrderState): boolean => OPEN_STATES.some((open) => open === state)

export const MONEY_ORDERS = ['PAYOUT', 'PULL', 'COLLECTION', 'REFUND', 'DEPOSIT_RETURN'] as const
export type MoneyOrderType = (typeof MONEY_ORDERS)[number]

export const DECISION_ORDERS = [
  'NAME_CHECK',
  'ACCOUNT_OPENING',
  'IDENTITY_CHECK',
  'SCREENING',
  'CARD_ISSUE',
  'CARD_STATE',
  'COIN_LINK',
  'COIN_TOKEN',
  'COIN_MINT',
  'COIN_BURN',
] as const
export type OrderType = MoneyOrderType | (typeof DECISION_ORDERS)[number]

export type Returned = Readonly<{ amount: bigint; isWhole: boolean }>

export const ORDER_TYPES: readonly OrderType[] = [...MONEY_ORDERS, ...DECISION_ORDERS]

/** The provider's evidence that money moved (PROV-69). */
export type Proofs = Readonly<{
  bankReference?: string
  trace?: string
  uetr?: string
  onChainTransaction?: Readonly<{ transactionHash: string; network: string }>
  settledAt?: string
}>

/** The funding of a payout was taken back outside: a pull was returned, or a deposit reversed (PROV-67). */
export type LostFunding = Readonly<{
  /** Whether the platform has covered the loss; until then the service asks the provider to cancel the payout. */
  isBorne: boolean
  /** The amount that the platform has covered, if it is not the whole. */
  part?: number | undefined
  rail: string
  /** The exception that is opened for the operator once the platform pays. */
  exception: Pick<NewException, 'providerId' | 'orderId' | 'subject' | 'details'>
}>

export type OutsideFee = Readonly<{ amount: number; currency: string; description?: string }>

/** One request to a provider, under an id that never changes. */
export type Order = Readonly<{
  platformId: Id<'platform'>
  id: Id<'order'>
  providerId: Id<'provider'>
  type: OrderType
  transactionId: Id<'transaction'> | null
  /** The resource that a decision is about, by the id that the API shows. */
  subject: string | null
  /** Data that the kind needs, beside the subject, to write the body. */
  request: Readonly<Record<string, unknown>>
  /** Whether the body has members that are erased once the order can no longer be sent. */
  hasSecret: boolean
  /** Undefined for orders that ask for a decision. */
  money: Money | undefined
  ownReference: string
  state: OrderState
  failureReason: string | null
  reference: string | null
  createdAt: Date
  executeAt: Date
  expectedAt: Date | null
  isInstant: boolean
  isHeld: boolean
  attempts: number
  asks: number
  lastAttemptAt: Date | null
  expiresAt: Date | null
  lastError: string | null
  /** Set by a restore: the provider may have the order already, so it is asked before the order is sent (OPER-93). */
  asksFirst: boolean
  askingSince: Date | null
  neverHeardAt: Date | null
  gapSince: Date | null
  nextAt: Date | null
  cancelAskedAt: Date | null
  cancelAttempts: number
  cancelNextAt: Date | null
  /** The number of the last report that was applied. */
  sequence: number
  settledAmount: bigint | null
  returnedAmount: bigint
  /** Credited to the payer by partial returns, in the currency that was sent. */
  creditedAmount: bigint
  lostFunding: LostFunding | null
  proofs: Proofs | null
  outsideFees: readonly OutsideFee[]
}>

export const isMoneyOrder = ({ type }: Pick<Order, 'type'>): boolean =>
  MONEY_ORDERS.some((one) => one === type)

/** The states that a report about this order may carry (PROV-60). */
export const reportStatesOf = (order: Order): readonly Statement['state'][] =>
  isMoneyOrder(order)
    ? ['ACCEPTED', 'SENT', 'SETTLED', 'RETURNED', 'FAILED', 'CANCELLED']
    : ['ACCEPTED', 'DECIDED', 'FAILED']

/** A leg that settled after it had failed is booked apart from its payment, so a return does not touch the payment. */
export const isBookedApart = ({ type, failureReason }: Order): boolean =>
  failureReason !== null && ['PAYOUT', 'PULL', 'COLLECTION'].includes(type)

/** The part of the settled amount that has not come back. */
export const unreturnedAmountOf = ({ settledAmount, returnedAmount }: Order): bigint =>
  (settledAmount ?? 0n) - returnedAmount

export const withReturn = (order: Order, { amount, isWhole }: Returned): Order => ({
  ...order,
  returnedAmount: order.returnedAmount + amount,
  state: isWhole ? 'RETURNED' : order.state,
})

type StatementDetails = Readonly<{
  reference?: string
  proofs?: Proofs
  fees?: readonly OutsideFee[]
}>

type StatedMoney = Readonly<{ amount: number; currency: string }>

/** The progress of a mint or burn, and where to send its funds (PROV-130). */
type CoinProgress = Readonly<{
  operationState?: 'WAITING' | 'PROCESSING'
  providerStatus?: string
  fundingInstructions?: Readonly<{ rail: string; [field: string]: string }>
}>

/** A provider's statement about an order: in the answer to it, in a report, or in the answer to a question for it. */
export type Statement = StatementDetails &
  Readonly<
    | ({ state: 'ACCEPTED' | 'SENT'; expectedSettlementAt?: string } & CoinProgress)
    | { state: 'SETTLED'; amount: StatedMoney }
    | { state: 'RETURNED'; amount: StatedMoney; returnId: string; reason?: string }
    | { state: 'REFUSED' | 'FAILED'; reason: string }
    | { state: 'CANCELLED' }
    | ({ state: 'DECIDED' } & Readonly<Record<string, unknown>>)
  >

/** A statement with its number and time. */
export type Report = Statement & Readonly<{ orderId: string; sequence: number; at: string }>
