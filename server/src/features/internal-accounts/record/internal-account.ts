import { isCrypto } from '../../../kernel/money/currency.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { PaymentInstructions } from '../funding/instructions.ts'

export const INTERNAL_ACCOUNT_TYPES = [
  'INTERNAL_FIAT',
  'INTERNAL_CRYPTO',
  'EMBEDDED_WALLET',
] as const
export type InternalAccountType = (typeof INTERNAL_ACCOUNT_TYPES)[number]

export const INTERNAL_ACCOUNT_STATUSES = [
  'PENDING',
  'ACTIVE',
  'CLOSED',
  'FROZEN',
  'FAILED',
] as const
export type InternalAccountStatus = (typeof INTERNAL_ACCOUNT_STATUSES)[number]

export type InternalAccount = Readonly<{
  id: Id<'internalAccount'>
  /** Null for the platform's own account. */
  customerId: Id<'customer'> | null
  currency: string
  type: InternalAccountType
  status: InternalAccountStatus
  fundingInstructions: readonly PaymentInstructions[]
  /** Set for embedded wallets only. */
  privateEnabled: boolean | null
  /** Only the operator moves money on the account of a deleted customer (IACC-17). */
  isOwnerDeleted: boolean
  createdAt: Date
  updatedAt: Date
}>

/** The two parts of an account's money. */
export type Balances = Readonly<{ available: bigint; held: bigint }>

const WALLET_CURRENCY = 'USDB'

/** A customer's USDB is on an embedded wallet; the platform's is not (CRED-1). */
export function accountTypeOf({
  currency,
  isCustomers,
}: {
  currency: string
  isCustomers: boolean
}): InternalAccountType {
  if (isCustomers && currency === WALLET_CURRENCY) return 'EMBEDDED_WALLET'
  return isCrypto(currency) ? 'INTERNAL_CRYPTO' : 'INTERNAL_FIAT'
}
