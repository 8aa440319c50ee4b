import { fail, mustHaveNoErrors } from '../../../kernel/errors.ts'
import { formatId } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { readConfig } from '../../platform/index.ts'
import { addCustomers } from './add-customers.ts'
import { checkOffer } from '../profile/check-offer.ts'
import type { Customer } from '../customer.ts'
import { mustHaveMandatoryFields } from '../currencies/mandatory-fields.ts'
import type { CustomerCreateBody } from '../schema.ts'
import { newCustomer } from './new-customer.ts'
import {
  findClaims,
  lockCurrencyListForShare,
  insertUmaAddress,
  lockPlatformCustomerId,
} from './store.ts'

/**
 * Creates a customer and, by reaction, one internal account for each of its currencies, all or nothing (CUST-24). Takes
 * two round trips: all reads, and all writes with the commit.
 * Fails: INVALID_INPUT, INVALID_UMA_ADDRESS, MISSING_MANDATORY_USER_INFO, END_USER_TERMS_VERSION_NOT_FOUND,
 * UMA_ADDRESS_EXISTS, CONFLICT.
 */
export async function createCustomer(work: Work, request: CustomerCreateBody): Promise<Customer> {
  const { tx, platform } = work
  const umaAddress = request.umaAddress?.toLowerCase()
  const { platformCustomerId, currencies } = request
  // Sent in order without waiting, so the look-ups run after the locks and see what former holders wrote.
  const [, , config, found] = await Promise.all([
    currencies ?? lockCurrencyListForShare(tx, platform.id),
    platformCustomerId && lockPlatformCustomerId(tx, platform.id, platformCustomerId),
    readConfig(work),
    findClaims(tx, platform, {
      platformCustomerId,
      umaAddress,
      termsVersion: request.endUserTermsConsent?.termsVersion,
    }),
  ])

  mustHaveNoErrors(checkOffer(request, config))
  mustHaveMandatoryFields(request.customerType, request, currencies ?? [])
  if (request.endUserTermsConsent && !found.isTermsVersionKnown) {
    fail('END_USER_TERMS_VERSION_NOT_FOUND')
  }
  if (found.umaAddressHolder) fail('UMA_ADDRESS_EXISTS')
  if (found.platformCustomerIdHolder && umaAddress === undefined) {
    fail('CONFLICT', {
      reason: 'PLATFORM_CUSTOMER_ID_TAKEN',
      customerId: formatId('customer', found.platformCustomerIdHolder),
    })
  }
  const customer = newCustomer(work, request, config)
  insertUmaAddress(tx, platform.id, customer)
  await addCustomers(work, [{ customer, record: request }])
  return customer
}
