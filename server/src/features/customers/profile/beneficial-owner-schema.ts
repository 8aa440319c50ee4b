/** A beneficial owner in answers, on its own and inside its business. */
import { Type, type Static } from '../../../infra/http/schema/type.ts'
import { named, object, oneOf, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { AddressSchema } from './schema.ts'
import { CUSTOMER_STATUSES } from '../status/machine.ts'

export const BeneficialOwnerRoleSchema = named(
  'BeneficialOwnerRole',
  oneOf(['UBO', 'DIRECTOR', 'COMPANY_OFFICER', 'CONTROL_PERSON', 'TRUSTEE', 'GENERAL_PARTNER']),
)

export const BeneficialOwnerIdTypeSchema = oneOf(['SSN', 'ITIN', 'NON_US_TAX_ID'])

export const BeneficialOwnerSchema = object('BeneficialOwner', {
  id: Type.String(),
  customerId: Type.String(),
  roles: Type.Array(BeneficialOwnerRoleSchema),
  ownershipPercentage: Type.Integer({ minimum: 0, maximum: 100 }),
  personalInfo: object('BeneficialOwnerPersonalInfo', {
    firstName: Type.String(),
    middleName: Type.Optional(Type.String()),
    lastName: Type.String(),
    birthDate: Type.String({ format: 'date' }),
    nationality: Type.String(),
    email: Type.Optional(Type.String()),
    phoneNumber: Type.Optional(Type.String()),
    address: AddressSchema,
    idType: BeneficialOwnerIdTypeSchema,
    identifier: Type.String(),
    countryOfIssuance: Type.Optional(Type.String()),
  }),
  kycStatus: named('KycStatus', oneOf(CUSTOMER_STATUSES)),
  createdAt: timestamp(),
  updatedAt: Type.Optional(timestamp()),
})

export type ShownBeneficialOwner = Static<typeof BeneficialOwnerSchema>
