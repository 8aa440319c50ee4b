import type { Id } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import type { Keyring } from '../../../crypto/seal.ts'
import { openJson, sealJson } from '../../../infra/db/sealed-json.ts'
import { sql, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { EndUserTermsConsent } from '../terms/consent-schema.ts'
import type { Channel, ChannelStatus } from '../contact/machine.ts'
import type { BusinessCustomer, Customer } from '../customer.ts'
import type { CustomerStatus, CustomerType } from '../status/machine.ts'
import { contactColumns, openContact, searchedTexts, setContact } from './contact-store.ts'

type PlatformId = Id<'platform'>

export type CustomerRow = Readonly<{
  id: Id<'customer'>
  customerType: CustomerType
  platformCustomerId: string
  umaAddress: string
  region: string | null
  currencies: string[]
  currenciesExplicit: boolean
  email: string | null
  phoneNumber: string | null
  emailStatus: ChannelStatus | null
  phoneStatus: ChannelStatus | null
  status: CustomerStatus
  profile: Customer['profile']
  identifier: Buffer | null
  consent: EndUserTermsConsent | null
  beneficialOwners: BusinessCustomer['beneficialOwners']
  sealedContact: Buffer | null
  isDeleted: boolean
  createdAt: Date
  updatedAt: Date
}>

export const CUSTOMER_COLUMNS = sql`c.id, c.customer_type, c.platform_customer_id, c.uma_address, c.region,
  c.currencies, c.currencies_explicit, c.email, c.phone_number, c.email_status, c.phone_status, c.status, c.profile,
  c.identifier, c.consent, c.beneficial_owners, c.sealed_contact, c.is_deleted, c.created_at, c.updated_at`

function openRow(keyring: Keyring, { sealedContact, ...row }: CustomerRow) {
  const { id, beneficialOwners: value } = row
  const beneficialOwners = openJson(keyring, 'customerOwners', { id, value })
  return { ...row, beneficialOwners, ...(sealedContact && openContact(keyring, id, sealedContact)) }
}

const ownersOf = (keyring: Keyring, customer: Customer): string => {
  const owners = customer.customerType === 'BUSINESS' ? customer.beneficialOwners : []
  return sealJson(keyring, 'customerOwners', { id: customer.id, value: sql.json(owners) })
}

export function toCustomer(keyring: Keyring, stored: CustomerRow): Customer {
  const row = openRow(keyring, stored)
  const { emailStatus, phoneStatus, customerType, beneficialOwners, ...rest } = row
  const common = {
    ...rest,
    region: row.region ?? undefined,
    email: row.email ?? undefined,
    phoneNumber: row.phoneNumber ?? undefined,
    identifier: row.identifier ?? undefined,
    consent: row.consent ?? undefined,
    contact: {
      ...(emailStatus && { email: emailStatus }),
      ...(phoneStatus && { phone: phoneStatus }),
    },
  }
  return (
    customerType === 'INDIVIDUAL'
      ? { ...common, customerType }
      : { ...common, customerType, beneficialOwners }
  ) as Customer
}

/** Finds deleted customers too; those whose data is erased only where they are asked for. */
export async function findCustomerRow(
  tx: Tx,
  platformId: PlatformId,
  { id, isErasedToo = false }: Readonly<{ id: Id<'customer'>; isErasedToo?: boolean }>,
): Promise<Customer | undefined> {
  const row = await tx.find<CustomerRow>(
    sql`select ${CUSTOMER_COLUMNS} from customers c where c.platform_id = ${platformId} and c.id = ${id}
        ${isErasedToo ? sql.empty : sql`and c.erased_at is null`}`,
  )
  return row && toCustomer(tx.keyring, row)
}

/** Locks deleted customers too. A deletion also waits for the key locks of listPayers. */
export async function lockCustomerRow(
  tx: Tx,
  platformId: PlatformId,
  id: Id<'customer'>,
  { isDeleting = false }: Readonly<{ isDeleting?: boolean }> = {},
): Promise<Customer | undefined> {
  const row = await tx.maybe<CustomerRow>(
    sql`select ${CUSTOMER_COLUMNS} from customers c where c.platform_id = ${platformId} and c.id = ${id}
        ${isDeleting ? sql`and c.erased_at is null for update` : sql`for no key update`}`,
  )
  return row && toCustomer(tx.keyring, row)
}

/**
 * Keeps the platform's list of currencies unchanged until the transaction ends, for a customer that gets all of them.
 * Creations share the lock; a change of the list waits for them (lockCurrencyList).
 */
export async function lockCurrencyListForShare(tx: Tx, platformId: PlatformId): Promise<void> {
  await tx.run(
    sql`select pg_advisory_xact_lock_shared(hashtextextended(${`currencies of ${platformId}`}, 0))`,
  )
}

/** Waits until every creation that read the former list of currencies is committed. */
export async function lockCurrencyList(tx: Tx, platformId: PlatformId): Promise<void> {
  await tx.run(
    sql`select pg_advisory_xact_lock(hashtextextended(${`currencies of ${platformId}`}, 0))`,
  )
}

/** Serialises requests that use one platformCustomerId: the second finds what the first wrote. */
export async function lockPlatformCustomerId(
  tx: Tx,
  platformId: PlatformId,
  platformCustomerId: string,
): Promise<void> {
  const name = `customer ${platformId} ${platformCustomerId}`
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

export type Claims = Readonly<{
  platformCustomerId?: string | undefined
  umaAddress?: string | undefined
  termsVersion?: string | undefined
}>

export type ClaimFindings = Readonly<{
  /** The oldest active customer with this platformCustomerId. */
  platformCustomerIdHolder: Id<'customer'> | null
  umaAddressHolder: Id<'customer'> | null
  isTermsVersionKnown: boolean
}>

/**
 * Whether the address of row `u` is taken for a platform: by a customer of its own or, in production, by one of another
 * platform that had the domain before, since customers keep their addresses (CFG-14). Sandboxes may share a domain.
 */
export const isTakenFor = (platform: Platform): Sql =>
  traitsOf(platform).reachesCounterparties
    ? sql`u.platform_id in (select id from platforms where environment = ${platform.environment})`
    : sql`u.platform_id = ${platform.id}`

export function findClaims(
  tx: Tx,
  platform: Platform,
  { platformCustomerId, umaAddress, termsVersion }: Claims,
): Promise<ClaimFindings> {
  const named =
    platformCustomerId === undefined
      ? null
      : searchedTexts(tx.keyring, 'platformCustomerId', platformCustomerId)
  return tx.one<ClaimFindings>(
    sql`select
          (select c.id from customers c where c.platform_id = ${platform.id}
             and c.platform_customer_id = any(${named}::text[]) and not c.is_deleted
           order by c.created_at, c.id limit 1) as platform_customer_id_holder,
          (select u.customer_id from uma_addresses u
           where u.address = ${umaAddress ?? null} and ${isTakenFor(platform)}
           order by u.platform_id = ${platform.id} desc limit 1) as uma_address_holder,
          exists (select 1 from end_user_terms t where t.version = ${termsVersion ?? null}) as is_terms_version_known`,
  )
}

export type SavedCustomer = Readonly<{ customer: Customer; identifierIndex: Buffer | undefined }>

const columnsOf = (customer: Customer) => ({
  emailStatus: customer.contact.email ?? null,
  phoneStatus: customer.contact.phone ?? null,
  consent: customer.consent ? sql.json(customer.consent) : null,
})

/** Written with the commit, which a taken UMA address fails with UMA_ADDRESS_EXISTS. */
export function insertCustomer(
  tx: Tx,
  platformId: PlatformId,
  { customer, identifierIndex }: SavedCustomer,
): void {
  const { emailStatus, phoneStatus, consent } = columnsOf(customer)
  const contact = contactColumns(tx.keyring, customer)
  const owners = ownersOf(tx.keyring, customer)
  tx.queueWrite(
    sql`insert into customers (platform_id, id, customer_type, platform_customer_id, uma_address, region, currencies,
          currencies_explicit, email, phone_number, email_status, phone_status, status, profile, identifier,
          identifier_index, consent, beneficial_owners, sealed_contact, is_deleted, created_at, updated_at, status_changed_at)
        values (${platformId}, ${customer.id}, ${customer.customerType}, ${contact.platform_customer_id},
          ${customer.umaAddress}, ${customer.region ?? null}, ${customer.currencies}::text[],
          ${customer.currenciesExplicit}, ${contact.email}, ${contact.phone_number}, ${emailStatus},
          ${phoneStatus}, ${customer.status}, ${contact.profile}::jsonb, ${customer.identifier ?? null},
          ${identifierIndex ?? null}, ${consent}::jsonb, ${owners}::jsonb, ${contact.sealed_contact},
          ${customer.isDeleted}, ${customer.createdAt}, ${customer.updatedAt}, ${customer.createdAt})`,
  )
}

export function insertUmaAddress(tx: Tx, platformId: PlatformId, customer: Customer): void {
  tx.queueWrite(
    sql`insert into uma_addresses (platform_id, address, customer_id)
        values (${platformId}, ${customer.umaAddress}, ${customer.id})`,
  )
}

/** Saves every field that an update may change; the row is locked. */
export function saveCustomer(
  tx: Tx,
  platformId: PlatformId,
  { customer, identifierIndex }: SavedCustomer,
): void {
  const { consent } = columnsOf(customer)
  tx.queueWrite(
    sql`update customers set uma_address = ${customer.umaAddress}, currencies = ${customer.currencies}::text[],
          currencies_explicit = ${customer.currenciesExplicit}, ${setContact(tx.keyring, customer)},
          identifier = ${customer.identifier ?? null}, identifier_index = ${identifierIndex ?? null},
          consent = ${consent}::jsonb, email_status = ${customer.contact.email ?? null},
          phone_status = ${customer.contact.phone ?? null}, updated_at = ${customer.updatedAt}
        where platform_id = ${platformId} and id = ${customer.id}`,
  )
}

/** Saves the outcome of a verification; the row is locked. */
export function saveStatusAndOwners(tx: Tx, platformId: PlatformId, customer: Customer): void {
  const owners = ownersOf(tx.keyring, customer)
  tx.queueWrite(
    sql`update customers set status = ${customer.status}, beneficial_owners = ${owners}::jsonb,
          status_changed_at = case when status = ${customer.status} then status_changed_at
            else ${customer.updatedAt}::timestamptz end,
          updated_at = ${customer.updatedAt}
        where platform_id = ${platformId} and id = ${customer.id}`,
  )
}

export function saveChannelStatus(
  tx: Tx,
  platformId: PlatformId,
  { customer, channel }: { customer: Customer; channel: Channel },
): void {
  const status = customer.contact[channel] ?? null
  const column = channel === 'email' ? sql`email_status` : sql`phone_status`
  tx.queueWrite(
    sql`update customers set ${column} = ${status}, updated_at = ${customer.updatedAt}
        where platform_id = ${platformId} and id = ${customer.id}`,
  )
}

/** Saves the number with the status of its channel; the row is locked. */
export function savePhoneNumber(tx: Tx, platformId: PlatformId, customer: Customer): void {
  tx.queueWrite(
    sql`update customers set ${setContact(tx.keyring, customer)},
          phone_status = ${customer.contact.phone ?? null}, updated_at = ${customer.updatedAt}
        where platform_id = ${platformId} and id = ${customer.id}`,
  )
}

export function markDeleted(tx: Tx, platformId: PlatformId, customer: Customer): void {
  tx.queueWrite(
    sql`update customers set is_deleted = true, updated_at = ${customer.updatedAt}
        where platform_id = ${platformId} and id = ${customer.id}`,
  )
}
