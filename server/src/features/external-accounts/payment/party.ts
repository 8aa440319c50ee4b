/** An external account and its holder as orders to providers name them (chapter 44, section 7). */
import { formatId } from '../../../kernel/ids.ts'
import type { ExternalAccount } from '../external-account.ts'

type Members = Readonly<Record<string, unknown>>

/** Numbers that a government gave a person or a company are never in an order about money (PROV-40). */
const GOVERNMENT_NUMBERS = ['taxId', 'documentNumber', 'documentType']

export function partyOfBeneficiary({ accountInfo, id }: ExternalAccount): Members {
  const beneficiary = (accountInfo['beneficiary'] ?? {}) as Members
  const { beneficiaryType, fullName, legalName, ...rest } = beneficiary
  const { birthDate, nationality, registrationNumber, address } = rest
  const known = Object.entries({ birthDate, nationality, registrationNumber, address }).filter(
    ([, value]) => value !== undefined && value !== null,
  )
  return {
    type: beneficiaryType === 'BUSINESS' ? 'BUSINESS' : 'INDIVIDUAL',
    name: fullName ?? legalName ?? formatId('externalAccount', id),
    ...Object.fromEntries(known),
  }
}

export const orderedAccount = ({ id, accountType, accountInfo }: ExternalAccount): Members => ({
  id: formatId('externalAccount', id),
  accountType,
  accountInfo: withoutNumbers(accountInfo),
})

function withoutNumbers(accountInfo: ExternalAccount['accountInfo']): Members {
  const { beneficiary } = accountInfo
  if (typeof beneficiary !== 'object' || beneficiary === null) return accountInfo
  const kept = Object.entries(beneficiary).filter(([name]) => !GOVERNMENT_NUMBERS.includes(name))
  return { ...accountInfo, beneficiary: Object.fromEntries(kept) }
}
