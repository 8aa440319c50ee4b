import { addMs, DAY_MS, SECOND_MS } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { CardTransactionStatus } from './machine.ts'

export type Direction = 'DEBIT' | 'CREDIT'

export type Merchant = Readonly<{ descriptor: string; mcc?: string; country?: string }>

/** Keeps the fields of a merchant that the service stores. */
export const merchantFromWire = ({ descriptor, mcc, country }: Merchant): Merchant => ({
  descriptor,
  ...(mcc !== undefined && { mcc }),
  ...(country !== undefined && { country }),
})

export const DECLINE_REASONS = [
  'CARD_CLOSED',
  'CARD_NOT_ACTIVE',
  'CARD_PAUSED',
  'CARD_EXPIRED',
  'CARDHOLDER_INELIGIBLE',
  'SPENDING_LIMIT_EXCEEDED',
  'INSUFFICIENT_FUNDS',
  'FUNDING_SOURCE_UNAVAILABLE',
  'FUNDING_SOURCE_NOT_AUTHORIZED',
  'ISSUER_UNAVAILABLE',
] as const
export type DeclineReason = (typeof DECLINE_REASONS)[number]

/** The outcome of a pull that is confirmed later. */
export type PendingOutcome = 'CONFIRMED' | 'FAILED'

/** One authorization with every message after it. Amounts are in the card's currency. */
export type CardTransaction = Readonly<{
  id: Id<'cardTransaction'>
  cardId: Id<'card'>
  customerId: Id<'customer'>
  platformCustomerId: string
  /** The account chosen at decision time. */
  accountId: Id<'internalAccount'>
  issuerTransactionToken: string
  direction: Direction
  status: CardTransactionStatus
  declineReason: DeclineReason | null
  merchant: Merchant
  currency: string
  authorized: bigint
  /** Null until the first clearing or the end of the authorization. */
  settled: bigint | null
  settlementCount: number
  /** Null until the first return. */
  refunded: bigint | null
  /** The returns in force, oldest first. */
  returns: readonly bigint[]
  /** Taken from the account, less released amounts; includes a pending pull. */
  pulled: bigint
  /** Failed pulls count too. */
  pullCount: number
  pendingPull: bigint
  pendingOutcome: PendingOutcome | null
  /** The amount that the service bore and has not recovered, and the cause. */
  shortfall: bigint
  shortfallCause: 'CLEARING' | 'RETURN_REVERSAL' | null
  messageCount: number
  /** The time of the authorization, or of the last clearing or advice. */
  activeAt: Date
  lastEventAt: Date | null
  createdAt: Date
  updatedAt: Date
}>

/** An authorization without clearing or advice ends after this long (CTXN-20). */
const AUTHORIZATION_LIFETIME_MS = 7 * DAY_MS
const DELAYS_MS: Readonly<Record<PendingOutcome, number>> = {
  CONFIRMED: 30 * SECOND_MS,
  FAILED: 5 * SECOND_MS,
}

export const endsAt = ({ activeAt }: Pick<CardTransaction, 'activeAt'>): Date =>
  addMs(activeAt, AUTHORIZATION_LIFETIME_MS)

export const confirmationDueAt = (authorizedAt: Date, outcome: PendingOutcome): Date =>
  addMs(authorizedAt, DELAYS_MS[outcome])

export const isOpen = ({ status }: Pick<CardTransaction, 'status'>): boolean =>
  status === 'AUTHORIZED' || status === 'PARTIALLY_SETTLED'

/** S: the sum of clearings. */
export const settledOf = ({ settled }: Pick<CardTransaction, 'settled'>): bigint => settled ?? 0n
/** R: the sum of returns in force. */
export const refundedOf = ({ refunded }: Pick<CardTransaction, 'refunded'>): bigint =>
  refunded ?? 0n

/** The balance of the transaction's reserve while its authorization is open. */
export const reservedOf = (transaction: CardTransaction): bigint =>
  transaction.pulled - transaction.pendingPull - settledOf(transaction)
