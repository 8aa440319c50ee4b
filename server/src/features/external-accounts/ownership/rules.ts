/** Ownership of self-custody wallets: who must prove it, how, and the effects of a proof (OWN-1 to OWN-9). */
import type { FieldError } from '../../../kernel/errors.ts'
import type { Environment } from '../../../kernel/platform.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import type { ProviderKind } from '../../../kernel/ports.ts'
import { ACCOUNT_TYPE_NAMES, findAccountType, isWalletType } from '../account-types/table.ts'

export const OWNERSHIP_TYPES = ['FIRST_PARTY', 'THIRD_PARTY'] as const
export type OwnershipType = (typeof OWNERSHIP_TYPES)[number]

export const OWNERSHIP_METHODS = ['WALLET_SIGNATURE', 'LIVENESS'] as const
export type OwnershipMethod = (typeof OWNERSHIP_METHODS)[number]

export const EXTERNAL_ACCOUNT_STATUSES = [
  'PENDING',
  'ACTIVE',
  'PENDING_OWNERSHIP_VERIFICATION',
  'UNVERIFIED',
  'UNDER_REVIEW',
  'INACTIVE',
] as const
export type ExternalAccountStatus = (typeof EXTERNAL_ACCOUNT_STATUSES)[number]

/** A liveness check takes a person longer than a signature (OWN-4). */
export const CHALLENGE_LIFETIME_MS: Readonly<Record<OwnershipMethod, number>> = {
  WALLET_SIGNATURE: 600_000,
  LIVENESS: 1_800_000,
}

/** In sandbox a job passes a liveness check after this long (OWN-9). */
export const SANDBOX_LIVENESS_DELAY_MS = 30_000

/** The threshold of the EU's transfer-of-funds rules, in cents; the amount itself is still allowed (OWN-8). */
export const UNPROVEN_PAYMENT_MAX_EUR_CENTS = 100_000n

/** The fields that ownership depends on: the type of account, its declared holder, and the custodian. */
export type OwnedAccount = Readonly<{
  accountType: string
  ownershipType?: OwnershipType | undefined
  vaspName?: string | undefined
}>

/** A self-custody wallet has no custodian. */
function isSelfCustody({ accountType, vaspName }: OwnedAccount): boolean {
  return isWalletType(accountType) && vaspName === undefined
}

/** Whether the travel rule applies; in PRODUCTION it always does to EEA customers (OWN-2). */
export function travelRuleHolds(of: {
  travelRule: boolean
  environment: Environment
  isEeaCustomer: boolean
}): boolean {
  return of.travelRule || (traitsOf(of).enforcesRegulation && of.isEeaCustomer)
}

/** A self-custody wallet states its ownership type, and a third party's wallet its beneficiary (OWN-2). */
export function checkTravelRule(account: OwnedAccount & { hasBeneficiary: boolean }): FieldError[] {
  if (!isSelfCustody(account)) return []
  if (account.ownershipType === undefined) {
    return [{ field: 'ownershipType', message: 'is required for a wallet without vaspName' }]
  }
  if (account.ownershipType === 'FIRST_PARTY' || account.hasBeneficiary) return []
  return [{ field: 'accountInfo.beneficiary', message: "is required for a third party's wallet" }]
}

type NewAccount = OwnedAccount &
  Readonly<{ screenedBy: ProviderKind | undefined; isEeaCustomer: boolean; travelRule: boolean }>

/** The first status of a new account; `PENDING` waits for screening (OWN-1; chapter 30, section 3). */
export function initialStatus(account: NewAccount): ExternalAccountStatus {
  const mustProve = account.isEeaCustomer || account.travelRule
  if (mustProve && isSelfCustody(account) && account.ownershipType === 'FIRST_PARTY') {
    return 'PENDING_OWNERSHIP_VERIFICATION'
  }
  return waitsForScreening(account) ? 'PENDING' : 'ACTIVE'
}

/** The operator screens bank accounts by hand; only a provider outside can judge the address of a wallet (PROV-103). */
function waitsForScreening({ accountType, screenedBy }: NewAccount): boolean {
  if (screenedBy === 'http') return isScreenable(accountType)
  return screenedBy === 'manual' && findAccountType(accountType)?.kind === 'fiat'
}

/** Lists hold people, companies and wallets, not invoices. */
export const isScreenable = (accountType: string): boolean =>
  findAccountType(accountType)?.kind === 'fiat' || isWalletType(accountType)

export const SCREENABLE_TYPES: readonly string[] = ACCOUNT_TYPE_NAMES.filter(isScreenable)

/** A challenge that is neither spent nor superseded. */
export type Challenge = Readonly<{ method: OwnershipMethod; expiresAt: Date }>

/** The challenge as the platform receives it (OWN-4). */
export type IssuedChallenge = Readonly<
  | { method: 'WALLET_SIGNATURE'; messageToSign: string; expiresAt: Date }
  | { method: 'LIVENESS'; verificationLink: string; expiresAt: Date }
>

/**
 * The result of a signature (OWN-7). `NO_CHALLENGE` is a CONFLICT and changes nothing; the other two spend the
 * challenge, `FAILED` (wrong or late) also makes the account UNVERIFIED.
 */
export function judgeSignature(proof: {
  challenge: Challenge | undefined
  isOwnerSignature: boolean
  now: Date
}): 'NO_CHALLENGE' | 'PROVEN' | 'FAILED' {
  const { challenge, isOwnerSignature, now } = proof
  if (challenge?.method !== 'WALLET_SIGNATURE') return 'NO_CHALLENGE'
  return isOwnerSignature && now <= challenge.expiresAt ? 'PROVEN' : 'FAILED'
}

const PROVABLE: readonly ExternalAccountStatus[] = ['PENDING_OWNERSHIP_VERIFICATION', 'UNVERIFIED']

/** Only the unproven wallet of its own holder can be challenged; anything else is a CONFLICT (OWN-3). */
export function mayChallenge(account: OwnedAccount & { status: ExternalAccountStatus }): boolean {
  return (
    isSelfCustody(account) &&
    account.ownershipType === 'FIRST_PARTY' &&
    PROVABLE.includes(account.status)
  )
}

export type PaymentRefusal = Readonly<
  | { code: 'INVALID_BANK_ACCOUNT'; details: { status: ExternalAccountStatus } }
  | { code: 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED' }
>

/**
 * Refuses a payment whose account has a status that does not permit it (EACC-17, OWN-8). The amount is the one
 * received, at the mid rate, rounded up to the cent.
 */
export function paymentRefusal(payment: {
  status: ExternalAccountStatus
  amountEurCents: bigint
}): PaymentRefusal | undefined {
  const { status, amountEurCents } = payment
  if (status === 'ACTIVE') return undefined
  if (!PROVABLE.includes(status)) return { code: 'INVALID_BANK_ACCOUNT', details: { status } }
  const isSmall = amountEurCents <= UNPROVEN_PAYMENT_MAX_EUR_CENTS
  if (status === 'PENDING_OWNERSHIP_VERIFICATION' && isSmall) return undefined
  return { code: 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED' }
}
