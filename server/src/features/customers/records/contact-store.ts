/**
 * Names and contact data of a customer at rest: in columns of their own, or sealed in one. A sealed row has blind indexes
 * in the columns that are searched, and nothing in the others (OPER-78).
 */
import { blindIndex, blindIndexes } from '../../../crypto/blind-index.ts'
import { seal, unseal, type Keyring } from '../../../crypto/seal.ts'
import { sql, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Customer } from '../customer.ts'
import { textAt } from '../profile/record.ts'

export const SEALED_CONTACT = 'customer-contact'

/** What `sealed_contact` holds, as JSON. */
export type Contact = Readonly<{
  platformCustomerId: string
  email: string | null
  phoneNumber: string | null
  profile: Customer['profile']
}>

const SEARCHED = {
  platformCustomerId: { purpose: 'customer-platform-id', normal: (text: string) => text },
  email: { purpose: 'customer-email', normal: (text: string) => text.toLowerCase() },
  phoneNumber: { purpose: 'customer-phone', normal: (text: string) => text },
} as const

type Searched = keyof typeof SEARCHED

/** The texts that the column of a customer with this value may hold. */
export function searchedTexts(keyring: Keyring, field: Searched, value: string): string[] {
  const { purpose, normal } = SEARCHED[field]
  const indexes = blindIndexes(keyring, purpose, normal(value))
  return [normal(value), ...indexes.map((index) => index.toString('hex'))]
}

function indexText(keyring: Keyring, field: Searched, value: string): string {
  const { purpose, normal } = SEARCHED[field]
  return blindIndex(keyring, purpose, normal(value)).toString('hex')
}

/** The full or legal name. */
export const nameIn = ({ profile }: Pick<Contact, 'profile'>): string | undefined =>
  textAt(profile, 'fullName') ?? textAt(profile, 'businessInfo.legalName')

/** The columns beside sealed contact data. Whether there is a name decides what lists are searched for. */
export const columnsBesideContact = (keyring: Keyring, contact: Contact) => ({
  platform_customer_id: indexText(keyring, 'platformCustomerId', contact.platformCustomerId),
  email: contact.email === null ? null : indexText(keyring, 'email', contact.email),
  phone_number:
    contact.phoneNumber === null ? null : indexText(keyring, 'phoneNumber', contact.phoneNumber),
  profile: nameIn(contact) === undefined ? '{}' : '{"isNamed": true}',
})

export function contactColumns(keyring: Keyring, customer: Customer) {
  const { id, platformCustomerId, profile } = customer
  const email = customer.email ?? null
  const phoneNumber = customer.phoneNumber ?? null
  if (!keyring.sealsContactData) {
    const plain = { platform_customer_id: platformCustomerId, email, phone_number: phoneNumber }
    return { ...plain, profile: sql.json(profile), sealed_contact: null }
  }
  const contact = { platformCustomerId, email, phoneNumber, profile }
  const sealed = seal(keyring, SEALED_CONTACT, JSON.stringify(contact), id)
  return { ...columnsBesideContact(keyring, contact), sealed_contact: sealed }
}

/** Contact data of a locked customer, as in `set`. */
export function setContact(keyring: Keyring, customer: Customer): Sql {
  const columns = contactColumns(keyring, customer)
  return sql`platform_customer_id = ${columns.platform_customer_id}, email = ${columns.email},
    phone_number = ${columns.phone_number}, profile = ${columns.profile}::jsonb,
    sealed_contact = ${columns.sealed_contact}`
}

type CustomerId = Id<'customer'>

export const openContact = (keyring: Keyring, id: CustomerId, sealed: Buffer): Contact =>
  JSON.parse(unseal(keyring, SEALED_CONTACT, sealed, id).toString('utf8')) as Contact

/** The columns by which nameCustomers names the joined customer `c`. */
export const CUSTOMER_NAME = sql`
  coalesce(c.profile ->> 'fullName', c.profile #>> '{businessInfo,legalName}') as customer_name, c.sealed_contact`

export type SealedName = Readonly<{ sealedContact: Buffer | null }>

type NamedRow = Readonly<{ customerId: CustomerId | null; customerName: string | null }>

/** Puts the name into rows whose customer is sealed. */
export const nameCustomers = <Row extends NamedRow>(
  keyring: Keyring,
  rows: readonly (Row & SealedName)[],
): Row[] =>
  rows.map(({ sealedContact, ...row }) => {
    if (!sealedContact || !row.customerId) return row as unknown as Row
    const customerName = nameIn(openContact(keyring, row.customerId, sealedContact)) ?? null
    return { ...(row as unknown as Row), customerName }
  })
