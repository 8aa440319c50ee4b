import type { Work } from '../../infra/work.ts'
import type { Customer, CustomerStatus, ShownBeneficialOwner } from '../customers/index.ts'
import { statusAfterHold, statusWithBusiness } from './rules.ts'
import { listOwnersOf, saveOwnerStatuses } from './store.ts'
import { ownerInCustomer } from './wire.ts'

/**
 * KYB-5: the owners of a locked business move with it. Answers all of them as the business is to show them from now
 * on; undefined for an individual. Refuses nothing.
 */
export async function moveOwners(
  { tx, platform, now, keyring }: Work,
  customer: Customer,
  { to, isRelease }: Readonly<{ to: CustomerStatus; isRelease: boolean }>,
): Promise<readonly ShownBeneficialOwner[] | undefined> {
  if (customer.customerType !== 'BUSINESS') return undefined
  const owners = await listOwnersOf(tx, platform.id, customer.id)
  const statusOf = isRelease ? statusAfterHold : statusWithBusiness
  const after = owners.map((owner) => {
    const status = statusOf(platform, owner, to)
    return status === owner.status ? owner : { ...owner, status, updatedAt: now }
  })
  const moves = after.filter((owner, index) => owner !== owners[index])
  if (moves.length > 0) await saveOwnerStatuses(tx, platform.id, { moves, now })
  return after.map((owner) => ownerInCustomer(keyring, owner))
}
