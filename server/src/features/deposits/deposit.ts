import type { Id } from '../../kernel/ids.ts'
import type { Money } from '../../kernel/money/money.ts'
import type { Environment } from '../../kernel/platform.ts'
import type { ArrivalReport } from '../transactions/index.ts'
import type { DepositStatus } from './machine.ts'

/** Why a deposit has no owner yet. */
export type UnattributedReason =
  | 'OWNER_UNKNOWN'
  | 'ACCOUNT_NOT_ACTIVE'
  | 'ACCOUNT_FULL'
  | 'CURRENCY_MISMATCH'
  | 'NETWORK_MISMATCH'
  | 'UNDER_REVIEW'

/** A deposit is held automatically while its customer lacks data that the currency requires (CUST-66). */
export const AWAITS_DATA = 'PROVIDER_DATA_MISSING'

/** The provider that reported a deposit, and its own id for it (PROV-80). */
export type DepositSource = Readonly<{
  providerId: Id<'provider'>
  depositId: string
  /** Of all that the provider said of it. */
  digest: Buffer
}>

/** Money from outside, before its owner is looked up. */
export type ArrivedMoney = Readonly<{
  id: Id<'transaction'>
  environment: Environment
  money: Money
  report: ArrivalReport
  /** The number or address that the money was sent to. */
  paidTo: string | null
  /** Null for what the operator reports. */
  source: DepositSource | null
}>

export type Deposit = ArrivedMoney &
  Readonly<{
    status: DepositStatus
    reason: UnattributedReason | typeof AWAITS_DATA | null
    /** The owner; null while the deposit is unallocated. */
    ownerPlatformId: Id<'platform'> | null
    /** Its own transaction, or that of the quote it funds. */
    transactionId: Id<'transaction'> | null
    createdAt: Date
    updatedAt: Date
  }>
