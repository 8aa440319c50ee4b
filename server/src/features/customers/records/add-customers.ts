import type { Work } from '../../../infra/work/work.ts'
import { emitStatus } from '../status/move-status.ts'
import { recordConsent } from '../terms/consent.ts'
import { displayName, knownName, type Customer } from '../customer.ts'
import { identifierIndexOf, type CustomerRecord } from '../profile/record.ts'
import { indexCurrencies } from '../currencies/index-store.ts'
import { insertCustomer } from './store.ts'

export type Addition = Readonly<{ customer: Customer; record: CustomerRecord }>

/**
 * Writes new customers with the commit, creates their accounts by reaction, and emits their status. Refuses nothing.
 */
export async function addCustomers(work: Work, additions: readonly Addition[]): Promise<void> {
  const { tx, platform, keyring } = work
  for (const { customer, record } of additions) {
    const { currencies } = customer
    const identifierIndex = identifierIndexOf(keyring, record)
    insertCustomer(tx, platform.id, { customer, identifierIndex })
    indexCurrencies(tx, platform.id, { customer, currencies })
    recordConsent(work, customer)
  }
  await work.react('customers.created', {
    customers: additions.map(({ customer }) => {
      const { id: customerId, email, currencies } = customer
      return { customerId, name: displayName(customer), email, currencies }
    }),
  })
  const named = additions.filter(({ customer }) => knownName(customer) !== undefined)
  await work.react('customers.identityChanged', {
    customerIds: named.map(({ customer }) => customer.id),
    isNew: true,
  })
  for (const { customer } of additions) emitStatus(work, customer)
}
