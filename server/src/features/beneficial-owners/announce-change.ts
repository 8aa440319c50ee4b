import type { Work } from '../../infra/work.ts'
import type { BeneficialOwner } from './beneficial-owner.ts'

/** Lets a reviewer know of an owner who was written after the business was submitted (KYB-11). */
export async function announceChange(
  work: Work,
  { customerId, coverage }: Pick<BeneficialOwner, 'customerId' | 'coverage'>,
): Promise<void> {
  if (coverage !== 'NONE') await work.react('beneficialOwners.changed', { customerId })
}
