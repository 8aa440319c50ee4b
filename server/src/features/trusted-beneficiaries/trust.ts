/** The accounts that can be trusted, and the purpose of a change of trust. */
import type { ExternalAccount } from '../external-accounts/index.ts'
import type { TrustPurpose } from '../sca/index.ts'

/** Only a wallet address for USDC can be trusted (TRUST-1). */
export function canBeTrusted({
  currency,
  identifiedBy,
}: Pick<ExternalAccount, 'currency' | 'identifiedBy'>): boolean {
  return currency === 'USDC' && identifiedBy === 'address'
}

export const purposeOf = (wanted: boolean): TrustPurpose =>
  wanted ? 'TRUST_BENEFICIARY' : 'UNTRUST_BENEFICIARY'
