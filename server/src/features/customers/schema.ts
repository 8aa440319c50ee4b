import { Type, type Static } from '../../infra/http/schema/type.ts'
import { E164_PATTERN } from '../../kernel/text/formats.ts'
import {
  clearable,
  listOf,
  named,
  object,
  oneOf,
  pageQuery,
  taggedUnion,
  text,
  timestamp,
} from '../../infra/http/schema/wire-schema.ts'
import { BeneficialOwnerSchema } from './profile/beneficial-owner-schema.ts'
import { EndUserTermsConsentSchema } from './terms/consent-schema.ts'
import { CHANNEL_STATUSES } from './contact/machine.ts'
import {
  AddressSchema,
  businessCoreFields,
  businessOptionalFields,
  clearableAll,
  identifierField,
  individualFields,
  optionalAll,
} from './profile/schema.ts'
import { CUSTOMER_STATUSES, CUSTOMER_TYPES } from './status/machine.ts'

const email = Type.String({ format: 'email', maxLength: 254 })
const phoneNumber = Type.String({ format: 'e.164', pattern: E164_PATTERN })
// No length limit, so that every fault of the address has the same error (CUST-19).
const umaAddress = Type.String({
  description: '`$user@` followed by the platform’s `umaDomain`; kept in lower case.',
})
const currencies = Type.Array(Type.String(), {
  minItems: 1,
})

const individualType = oneOf(['INDIVIDUAL'])
const businessType = oneOf(['BUSINESS'])

/** The interface has the field in requests, where it is ignored (CUST-3). */
const ignoredStatus = Type.Optional({
  ...oneOf(CUSTOMER_STATUSES),
  readOnly: true,
  description: 'Set by the service; ignored when it is sent.',
})

const creationFields = {
  platformCustomerId: Type.Optional(text(255, 'Generated where it is absent.')),
  region: Type.Optional(
    Type.String({
      format: 'iso3166-1-alpha-2',
      description: 'Decides which contact channels are verified, and strong authentication.',
    }),
  ),
  currencies: Type.Optional(currencies),
  email: Type.Optional(email),
  phoneNumber: Type.Optional(phoneNumber),
  umaAddress: Type.Optional(umaAddress),
  endUserTermsConsent: Type.Optional(EndUserTermsConsentSchema),
}

const IndividualCreateSchema = object('IndividualCustomerCreateRequest', {
  customerType: individualType,
  kycStatus: ignoredStatus,
  ...creationFields,
  ...optionalAll(individualFields),
  identifier: Type.Optional(identifierField),
})

const BusinessCreateSchema = object('BusinessCustomerCreateRequest', {
  customerType: businessType,
  kybStatus: ignoredStatus,
  ...creationFields,
  address: Type.Optional(AddressSchema),
  businessInfo: object('BusinessInfo', {
    ...businessCoreFields,
    ...optionalAll(businessOptionalFields),
  }),
})

export const CustomerCreateSchema = taggedUnion(
  { name: 'CustomerCreateRequestOneOf', tag: 'customerType', shared: creationFields },
  [IndividualCreateSchema, BusinessCreateSchema],
)

const updateFields = {
  currencies: Type.Optional(currencies),
  email: clearable(email),
  phoneNumber: clearable(phoneNumber),
  umaAddress: Type.Optional(umaAddress),
  endUserTermsConsent: clearable(EndUserTermsConsentSchema),
}

const IndividualUpdateSchema = object('IndividualCustomerUpdateRequest', {
  customerType: individualType,
  kycStatus: ignoredStatus,
  ...updateFields,
  ...clearableAll(individualFields),
  identifier: clearable(identifierField),
})

const BusinessUpdateSchema = object('BusinessCustomerUpdateRequest', {
  customerType: businessType,
  kybStatus: ignoredStatus,
  ...updateFields,
  address: clearable(AddressSchema),
  businessInfo: Type.Optional(
    object('BusinessInfoUpdate', {
      ...optionalAll(businessCoreFields),
      ...clearableAll(businessOptionalFields),
    }),
  ),
})

export const CustomerUpdateSchema = taggedUnion(
  { name: 'CustomerUpdateRequestOneOf', tag: 'customerType', shared: updateFields },
  [IndividualUpdateSchema, BusinessUpdateSchema],
)

const channelStatus = named('ContactVerificationStatus', oneOf(CHANNEL_STATUSES))

const shownFields = {
  id: Type.String(),
  platformCustomerId: Type.String(),
  umaAddress: Type.String(),
  region: Type.Optional(Type.String()),
  currencies: Type.Array(Type.String()),
  email: Type.Optional(Type.String()),
  phoneNumber: Type.Optional(Type.String()),
  contactVerification: Type.Optional(
    object('ContactVerification', {
      email: Type.Optional(channelStatus),
      phone: Type.Optional(channelStatus),
    }),
  ),
  endUserTermsConsent: Type.Optional(EndUserTermsConsentSchema),
  isDeleted: Type.Boolean(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

const IndividualCustomerSchema = object('IndividualCustomer', {
  customerType: individualType,
  ...shownFields,
  kycStatus: named('KycStatus', oneOf(CUSTOMER_STATUSES)),
  ...optionalAll(individualFields),
})

const BusinessCustomerSchema = object('BusinessCustomer', {
  customerType: businessType,
  ...shownFields,
  kybStatus: named('KybStatus', oneOf(CUSTOMER_STATUSES)),
  address: Type.Optional(AddressSchema),
  businessInfo: object(
    'BusinessInfoResponse',
    optionalAll({ ...businessCoreFields, ...businessOptionalFields }),
  ),
  beneficialOwners: Type.Array(BeneficialOwnerSchema),
})

export const CustomerSchema = taggedUnion({ name: 'CustomerOneOf', tag: 'customerType' }, [
  IndividualCustomerSchema,
  BusinessCustomerSchema,
])

export const CustomerListSchema = listOf('CustomerListResponse', CustomerSchema, { total: true })

export const EndUserTermsSchema = object('EndUserTerms', {
  version: Type.String(),
  url: Type.String(),
})

export const CustomerListQuery = Type.Object({
  platformCustomerId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  customerType: Type.Optional(oneOf(CUSTOMER_TYPES)),
  region: Type.Optional(Type.String({ format: 'iso3166-1-alpha-2' })),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3,5}$' })),
  umaAddress: Type.Optional(Type.String({ format: 'uma-address' })),
  createdAfter: Type.Optional(timestamp()),
  createdBefore: Type.Optional(timestamp()),
  updatedAfter: Type.Optional(timestamp()),
  updatedBefore: Type.Optional(timestamp()),
  isIncludingDeleted: Type.Optional(Type.Boolean({ default: false })),
  ...pageQuery,
})

export type CustomerCreateBody = Static<typeof CustomerCreateSchema>
export type CustomerUpdateBody = Static<typeof CustomerUpdateSchema>
export type CustomerListFilters = Static<typeof CustomerListQuery>
export type CustomerBody = Static<typeof CustomerSchema>
