import { toWireTime } from '../../kernel/clock.ts'
import { formatId } from '../../kernel/ids.ts'
import type { AccountInfo } from './account-types/info-schema.ts'
import type { ExternalAccount } from './external-account.ts'
import type { IssuedChallenge } from './ownership/rules.ts'
import type { ExternalAccountBody, OwnershipChallengeBody } from './schema.ts'

export function accountToWire(account: ExternalAccount): ExternalAccountBody {
  const { customerId, platformAccountId, ownershipType } = account
  const { beneficiaryVerificationStatus, beneficiaryVerifiedName } = account
  return {
    id: formatId('externalAccount', account.id),
    ...(customerId && { customerId: formatId('customer', customerId) }),
    status: account.status,
    ...(platformAccountId !== null && { platformAccountId }),
    ...(ownershipType && { ownershipType }),
    currency: account.currency,
    // The platform's own accounts do not have the flag (EACC-12).
    ...(customerId && { defaultUmaDepositAccount: account.defaultUmaDepositAccount }),
    ...(beneficiaryVerificationStatus && { beneficiaryVerificationStatus }),
    ...(beneficiaryVerifiedName !== null && {
      beneficiaryVerifiedData: { fullName: beneficiaryVerifiedName },
    }),
    accountInfo: account.accountInfo,
    createdAt: toWireTime(account.createdAt),
    updatedAt: toWireTime(account.updatedAt),
  }
}

/** The account as in answers, with tax and document numbers masked for events (HOOK-5). */
export function accountToEvent(account: ExternalAccount): ExternalAccountBody {
  const accountInfo = maskGovernmentNumbers(account.accountInfo) as AccountInfo
  return accountToWire({ ...account, accountInfo })
}

const GOVERNMENT_NUMBERS = ['taxId', 'documentNumber']
const TAX_NUMBER_KEYS: readonly unknown[] = ['CPF', 'CNPJ']

function maskGovernmentNumbers(fields: Readonly<Record<string, unknown>>): object {
  const isNumber = (name: string): boolean =>
    GOVERNMENT_NUMBERS.includes(name) ||
    (name === 'pixKey' && TAX_NUMBER_KEYS.includes(fields['pixKeyType']))
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (typeof value === 'string') return [name, isNumber(name) ? masked(value) : value]
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
      return [name, isObject ? maskGovernmentNumbers(value as Record<string, unknown>) : value]
    }),
  )
}

const masked = (number: string): string => number.replace(/.(?=.{4})/gsu, '*')

export function challengeToWire(challenge: IssuedChallenge): OwnershipChallengeBody {
  return { ...challenge, expiresAt: toWireTime(challenge.expiresAt) }
}

/** Names the fields that a strict platform would refuse (EACC-5). */
export function warningsHeader(paths: readonly string[]): Record<string, string> | undefined {
  return paths.length > 0 ? { 'Validation-Warnings': paths.join(', ') } : undefined
}
