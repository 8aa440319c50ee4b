/** The name check of a new account; its result never blocks use (BVER-1 to BVER-4). */
import type { Provider } from '../../../kernel/ports.ts'
import { findAccountType } from '../account-types/table.ts'
import type { CheckedAccount } from '../validation/account-info.ts'
import { sandboxVerification } from '../formats/sandbox-suffix.ts'

export const BENEFICIARY_VERIFICATION_STATUSES = [
  'MATCHED',
  'PARTIAL_MATCH',
  'NOT_MATCHED',
  'UNSUPPORTED',
  'CHECKED_BY_RECEIVING_FI',
  'PENDING',
] as const

export type BeneficiaryVerificationStatus = (typeof BENEFICIARY_VERIFICATION_STATUSES)[number]

export type NameVerification = Readonly<{
  beneficiaryVerificationStatus: BeneficiaryVerificationStatus
  beneficiaryVerifiedData?: Readonly<{ fullName: string }>
}>

export type NameVerificationResult =
  | Readonly<{ ok: true; verification?: NameVerification }>
  /** The bank does not know the account; the request ends in INVALID_BANK_ACCOUNT (BVER-3). */
  | Readonly<{ ok: false; code: 'INVALID_BANK_ACCOUNT' }>

type NameVerificationInput = Readonly<{
  account: Pick<CheckedAccount, 'accountType' | 'identifier' | 'accountInfo'>
  /** The provider of the rail that pays to the account, if there is one. */
  provider: Pick<Provider, 'kind' | 'config'> | undefined
}>

/**
 * The sandbox decides by the suffix (chapter 30, section 8); a provider that checks names gets an order once the account
 * exists (PROV-53). Wallets and Lightning have no name to check.
 */
export function verifyName({ account, provider }: NameVerificationInput): NameVerificationResult {
  const { accountType, identifier } = account
  if (findAccountType(accountType)?.kind !== 'fiat') return { ok: true }
  if (provider?.kind !== 'sandbox') {
    const status = checksNames(provider) ? 'PENDING' : withoutAdapter(accountType)
    return { ok: true, verification: { beneficiaryVerificationStatus: status } }
  }
  const outcome = sandboxVerification(identifier)
  if (outcome === 'INVALID_ACCOUNT') return { ok: false, code: 'INVALID_BANK_ACCOUNT' }
  return { ok: true, verification: toVerification(outcome, nameOf(account)) }
}

const checksNames = (provider: NameVerificationInput['provider']): boolean =>
  provider?.kind === 'http' && provider.config['nameCheck'] === true

/** American banks check the name themselves when the payment arrives (BVER-4). */
function withoutAdapter(accountType: string): BeneficiaryVerificationStatus {
  return accountType === 'USD_ACCOUNT' ? 'CHECKED_BY_RECEIVING_FI' : 'UNSUPPORTED'
}

/** The result includes the name on the account if the check found one (BVER-2). */
function toVerification(status: BeneficiaryVerificationStatus, name: string): NameVerification {
  const beneficiaryVerificationStatus = status
  if (status === 'MATCHED') {
    return { beneficiaryVerificationStatus, beneficiaryVerifiedData: { fullName: name } }
  }
  if (status === 'PARTIAL_MATCH') {
    const fullName = initialAndLastWord(name)
    return { beneficiaryVerificationStatus, beneficiaryVerifiedData: { fullName } }
  }
  return { beneficiaryVerificationStatus }
}

export function nameOf({ accountInfo }: Pick<CheckedAccount, 'accountInfo'>): string {
  const beneficiary = accountInfo['beneficiary'] as { fullName?: string; legalName?: string }
  return beneficiary.fullName ?? beneficiary.legalName ?? ''
}

/** `Jane Mary Doe` becomes `J. Doe`. */
function initialAndLastWord(name: string): string {
  const words = name.split(/\s+/)
  const [initial = ''] = name
  return `${initial}. ${words.at(-1) ?? ''}`
}
