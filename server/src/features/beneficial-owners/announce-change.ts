import type { Work } from '../../infra/work/work.ts'
import type { BeneficialOwner } from './beneficial-owner.ts'

/** Triggers the reviews of a business whose owner was created or changed (KYB-11). */
export async function announceChange(
  work: Work,
  { customerId, coverage }: Pick<BeneficialOwner, 'customerId' | 'coverage'>,
): Promise<void> {
  if (coverage !== 'NONE') await work.react('beneficialOwners.changed', { customerId })
}
