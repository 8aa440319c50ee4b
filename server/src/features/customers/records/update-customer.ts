import { isDeepStrictEqual } from 'node:util'
import { fail, mustHaveNoErrors } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import { advance } from '../../../kernel/machine.ts'
import type { Work } from '../../../infra/work/work.ts'
import { readConfig } from '../../platform/index.ts'
import {
  clearedFieldsOf,
  fillsFields,
  type ChangedRecord,
  mustHaveMandatoryFields,
} from '../currencies/mandatory-fields.ts'
import { checkChange } from '../profile/check-change.ts'
import { checkOffer } from '../profile/check-offer.ts'
import { consentOf, recordConsent } from '../terms/consent.ts'
import { contactChannel, type Channel } from '../contact/machine.ts'
import { displayName, knownName, type Customer } from '../customer.ts'
import {
  businessProfileOf,
  governmentNumberOf,
  identifierIndexOf,
  individualProfileOf,
  mergeRecord,
  textAt,
  toRecord,
  type CustomerRecord,
} from '../profile/record.ts'
import { lockCustomer } from './find-customer.ts'
import { sealIdentifier } from '../profile/identifier.ts'
import { indexCurrencies, unindexCurrencies } from '../currencies/index-store.ts'
import type { CustomerUpdateBody } from '../schema.ts'
import { findClaims, insertUmaAddress, saveCustomer } from './store.ts'

/**
 * Changes the fields that the request names (CUST-51); `updatedAt` stays where nothing differs.
 * Fails: USER_NOT_FOUND, INVALID_INPUT, INVALID_UMA_ADDRESS, MISSING_MANDATORY_USER_INFO,
 * END_USER_TERMS_VERSION_NOT_FOUND, UMA_ADDRESS_EXISTS, CONFLICT (money in a currency that is given up),
 * SCA_SESSION_REQUIRED (CUST-68).
 */
export async function updateCustomer(
  work: Work,
  id: Id<'customer'>,
  request: CustomerUpdateBody,
): Promise<Customer> {
  const { tx, platform } = work
  const umaAddress = request.umaAddress?.toLowerCase()
  const { currencies, endUserTermsConsent } = request
  const [before, config, found] = await Promise.all([
    lockCustomer(work, id),
    readConfig(work),
    findClaims(tx, platform, { umaAddress, termsVersion: endUserTermsConsent?.termsVersion }),
  ])
  const former = toRecord(work.keyring, before)
  const record = mergeRecord(former, request)
  const changed = { customerType: before.customerType, before: former, after: record }
  mustHaveNoErrors([
    ...checkChange(work, { before, record, request }),
    ...checkOffer(request, config, before),
  ])
  mustHaveMandatoryFields(before.customerType, record, currencies ?? [])
  await mustNotClearUsed(work, { before, currencies, changed })
  if (endUserTermsConsent && !found.isTermsVersionKnown) fail('END_USER_TERMS_VERSION_NOT_FOUND')
  const holder = found.umaAddressHolder
  if (holder !== null && holder !== id) fail('UMA_ADDRESS_EXISTS')
  const after = changedCustomer(work, { before, record, request })
  const isUmaAddressNew = umaAddress !== undefined && holder === null
  const saved = await saveChange(work, { before, after, record, isUmaAddressNew })
  if (knownName(saved) !== undefined && isOtherIdentity(changed)) {
    await work.react('customers.identityChanged', { customerIds: [id], isNew: false })
  }
  if (fillsFields(changed)) await work.react('customers.fieldsFilled', { customerId: id })
  return saved
}

/** What lists are searched for (PROV-100). */
const IDENTITY = [
  'fullName',
  'birthDate',
  'nationality',
  'address.country',
  'businessInfo.legalName',
  'businessInfo.doingBusinessAs',
  'businessInfo.country',
  'businessInfo.registrationNumber',
]

const isOtherIdentity = ({ before, after }: ChangedRecord): boolean =>
  IDENTITY.some((path) => textAt(before, path) !== textAt(after, path))

type Clearing = Readonly<{
  before: Customer
  currencies: readonly string[] | undefined
  changed: ChangedRecord
}>

/** Fields that a currency in use requires cannot be cleared (CUST-67). A reaction knows which currencies are in use. */
async function mustNotClearUsed(
  work: Work,
  { before, currencies, changed }: Clearing,
): Promise<void> {
  const listed = currencies ?? (before.currenciesExplicit ? before.currencies : [])
  const cleared = clearedFieldsOf(changed, listed)
  if (cleared.length === 0) return
  await work.react('customers.fieldsCleared', { customerId: before.id, cleared })
}

type Change = Readonly<{ before: Customer; record: CustomerRecord; request: CustomerUpdateBody }>

function changedCustomer(work: Work, { before, record, request }: Change): Customer {
  const { endUserTermsConsent: consent, currencies } = request
  const changed = {
    umaAddress: request.umaAddress?.toLowerCase() ?? before.umaAddress,
    currencies: currencies ? [...new Set(currencies)] : before.currencies,
    currenciesExplicit: before.currenciesExplicit || currencies !== undefined,
    email: textAt(record, 'email'),
    phoneNumber: textAt(record, 'phoneNumber'),
    identifier: identifierAfter(work, { before, record }),
    consent: consent ? consentOf(consent) : consent === null ? undefined : before.consent,
  }
  const contact = contactAfter(before, changed)
  return before.customerType === 'INDIVIDUAL'
    ? { ...before, ...changed, contact, profile: individualProfileOf(record) }
    : { ...before, ...changed, contact, profile: businessProfileOf(record) }
}

/** Sealing is not deterministic, so an unchanged number keeps its sealed bytes. */
function identifierAfter(
  { keyring }: Work,
  { before, record }: Pick<Change, 'before' | 'record'>,
): Buffer | undefined {
  const number = governmentNumberOf(record)
  if (number === governmentNumberOf(toRecord(keyring, before))) return before.identifier
  return number === undefined ? undefined : sealIdentifier(keyring, before.id, number)
}

type ContactValues = Pick<Customer, 'email' | 'phoneNumber'>

/** An e-mail address in another case is the same (CUST-54). */
function changedChannels(before: ContactValues, after: ContactValues): Channel[] {
  const isSameEmail = before.email?.toLowerCase() === after.email?.toLowerCase()
  return [
    ...(isSameEmail ? [] : (['email'] as const)),
    ...(before.phoneNumber === after.phoneNumber ? [] : (['phone'] as const)),
  ]
}

/** A new value has to be verified again (CONT-9). */
function contactAfter(before: Customer, after: ContactValues): Customer['contact'] {
  const changed = changedChannels(before, after)
  return Object.fromEntries(
    Object.entries(before.contact).map(([channel, status]) => [
      channel,
      changed.includes(channel as Channel)
        ? advance(contactChannel, status, 'changeValue')
        : status,
    ]),
  )
}

type Outcome = Readonly<{
  before: Customer
  after: Customer
  record: CustomerRecord
  isUmaAddressNew: boolean
}>

async function saveChange(work: Work, outcome: Outcome): Promise<Customer> {
  const { before, record } = outcome
  const { tx, platform, keyring } = work
  const { currenciesExplicit } = outcome.after
  const isSame = isDeepStrictEqual({ ...before, currenciesExplicit }, outcome.after)
  if (isSame && before.currenciesExplicit === currenciesExplicit) return before
  const after: Customer = isSame ? outcome.after : { ...outcome.after, updatedAt: work.now }
  const channels = changedChannels(before, after)
  if (channels.includes('phone')) {
    await work.react('customers.phoneChanging', { customerId: after.id })
  }
  saveCustomer(tx, platform.id, {
    customer: after,
    identifierIndex: identifierIndexOf(keyring, record),
  })
  if (outcome.isUmaAddressNew) insertUmaAddress(tx, platform.id, after)
  if (!isDeepStrictEqual(before.consent, after.consent)) recordConsent(work, after)
  await changeCurrencies(work, { before, after })
  for (const channel of channels) {
    await work.react('customers.contactChanged', { customerId: after.id, channel })
  }
  return after
}

/** An added currency gets its account; a removed currency's account must be empty (CUST-56). */
async function changeCurrencies(
  work: Work,
  { before, after }: Pick<Outcome, 'before' | 'after'>,
): Promise<void> {
  const { tx, platform } = work
  const { id: customerId, email } = after
  const added = after.currencies.filter((code) => !before.currencies.includes(code))
  const removed = before.currencies.filter((code) => !after.currencies.includes(code))
  if (removed.length > 0) {
    await work.react('customers.currenciesRemoved', { customerId, currencies: removed })
    unindexCurrencies(tx, platform.id, { customer: after, currencies: removed })
  }
  if (added.length > 0) {
    indexCurrencies(tx, platform.id, { customer: after, currencies: added })
    const customer = { customerId, name: displayName(after), email, currencies: added }
    await work.react('customers.currenciesAdded', { customers: [customer] })
  }
}
