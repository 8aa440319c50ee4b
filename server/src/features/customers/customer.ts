import type { Id } from '../../kernel/ids.ts'
import type { ShownBeneficialOwner } from './profile/beneficial-owner-schema.ts'
import type { EndUserTermsConsent } from './terms/consent-schema.ts'
import type { Channel, ChannelStatus } from './contact/machine.ts'
import type { BusinessProfile, IndividualProfile } from './profile/schema.ts'
import type { CustomerStatus } from './status/machine.ts'

type Common = Readonly<{
  id: Id<'customer'>
  /** The customer's own id where the platform sent none. */
  platformCustomerId: string
  umaAddress: string
  region: string | undefined
  currencies: readonly string[]
  /** A customer without an explicit list follows the platform's (CFG-10). */
  currenciesExplicit: boolean
  email: string | undefined
  phoneNumber: string | undefined
  /** Only the channels that the region requires (CONT-1). */
  contact: Readonly<Partial<Record<Channel, ChannelStatus>>>
  status: CustomerStatus
  /** The government-issued number, sealed; a business's is its tax id. */
  identifier: Buffer | undefined
  consent: EndUserTermsConsent | undefined
  isDeleted: boolean
  createdAt: Date
  updatedAt: Date
}>

export type IndividualCustomer = Common &
  Readonly<{ customerType: 'INDIVIDUAL'; profile: IndividualProfile }>

/** `businessInfo.taxId` is not in the profile but sealed in `identifier`. */
export type BusinessCustomer = Common &
  Readonly<{
    customerType: 'BUSINESS'
    profile: BusinessProfile
    beneficialOwners: readonly ShownBeneficialOwner[]
  }>

export type Customer = IndividualCustomer | BusinessCustomer

/** The full or legal name. */
export const knownName = (customer: Customer): string | undefined =>
  customer.customerType === 'INDIVIDUAL'
    ? customer.profile.fullName
    : customer.profile.businessInfo.legalName

/** The full or legal name; where none is known yet, the platform's own id of the customer. */
export const displayName = (customer: Customer): string =>
  knownName(customer) ?? customer.platformCustomerId
