/** An external account as it is stored. */
import type { Id } from '../../kernel/ids.ts'
import type { AccountInfo } from './account-types/info-schema.ts'
import type { BeneficiaryVerificationStatus } from './status/name-verification.ts'
import type { ExternalAccountStatus, OwnershipType } from './ownership/rules.ts'

/** The unsealed part of an account, which payments read. */
export type PaymentAccount = Readonly<{
  id: Id<'externalAccount'>
  /** Null for the platform's own accounts. */
  customerId: Id<'customer'> | null
  accountType: string
  currency: string
  status: ExternalAccountStatus
  /** The field that identifies the account: `accountNumber`, `iban`, `address`, `invoice`, … */
  identifiedBy: string
  /** Default first; empty on wallets and Lightning. */
  paymentRails: readonly string[]
  /** Decides the outcome of sandbox payments; null succeeds (chapter 30, section 8). */
  paymentSuffix: string | null
  /** The amount of a Lightning invoice, in satoshi. */
  invoiceAmount: bigint | null
  /** Whether payments of its customer to the account need no second factor (chapter 21). */
  isTrusted: boolean
  /** A deleted account stays for history and is not found otherwise. */
  deletedAt: Date | null
  /** The account of a deleted customer can be read and not used (CUST-69). */
  isOwnerDeleted: boolean
}>

export type ExternalAccount = PaymentAccount &
  Readonly<{
    platformAccountId: string | null
    ownershipType: OwnershipType | null
    defaultUmaDepositAccount: boolean
    accountInfo: AccountInfo
    beneficiaryVerificationStatus: BeneficiaryVerificationStatus | null
    beneficiaryVerifiedName: string | null
    createdAt: Date
    updatedAt: Date
  }>

/** The accounts that a caller reaches: all, the platform's own, or one customer's; others are not found (EACC-13). */
export type Reach = 'all' | 'platform' | Readonly<{ customerId: Id<'customer'> }>

/** The fields that ownership depends on. */
export function ownedPart({ accountType, ownershipType, accountInfo }: ExternalAccount) {
  const { vaspName } = accountInfo
  return {
    accountType,
    ownershipType: ownershipType ?? undefined,
    vaspName: typeof vaspName === 'string' ? vaspName : undefined,
  }
}

/** The address of a wallet. */
export function addressOf({ accountInfo }: Pick<ExternalAccount, 'accountInfo'>): string {
  return String(accountInfo['address'])
}
