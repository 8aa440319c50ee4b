import type { Keyring } from '../../../crypto/seal.ts'
import { valueAt } from '../profile/record.ts'
import { openContact, type Contact } from '../records/contact-store.ts'
import type { CustomerType } from '../status/machine.ts'
import { payerOf, type PayerColumns } from './payer.ts'
import { REQUIRED_PATHS } from './provider-data.ts'

/** The required paths that are empty, as the statement finds them where they are not sealed. */
const missingIn = (customerType: CustomerType, { profile, ...channels }: Contact): string[] =>
  REQUIRED_PATHS[customerType].filter(
    (path) => (valueAt({ ...profile, ...channels }, path) ?? null) === null,
  )

/** The columns of a sealed customer that are made of its contact data; undefined where it is not sealed. */
export function openPayer(keyring: Keyring, row: PayerColumns) {
  const { sealedContact, customerId, customerType, missingFields } = row
  if (sealedContact === null || customerId === null || customerType === null) return undefined
  const contact = openContact(keyring, customerId, sealedContact)
  return {
    contact,
    columns: {
      platformCustomerId: contact.platformCustomerId,
      missingFields: missingFields && missingIn(customerType, contact),
    },
  }
}

/** Replaces a row's customer columns by the payer. */
export function splitPayer<Row extends PayerColumns>(keyring: Keyring, stored: Row) {
  const row = { ...stored, ...openPayer(keyring, stored)?.columns }
  const {
    customerStatus,
    customerConsent,
    isCustomerDeleted,
    customerType,
    missingFields,
    sealedContact,
    ...rest
  } = row
  return { ...rest, payer: payerOf(row) }
}
