import type { InternalEvents } from '../../../infra/internal-events.ts'
import type { Work } from '../../../infra/work.ts'
import { createInternalAccounts } from './create-internal-accounts.ts'

/** IACC-3: a platform has an account in each of its currencies, from the moment it has the currency. */
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

/** IACC-1: so has a customer. */
export function openCustomerAccounts(
  work: Work,
  { customers }: InternalEvents['customers.created'],
): Promise<void> {
  const owners = ownersOf(customers).map((owner) => ({ ...owner, isNew: true }))
  return createInternalAccounts(work, owners)
}

/** CFG-10, CUST-56: and in each one that it gains later; one that it had before has kept its account. */
export function openFurtherAccounts(
  work: Work,
  { customers }: InternalEvents['customers.currenciesAdded'],
): Promise<void> {
  return createInternalAccounts(work, ownersOf(customers))
}
