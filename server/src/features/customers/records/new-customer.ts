import { newId } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { PlatformConfig } from '../../platform/index.ts'
import { consentOf } from '../terms/consent.ts'
import { contactChannel } from '../contact/machine.ts'
import type { Customer } from '../customer.ts'
import {
  businessProfileOf,
  governmentNumberOf,
  individualProfileOf,
  textAt,
} from '../profile/record.ts'
import { sealIdentifier } from '../profile/identifier.ts'
import { requiredChannels } from '../profile/regions.ts'
import { isJudgedByName } from '../../../providers/identity/identity-provider-for.ts'
import { initialStatus } from '../status/rules.ts'
import type { CustomerCreateBody } from '../schema.ts'
import { newUmaAddress } from '../uma/address.ts'

/** Builds the customer of a valid request; writes nothing. */
export function newCustomer(
  work: Work,
  request: CustomerCreateBody,
  config: PlatformConfig,
): Customer {
  const { platform, keyring, now } = work
  const id = newId('customer')
  const { customerType, region, currencies, endUserTermsConsent } = request
  const number = governmentNumberOf(request)
  const channels = requiredChannels(platform, region)
  const common = {
    id,
    platformCustomerId: request.platformCustomerId ?? id,
    umaAddress: request.umaAddress?.toLowerCase() ?? newUmaAddress(config.umaDomain),
    region,
    currencies: [...new Set(currencies ?? config.currencies.map(({ currency }) => currency))],
    currenciesExplicit: currencies !== undefined,
    email: request.email,
    phoneNumber: request.phoneNumber,
    contact: Object.fromEntries(channels.map((channel) => [channel, contactChannel.initial])),
    status: initialStatus(platform, {
      customerType,
      fullName: textAt(request, 'fullName'),
      isJudgedByName: isJudgedByName(work),
    }),
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
