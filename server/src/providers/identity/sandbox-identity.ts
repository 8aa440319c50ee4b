/** The sandbox's provider: the end of a name decides, at once (chapter 11, 4.1 to 4.3). */
import { magicValues } from '../../kernel/text/magic-value.ts'
import type { Applicant, IdentityProvider, Outcome, Verdict } from './identity-provider.ts'

const SUFFIX_LENGTH = 3

const suffixOf = (name = ''): string => name.trim().slice(-SUFFIX_LENGTH)

type BySuffix<T> = Readonly<Record<string, T>>

const INDIVIDUALS: BySuffix<Verdict> = { '001': 'ESCALATE', '002': 'REJECT', '003': 'ASK_AGAIN' }
const BUSINESSES: BySuffix<Verdict> = { '001': 'WAIT', '002': 'REJECT', '003': 'WAIT' }
const OWNERS: BySuffix<Outcome | 'PENDING'> = { '001': 'PENDING', '002': 'REJECTED' }

const STATUS: Readonly<Record<Verdict, string>> = {
  APPROVE: 'APPROVED',
  ASK_AGAIN: 'RESOLVE_ERRORS',
  ESCALATE: 'PENDING_MANUAL_REVIEW',
  REJECT: 'REJECTED',
  WAIT: 'IN_PROGRESS',
}

const operation = 'createVerification'
const statusOf = (verdict: Verdict): string => `verificationStatus ${STATUS[verdict]}`

export const MAGIC_APPLICANTS = [
  ...magicValues(
    { object: 'individual, on a platform with papers', field: 'fullName', operation },
    Object.entries(INDIVIDUALS),
    statusOf,
  ),
  ...magicValues(
    { object: 'business', field: 'businessInfo.registrationNumber', operation },
    Object.entries(BUSINESSES),
    statusOf,
  ),
  ...magicValues(
    { object: 'owner of an approved business', field: 'personalInfo.lastName', operation },
    Object.entries(OWNERS),
    (status) => `kycStatus ${status}`,
  ),
]

function judge({ customerType, name }: Applicant): Verdict {
  const verdicts = customerType === 'INDIVIDUAL' ? INDIVIDUALS : BUSINESSES
  return verdicts[suffixOf(name)] ?? 'APPROVE'
}

export const sandboxIdentity: IdentityProvider = {
  // In LIGHT mode a business that is decided at once needs no papers (KYB-2).
  needsPacket: (applicant) =>
    applicant.customerType === 'INDIVIDUAL' ||
    applicant.mode === 'FULL' ||
    judge(applicant) === 'WAIT',
  judge,
  judgeOwner: ({ lastName }) => OWNERS[suffixOf(lastName)] ?? 'APPROVED',
}
