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

/** An outcome is still to come. */
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

export const ORDER_TYPES: readonly OrderType[] = [...MONEY_ORDERS, ...DECISION_ORDERS]

/** What shows that money moved, in the words of the provider (PROV-69). */
export type Proofs = Readonly<{
  bankReference?: string
  trace?: string
  uetr?: string
  onChainTransaction?: Readonly<{ transactionHash: string; network: string }>
  settledAt?: string
}>

/** What a payout is paid from was taken back outside (PROV-67). */
export type LostFunding = Readonly<{
  /** Its platform has paid; until then the payout is called back. */
  isBorne: boolean
  /** What its platform has paid, where that is not all. */
  part?: number | undefined
  rail: string
  /** What an operator will be shown once the platform pays. */
  exception: Pick<NewException, 'providerId' | 'orderId' | 'subject' | 'details'>
}>

export type OutsideFee = Readonly<{ amount: number; currency: string; description?: string }>

/** One thing that a provider is asked for, under one id that never changes. */
export type Order = Readonly<{
  platformId: Id<'platform'>
  id: Id<'order'>
  providerId: Id<'provider'>
  type: OrderType
  transactionId: Id<'transaction'> | null
  /** What a decision is about, as the API shows its id. */
  subject: string | null
  /** What its kind needs beside the subject in order to write the body. */
  request: Readonly<Record<string, unknown>>
  /** Its body has members that are erased once it cannot be sent any more. */
  hasSecret: boolean
  /** Undefined for decisions. */
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
  /** The database was restored since: the provider may have it, and is asked before it is sent (OPER-93). */
  asksFirst: boolean
  askingSince: Date | null
  neverHeardAt: Date | null
  gapSince: Date | null
  nextAt: Date | null
  cancelAskedAt: Date | null
  cancelAttempts: number
  cancelNextAt: Date | null
  /** The last report that was applied. */
  sequence: number
  settledAmount: bigint | null
  returnedAmount: bigint
  /** What partial returns gave back to the payer, in the currency that was sent. */
  creditedAmount: bigint
  lostFunding: LostFunding | null
  proofs: Proofs | null
  outsideFees: readonly OutsideFee[]
}>

export const isMoneyOrder = ({ type }: Pick<Order, 'type'>): boolean =>
  MONEY_ORDERS.some((one) => one === type)

/** What a report may say, by the kind of the order (PROV-60). */
export const reportStatesOf = (order: Order): readonly Statement['state'][] =>
  isMoneyOrder(order)
    ? ['ACCEPTED', 'SENT', 'SETTLED', 'RETURNED', 'FAILED', 'CANCELLED']
    : ['ACCEPTED', 'DECIDED', 'FAILED']

/** A leg that failed and was settled after all is booked apart from its payment, so a return is not the payment's. */
export const isBookedApart = ({ type, failureReason }: Order): boolean =>
  failureReason !== null && ['PAYOUT', 'PULL', 'COLLECTION'].includes(type)

type Said = Readonly<{
  reference?: string
  proofs?: Proofs
  fees?: readonly OutsideFee[]
}>

type StatedMoney = Readonly<{ amount: number; currency: string }>

/** How far a mint or burn is, and where its funds are to be sent (PROV-130). */
type CoinProgress = Readonly<{
  operationState?: 'WAITING' | 'PROCESSING'
  providerStatus?: string
  fundingInstructions?: Readonly<{ rail: string; [field: string]: string }>
}>

/** What a provider says about an order: in the answer to it, in a report, or when it is asked. */
export type Statement = Said &
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
