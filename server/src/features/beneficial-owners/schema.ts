import { Type, type Static } from '../../infra/http/schema/type.ts'
import { E164_PATTERN } from '../../kernel/text/formats.ts'
import {
  clearable,
  idField,
  listOf,
  object,
  pageQuery,
  text,
} from '../../infra/http/schema/wire-schema.ts'
import {
  AddressSchema,
  BeneficialOwnerIdTypeSchema,
  BeneficialOwnerRoleSchema,
  BeneficialOwnerSchema,
  optionalAll,
} from '../customers/index.ts'

const NAME_MAX = 255

const roles = Type.Array(BeneficialOwnerRoleSchema, {
  minItems: 1,
  uniqueItems: true,
})
const ownershipPercentage = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: 'The owners of a business hold at most 100 % together.',
})

const requiredFields = {
  firstName: text(NAME_MAX),
  lastName: text(NAME_MAX),
  birthDate: Type.String({ format: 'date' }),
  nationality: Type.String({ format: 'iso3166-1-alpha-2' }),
  address: AddressSchema,
  idType: BeneficialOwnerIdTypeSchema,
  identifier: text(64),
}

const optionalFields = {
  middleName: text(NAME_MAX),
  email: Type.String({ format: 'email', maxLength: 254 }),
  phoneNumber: Type.String({ format: 'e.164', pattern: E164_PATTERN }),
  countryOfIssuance: Type.String({
    format: 'iso3166-1-alpha-2',
    description: '`US` of an SSN or ITIN, and never of a `NON_US_TAX_ID`.',
  }),
}

export const BeneficialOwnerCreateSchema = object('BeneficialOwnerCreateRequest', {
  customerId: idField('customer', 'The business.'),
  roles,
  ownershipPercentage,
  personalInfo: object('BeneficialOwnerPersonalInfoRequest', {
    ...requiredFields,
    ...optionalAll(optionalFields),
  }),
})

export const BeneficialOwnerUpdateSchema = object('BeneficialOwnerUpdateRequest', {
  roles: Type.Optional(roles),
  ownershipPercentage: Type.Optional(ownershipPercentage),
  personalInfo: Type.Optional(
    object('BeneficialOwnerPersonalInfoUpdate', {
      ...optionalAll(requiredFields),
      middleName: clearable(optionalFields.middleName),
      email: clearable(optionalFields.email),
      phoneNumber: clearable(optionalFields.phoneNumber),
      countryOfIssuance: clearable(optionalFields.countryOfIssuance),
    }),
  ),
})

export const BeneficialOwnerListQuery = Type.Object({
  customerId: idField('customer', 'Id of the business, `Customer:<uuid>`.'),
  ...pageQuery,
})

export const BeneficialOwnerListSchema = listOf(
  'BeneficialOwnerListResponse',
  BeneficialOwnerSchema,
  { total: true },
)

export type BeneficialOwnerCreateBody = Static<typeof BeneficialOwnerCreateSchema>
export type BeneficialOwnerUpdateBody = Static<typeof BeneficialOwnerUpdateSchema>
export type BeneficialOwnerListFilters = Static<typeof BeneficialOwnerListQuery>
