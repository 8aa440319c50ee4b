import type { Id } from '../../../kernel/ids.ts'
import type { Money } from '../../../kernel/money/money.ts'
import type { PaymentInstructions } from '../../internal-accounts/index.ts'
import type { RateDetails } from '../../rates/index.ts'
import type {
  IncomingFailureReason,
  OutgoingFailureReason,
  RefundReason,
} from '../../../kernel/failure-reasons.ts'
import type { IncomingStatus, OutgoingStatus, RefundStatus } from './machine.ts'
import type { CryptoNetwork, PaymentRail } from '../wire/rails.ts'

export type RailSelectionMode = 'MANUAL' | 'AUTO'

export type OnChainTransaction = Readonly<{ transactionHash: string; network: CryptoNetwork }>

/** An account on either side is named with its kind, `InternalAccount:…` or `ExternalAccount:…`. */
type AccountSide = Readonly<{
  accountId: string
  currency: string
  onChainTransaction?: OnChainTransaction
}>

type UmaSide = Readonly<{ umaAddress: string; currency?: string }>

/** Money that came from outside without an account of ours, and what its rail told of it. */
type FundingSide = Readonly<{
  currency: string
  customerId?: string
  accountHolderName?: string
  accountIdentifier?: string
  bankName?: string
  bankIdentifier?: string
  paymentRail?: PaymentRail
  remittanceInformation?: string
  endToEndId?: string
  traceNumber?: string
  onChainTransaction?: OnChainTransaction
  /** The provider that reported it, and sends it back where it must go back; never shown (PROV-83). */
  reportedBy?: Id<'provider'>
}>

export type TransactionSource =
  | (Readonly<{ sourceType: 'ACCOUNT' }> & AccountSide)
  | (Readonly<{ sourceType: 'UMA_ADDRESS' }> & UmaSide)
  | (Readonly<{ sourceType: 'REALTIME_FUNDING' }> & FundingSide)

export type TransactionDestination =
  | (Readonly<{ destinationType: 'ACCOUNT' }> & AccountSide)
  | (Readonly<{ destinationType: 'UMA_ADDRESS' }> & UmaSide)

export const PENDING_REASONS = [
  'COUNTERPARTY_DECLARATION_REQUIRED',
  'WALLET_VERIFICATION_REQUIRED',
  'COUNTERPARTY_INFORMATION_REQUIRED',
  'COMPLIANCE_REVIEW',
] as const
export type PendingReason = (typeof PENDING_REASONS)[number]

/** Money on its way back to where it came from; the transaction itself stays FAILED. */
export type Refund = Readonly<{
  reference: string
  status: RefundStatus
  reason: RefundReason
  initiatedAt: Date
  settledAt: Date | null
}>

type Common = Readonly<{
  id: Id<'transaction'>
  /** TXN-2: whose it is; both null where it is the platform's own. */
  customerId: Id<'customer'> | null
  platformCustomerId: string | null
  pendingReason: PendingReason | null
  source: TransactionSource
  destination: TransactionDestination
  /** In the currency sent; the platform's are part of all. */
  fees: bigint | null
  platformFees: bigint | null
  /** Shown and never computed with. */
  exchangeRate: number | null
  rateDetails: RateDetails | null
  quoteId: Id<'quote'> | null
  agentId: Id<'agent'> | null
  /** The action whose approval its quote waits for, or waited for; never shown (ACT-9). */
  approvalActionId: Id<'agentAction'> | null
  description: string | null
  /** What went along with the payment. */
  paymentReference: string | null
  /** Identifies the payment in reconciliation. */
  reconciliationReference: string | null
  paymentInstructions: readonly PaymentInstructions[] | null
  counterpartyInformation: Readonly<Record<string, unknown>> | null
  paymentRail: PaymentRail | null
  railSelectionMode: RailSelectionMode | null
  settlementTimelineSeconds: number | null
  expectedSettlementAt: Date | null
  refund: Refund | null
  /** LIM-4: the UTC day, `YYYY-MM-DD`, whose volume it counts in; never shown. */
  volumeDay: string | null
  receiptDeliveryConfirmedAt: Date | null
  settledAt: Date | null
  createdAt: Date
  updatedAt: Date
}>

export type IncomingTransaction = Common &
  Readonly<{
    type: 'INCOMING'
    status: IncomingStatus
    sent: Money | null
    received: Money
    failureReason: IncomingFailureReason | null
  }>

/** What a transaction does to its owner's account. */
export type Direction = 'CREDIT' | 'DEBIT'

export type OutgoingTransaction = Common &
  Readonly<{
    type: 'OUTGOING'
    /** TXN-20: fixed at creation. */
    direction: Direction
    status: OutgoingStatus
    sent: Money
    received: Money | null
    failureReason: OutgoingFailureReason | null
  }>

export type Transaction = IncomingTransaction | OutgoingTransaction

const NOTHING = {
  pendingReason: null,
  sent: null,
  received: null,
  fees: null,
  platformFees: null,
  exchangeRate: null,
  rateDetails: null,
  quoteId: null,
  agentId: null,
  approvalActionId: null,
  description: null,
  paymentReference: null,
  reconciliationReference: null,
  paymentInstructions: null,
  counterpartyInformation: null,
  paymentRail: null,
  railSelectionMode: null,
  settlementTimelineSeconds: null,
  expectedSettlementAt: null,
  failureReason: null,
  refund: null,
  volumeDay: null,
  receiptDeliveryConfirmedAt: null,
  settledAt: null,
} as const

type Omissible = keyof typeof NOTHING | 'updatedAt'

/** What has to be said of a new transaction; the rest is nothing until somebody says it. */
export type NewTransaction<T extends Transaction> = Omit<T, Omissible> & Partial<Pick<T, Omissible>>

export function newTransaction<T extends Transaction>(given: NewTransaction<T>): T {
  return { ...NOTHING, updatedAt: given.createdAt, ...given } as unknown as T
}

/** What the list knows a side by: the account's id or the UMA address. Money from outside has neither. */
export function identifierOf(side: TransactionSource | TransactionDestination): string | null {
  if ('accountId' in side) return side.accountId
  return 'umaAddress' in side ? side.umaAddress : null
}
