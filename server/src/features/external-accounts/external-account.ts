/** An external account as the service keeps it. */
import type { Id } from '../../kernel/ids.ts'
import type { AccountInfo } from './account-types/info-schema.ts'
import type { BeneficiaryVerificationStatus } from './status/name-verification.ts'
import type { ExternalAccountStatus, OwnershipType } from './ownership/rules.ts'

/** What payments need to know of an account; nothing of it is sealed. */
export type PaymentAccount = Readonly<{
  id: Id<'externalAccount'>
  /** Null: the platform's own. */
  customerId: Id<'customer'> | null
  accountType: string
  currency: string
  status: ExternalAccountStatus
  /** The field that names the account: `accountNumber`, `iban`, `address`, `invoice`, … */
  identifiedBy: string
  /** Default first; empty on wallets and Lightning. */
  paymentRails: readonly string[]
  /** What becomes of a payment in the sandbox (chapter 30, section 8); null succeeds. */
  paymentSuffix: string | null
  /** What a Lightning invoice asks for, in satoshi. */
  invoiceAmount: bigint | null
  /** A payment of its own customer's to it needs no second factor (chapter 21). */
  isTrusted: boolean
  /** History keeps the account; nobody else finds it. */
  deletedAt: Date | null
  /** Its customer is deleted: it can still be read, and used for nothing (CUST-69). */
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

/**
 * Whose accounts a caller reaches: all of the platform's, only its own, only one customer's (EACC-13). What lies
 * beyond is not there.
 */
export type Reach = 'all' | 'platform' | Readonly<{ customerId: Id<'customer'> }>

/** OWN: what ownership is decided by. */
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
