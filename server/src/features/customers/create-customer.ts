import { fail } from '../../kernel/errors.ts'
import { formatId, newId, newUuid } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import { readConfig, type PlatformConfig } from '../platform/index.ts'
import { announceStatus } from './announce-status.ts'
import { checkOffer, failUnlessSound } from './check-offer.ts'
import { consentOf, recordConsent } from './consent.ts'
import { contactChannel } from './contact-channel-machine.ts'
import { displayName, type Customer } from './customer.ts'
import {
  businessProfileOf,
  governmentNumberOf,
  identifierIndexOf,
  individualProfileOf,
  textAt,
  type CustomerRecord,
} from './customer-record.ts'
import { sealIdentifier } from './identifier.ts'
import { listUnderCurrencies } from './listing-store.ts'
import { mustHaveMandatoryFields } from './mandatory-fields.ts'
import { requiredChannels } from './regions.ts'
import { initialStatus } from './rules.ts'
import type { CustomerCreateBody } from './schema.ts'
import {
  findClaims,
  holdCurrencies,
  insertCustomer,
  insertUmaAddress,
  lockPlatformCustomerId,
} from './store.ts'
import { newUmaAddress } from './uma-address.ts'

/**
 * Makes a customer, and by reaction one internal account for each of its currencies, all or nothing (CUST-24). Two
 * round trips: everything that is looked at, and everything that is written with the commit.
 * Fails: INVALID_INPUT, INVALID_UMA_ADDRESS, MISSING_MANDATORY_USER_INFO, END_USER_TERMS_VERSION_NOT_FOUND,
 * UMA_ADDRESS_EXISTS, CONFLICT.
 */
export async function createCustomer(work: Work, request: CustomerCreateBody): Promise<Customer> {
  const { tx, platform } = work
  const umaAddress = request.umaAddress?.toLowerCase()
  const { platformCustomerId, currencies } = request
  // Sent one after the other without waiting, so the look-ups see what the holders of the locks have written.
  const [, , config, found] = await Promise.all([
    currencies ?? holdCurrencies(tx, platform.id),
    platformCustomerId && lockPlatformCustomerId(tx, platform.id, platformCustomerId),
    readConfig(work),
    findClaims(tx, platform.id, {
      platformCustomerId,
      umaAddress,
      termsVersion: request.endUserTermsConsent?.termsVersion,
    }),
  ])

  failUnlessSound(checkOffer(request, config))
  mustHaveMandatoryFields(request.customerType, request, currencies ?? [])
  if (request.endUserTermsConsent && !found.isTermsVersionKnown) {
    fail('END_USER_TERMS_VERSION_NOT_FOUND')
  }
  if (found.umaAddressHolder) fail('UMA_ADDRESS_EXISTS')
  if (found.platformCustomerIdHolder && umaAddress === undefined) {
    fail('CONFLICT', { customerId: formatId('customer', found.platformCustomerIdHolder) })
  }
  const customer = newCustomer(work, request, config)
  await addCustomer(work, customer, request)
  return customer
}

function newCustomer(work: Work, request: CustomerCreateBody, config: PlatformConfig): Customer {
  const { platform, keyring, now } = work
  const id = newId('customer')
  const { customerType, region, currencies, endUserTermsConsent } = request
  const number = governmentNumberOf(request)
  const channels = requiredChannels(platform, region)
  const common = {
    id,
    platformCustomerId: request.platformCustomerId ?? newUuid(),
    umaAddress: request.umaAddress?.toLowerCase() ?? newUmaAddress(config.umaDomain),
    region,
    currencies: [...new Set(currencies ?? config.currencies.map(({ currency }) => currency))],
    currenciesExplicit: currencies !== undefined,
    email: request.email,
    phoneNumber: request.phoneNumber,
    contact: Object.fromEntries(channels.map((channel) => [channel, contactChannel.initial])),
    status: initialStatus(platform, { customerType, fullName: textAt(request, 'fullName') }),
    identifier: number === undefined ? undefined : sealIdentifier(keyring, id, number),
    consent: endUserTermsConsent && consentOf(endUserTermsConsent),
    isDeleted: false,
    createdAt: now,
    updatedAt: now,
  }
  return customerType === 'INDIVIDUAL'
    ? { ...common, customerType, profile: individualProfileOf(request) }
    : { ...common, customerType, profile: businessProfileOf(request), beneficialOwners: [] }
}

async function addCustomer(work: Work, customer: Customer, record: CustomerRecord): Promise<void> {
  const { tx, platform, keyring } = work
  const { id, email, currencies } = customer
  insertCustomer(tx, platform.id, { customer, identifierIndex: identifierIndexOf(keyring, record) })
  insertUmaAddress(tx, platform.id, customer)
  listUnderCurrencies(tx, platform.id, { customer, currencies })
  recordConsent(work, customer)
  const name = displayName(customer)
  await work.react('customers.created', {
    customers: [{ customerId: id, name, email, currencies }],
  })
  announceStatus(work, customer)
}
