import { magicValues } from '../../../kernel/text/magic-value.ts'
import type { Platform } from '../../../kernel/platform.ts'
import type { CustomerStatus, CustomerType } from './machine.ts'

export type VerificationMode = 'FULL' | 'LIGHT'

/** FULL verification requires papers (chapter 11, section 1). */
export const verificationMode = ({
  kind,
  skipVerificationPaperwork,
}: Pick<Platform, 'kind' | 'skipVerificationPaperwork'>): VerificationMode =>
  kind === 'UNREGULATED' && !skipVerificationPaperwork ? 'FULL' : 'LIGHT'

/** First status by the last three characters of a name, in a sandbox without papers. */
const BY_SUFFIX: Readonly<Record<string, CustomerStatus>> = {
  '001': 'PENDING',
  '002': 'REJECTED',
  '003': 'UNVERIFIED',
}

export const MAGIC_NAMES = magicValues(
  {
    object: 'individual, on a platform without papers',
    field: 'fullName',
    operation: 'createCustomer',
  },
  Object.entries(BY_SUFFIX),
  (status) => `kycStatus ${status}`,
)

type NewCustomer = Readonly<{
  customerType: CustomerType
  fullName: string | undefined
  /** The end of the name decides, as in the sandbox (VER-13). */
  isJudgedByName: boolean
}>

/** The first status of a customer (KYC-1, KYB-1; chapter 11, 4.1, 4.2 and 4.4). */
export function initialStatus(
  platform: Pick<Platform, 'kind' | 'skipVerificationPaperwork'>,
  { customerType, fullName = '', isJudgedByName }: NewCustomer,
): CustomerStatus {
  if (!isJudgedByName) return platform.kind === 'REGULATED' ? 'APPROVED' : 'UNVERIFIED'
  if (customerType === 'BUSINESS' || verificationMode(platform) === 'FULL') return 'UNVERIFIED'
  return BY_SUFFIX[fullName.trim().slice(-3)] ?? 'APPROVED'
}
