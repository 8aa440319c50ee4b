import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { createInternalAccounts } from './create-internal-accounts.ts'

/** A platform has an account in each of its currencies, from the moment it adds the currency (IACC-3). */
export function openPlatformAccounts(
  work: Work,
  { currencies }: InternalEvents['platform.currenciesAdded'],
): Promise<void> {
  return createInternalAccounts(work, [{ holderName: work.platform.name, currencies }])
}

type Customers = InternalEvents['customers.created']['customers']

const ownersOf = (customers: Customers) =>
  customers.map(({ customerId, name, email, currencies }) => ({
    customerId,
    holderName: name,
    email,
    currencies,
  }))

/** A customer has an account in each of its currencies (IACC-1). */
export function openCustomerAccounts(
  work: Work,
  { customers }: InternalEvents['customers.created'],
): Promise<void> {
  const owners = ownersOf(customers).map((owner) => ({ ...owner, isNew: true }))
  return createInternalAccounts(work, owners)
}

/** A customer gets an account in each currency it gains later; one it had before has kept its account (CFG-10, CUST-56). */
export function openFurtherAccounts(
  work: Work,
  { customers }: InternalEvents['customers.currenciesAdded'],
): Promise<void> {
  return createInternalAccounts(work, ownersOf(customers))
}
