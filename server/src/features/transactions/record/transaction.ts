import { parseId, type Id } from '../../../kernel/ids.ts'
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

/** `accountId` has the prefix of its kind, `InternalAccount:…` or `ExternalAccount:…`. */
type AccountSide = Readonly<{
  accountId: string
  currency: string
  onChainTransaction?: OnChainTransaction
}>

type UmaSide = Readonly<{ umaAddress: string; currency?: string }>

/** Money that came from an account unknown to the platform, with the data of its rail. */
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
  /** The provider that reported it, and would carry its refund; never shown (PROV-83). */
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

/** The refund of a transaction, which itself stays FAILED. */
export type Refund = Readonly<{
  reference: string
  status: RefundStatus
  reason: RefundReason
  initiatedAt: Date
  settledAt: Date | null
}>

type Common = Readonly<{
  id: Id<'transaction'>
  /** The owner; both null for the platform (TXN-2). */
  customerId: Id<'customer'> | null
  platformCustomerId: string | null
  pendingReason: PendingReason | null
  source: TransactionSource
  destination: TransactionDestination
  /** In the sending currency; includes the platform's fees. */
  fees: bigint | null
  platformFees: bigint | null
  /** Only shown, never computed with. */
  exchangeRate: number | null
  rateDetails: RateDetails | null
  quoteId: Id<'quote'> | null
  agentId: Id<'agent'> | null
  /** The agent's action whose approval its quote waits or waited for; never shown (ACT-9). */
  approvalActionId: Id<'agentAction'> | null
  description: string | null
  /** The remittance information that is sent with the payment. */
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
  /** The UTC day, `YYYY-MM-DD`, in whose volume it counts; never shown (LIM-4). */
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
    /** Fixed at creation (TXN-20). */
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

/** A transaction whose further fields default to null. */
export type NewTransaction<T extends Transaction> = Omit<T, Omissible> & Partial<Pick<T, Omissible>>

export function newTransaction<T extends Transaction>(given: NewTransaction<T>): T {
  return { ...NOTHING, updatedAt: given.createdAt, ...given } as unknown as T
}

/** The account of a side, if it is one of this kind. */
export const accountIdOfSide = <K extends 'internalAccount' | 'externalAccount'>(
  kind: K,
  side: TransactionSource | TransactionDestination,
): Id<K> | undefined => ('accountId' in side ? parseId(kind, side.accountId) : undefined)

/** What the list knows a side by: the account's id or the UMA address. Money from outside has neither. */
export function identifierOf(side: TransactionSource | TransactionDestination): string | null {
  if ('accountId' in side) return side.accountId
  return 'umaAddress' in side ? side.umaAddress : null
}
