import type { Id } from '../../kernel/ids.ts'
import type { Money } from '../../kernel/money.ts'
import type { Environment } from '../../kernel/platform.ts'
import type { ArrivalReport } from '../transactions/index.ts'
import type { DepositStatus } from './machine.ts'

/** Why a deposit is nobody's yet. */
export type UnattributedReason =
  'OWNER_UNKNOWN' | 'ACCOUNT_NOT_ACTIVE' | 'CURRENCY_MISMATCH' | 'UNDER_REVIEW'

/** Why a deposit is held by itself and not by the operator: its customer lacks what the currency asks for (CUST-66). */
export const AWAITS_DATA = 'PROVIDER_DATA_MISSING'

/** Money that came in from outside, before anybody has looked whose it is. */
export type ArrivedMoney = Readonly<{
  id: Id<'transaction'>
  environment: Environment
  money: Money
  report: ArrivalReport
  /** The number or address that it was sent to. */
  paidTo: string | null
}>

export type Deposit = ArrivedMoney &
  Readonly<{
    status: DepositStatus
    reason: UnattributedReason | typeof AWAITS_DATA | null
    /** Whose it became; null while it is nobody's. */
    ownerPlatformId: Id<'platform'> | null
    /** By which transaction: its own, or that of the quote it funds. */
    transactionId: Id<'transaction'> | null
    createdAt: Date
    updatedAt: Date
  }>
