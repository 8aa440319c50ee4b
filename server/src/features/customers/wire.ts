import type { Keyring } from '../../crypto/seal.ts'
import { toWireTime } from '../../kernel/clock.ts'
import { maskGovernmentNumber } from '../../kernel/text/government-number.ts'
import { formatId } from '../../kernel/ids.ts'
import type { Customer } from './customer.ts'
import { openIdentifier } from './profile/identifier.ts'
import type { CustomerBody } from './schema.ts'

/** The customer as answers show it, without an individual's identifier (CUST-12). */
export function customerToWire(keyring: Keyring, customer: Customer): CustomerBody {
  const { id, identifier, status } = customer
  const common = commonToWire(customer)
  if (customer.customerType === 'INDIVIDUAL') {
    return {
      ...common,
      customerType: 'INDIVIDUAL',
      kycStatus: status,
      ...(identifier && { countryOfIssuance: 'US' }),
      ...customer.profile,
    }
  }
  const { address, businessInfo } = customer.profile
  return {
    ...common,
    customerType: 'BUSINESS',
    kybStatus: status,
    ...(address && { address }),
    businessInfo: {
      ...businessInfo,
      ...(identifier && { taxId: openIdentifier(keyring, id, identifier) }),
    },
    beneficialOwners: [...customer.beneficialOwners],
  }
}

/** The customer for events and operators, with the tax id of a business masked (HOOK-5). */
export function maskedCustomerToWire(keyring: Keyring, customer: Customer): CustomerBody {
  const shown = customerToWire(keyring, customer)
  if (shown.customerType !== 'BUSINESS' || shown.businessInfo?.taxId === undefined) return shown
  const taxId = maskGovernmentNumber(shown.businessInfo.taxId)
  return { ...shown, businessInfo: { ...shown.businessInfo, taxId } }
}

function commonToWire(customer: Customer) {
  const { region, email, phoneNumber, contact, consent } = customer
  return {
    id: formatId('customer', customer.id),
    platformCustomerId: customer.platformCustomerId,
    customerType: customer.customerType,
    umaAddress: customer.umaAddress,
    ...(region !== undefined && { region }),
    currencies: [...customer.currencies],
    ...(email !== undefined && { email }),
    ...(phoneNumber !== undefined && { phoneNumber }),
    ...(Object.keys(contact).length > 0 && { contactVerification: contact }),
    ...(consent && { endUserTermsConsent: consent }),
    isDeleted: customer.isDeleted,
    createdAt: toWireTime(customer.createdAt),
    updatedAt: toWireTime(customer.updatedAt),
  }
}
