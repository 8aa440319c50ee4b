import { DAY_MS, isPast } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import type {
  FundingInstructions,
  OrderFailure,
  OrderReport,
} from '../../../providers/stablecoin-issuer.ts'
import type { OperationEvent, OperationStatus } from '../machine.ts'
import type { Provider } from '../links/provider-link.ts'

export const OPERATION_TYPES = ['MINT', 'BURN'] as const
export type OperationType = (typeof OPERATION_TYPES)[number]

/** The usable sources; the API names more, which are reserved (STBL-11, STBL-14). */
export const FUNDING_SOURCE_TYPES = ['WIRE', 'ACH_DEBIT', 'SAME_DAY_ACH_DEBIT'] as const
export type FundingSourceType = (typeof FUNDING_SOURCE_TYPES)[number]
export const BURN_SOURCE_TYPES = ['EXTERNAL_ACCOUNT', 'PROVIDER_INTERNAL_BALANCE'] as const
export type BurnSourceType = (typeof BURN_SOURCE_TYPES)[number]

export const DELIVERY_RAILS = ['WIRE', 'ACH_CREDIT', 'SAME_DAY_ACH_CREDIT', 'RTP_CREDIT'] as const
export type DeliveryRail = (typeof DELIVERY_RAILS)[number]

/** The payout of a burn to its bank account. */
export type EstimatedDelivery = Readonly<{
  rail: DeliveryRail
  currency: string
  /** In cents. */
  amount: string
  timing: string
}>

export type OperationFailure = OrderFailure | 'PROVIDER_ACCOUNT_UNUSABLE'

export type StablecoinOperation = Readonly<{
  id: Id<'stablecoinOperation'>
  stablecoinId: Id<'stablecoin'>
  linkId: Id<'stablecoinProviderAccount'>
  provider: Provider
  operationType: OperationType
  status: OperationStatus
  amount: bigint
  sourceType: FundingSourceType | BurnSourceType
  /** The bank account that a mint is pulled from. */
  sourceAccountId: Id<'externalAccount'> | null
  /** The wallet of a mint, the bank account of a burn. */
  destinationAccountId: Id<'externalAccount'>
  destinationRail: DeliveryRail | null
  description: string | null
  estimatedDelivery: EstimatedDelivery | null
  fundingInstructions: FundingInstructions | null
  expiresAt: Date | null
  providerStatus: string | null
  providerReference: string | null
  failureReason: OperationFailure | null
  createdAt: Date
  updatedAt: Date
}>

/** How long funds from outside are awaited. */
export const FUNDING_LIFETIME_MS = 7 * DAY_MS

/** An operation expires at its deadline, also before its job has run. */
export function isExpired(
  { status, expiresAt }: Pick<StablecoinOperation, 'status' | 'expiresAt'>,
  now: Date,
): boolean {
  return status === 'PENDING_FUNDING' && expiresAt !== null && isPast({ deadline: expiresAt, now })
}

/**
 * The events that lead from a status to the reported state. Unreported states in between are passed through, since a
 * running or failed operation was funded before.
 */
export function movesTo(status: OperationStatus, state: OrderReport['state']): OperationEvent[] {
  const isPending = status === 'PENDING_FUNDING' || status === 'PENDING_PROVIDER'
  switch (state) {
    case 'WAITING':
      return []
    case 'PROCESSING':
      return isPending ? ['process'] : []
    case 'COMPLETED':
      return isPending ? ['process', 'complete'] : ['complete']
    case 'FAILED':
      return status === 'PENDING_FUNDING' ? ['process', 'fail'] : ['fail']
  }
}
