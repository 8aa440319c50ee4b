/** Which accounts can be trusted, and what a change of trust is called. */
import type { ExternalAccount } from '../external-accounts/index.ts'
import type { TrustPurpose } from '../sca/index.ts'

/** TRUST-1: an address on a chain that takes dollars as a coin. */
export function canBeTrusted({
  currency,
  identifiedBy,
}: Pick<ExternalAccount, 'currency' | 'identifiedBy'>): boolean {
  return currency === 'USDC' && identifiedBy === 'address'
}

export const purposeOf = (wanted: boolean): TrustPurpose =>
  wanted ? 'TRUST_BENEFICIARY' : 'UNTRUST_BENEFICIARY'
