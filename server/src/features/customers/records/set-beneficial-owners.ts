import type { Work } from '../../../infra/work/work.ts'
import type { ShownBeneficialOwner } from '../profile/beneficial-owner-schema.ts'
import type { BusinessCustomer } from '../customer.ts'
import { saveStatusAndOwners } from './store.ts'

/** Replaces the owners that a locked business shows, in the order of their creation. Refuses nothing. */
export function setBeneficialOwners(
  { tx, platform, now }: Work,
  business: BusinessCustomer,
  beneficialOwners: readonly ShownBeneficialOwner[],
): BusinessCustomer {
  const customer = { ...business, beneficialOwners, updatedAt: now }
  saveStatusAndOwners(tx, platform.id, customer)
  return customer
}
