// data table
/** Fields of the forms, named by their paths in requests of the API. */
import { ENTITY_TYPES } from '../../../features/customers/index.ts'
import type { PlainKey } from '../../language/text-keys.ts'

export type Field = Readonly<{
  name: string
  label: PlainKey
  control:
    | 'text'
    | 'date'
    | 'percentage'
    | 'country'
    | 'countries'
    | 'choice'
    | 'choices'
    /** Never shown once it is stored (KYC-27). */
    | 'secret'
  /** Values of the API to choose from. */
  options?: readonly string[]
  /** Which texts name the values. */
  words?: 'role' | 'document'
  hint?: PlainKey
  isOptional?: true
  /** The autocomplete token. */
  autocomplete?: string
  isShort?: true
  /** The message where it is left empty. */
  missing?: PlainKey
  /** The message where it is wrong; the API's own otherwise. */
  wrong?: PlainKey
}>

export type FieldGroup = Readonly<{
  legend: PlainKey
  hint?: PlainKey
  fields: readonly Field[]
}>

export const ROLES = [
  'UBO',
  'CONTROL_PERSON',
  'DIRECTOR',
  'COMPANY_OFFICER',
  'TRUSTEE',
  'GENERAL_PARTNER',
] as const

const HOME = {
  line1: 'address-line1',
  line2: 'address-line2',
  postalCode: 'postal-code',
  city: 'address-level2',
  state: 'address-level1',
  country: 'country',
}
/** Data of other people, which browsers must not autocomplete. */
const ELSEWHERE = {
  line1: 'off',
  line2: 'off',
  postalCode: 'off',
  city: 'off',
  state: 'off',
  country: 'off',
}

const addressFields = (path: string, known: typeof HOME): readonly Field[] => [
  {
    name: `${path}.line1`,
    label: 'field.line1',
    control: 'text',
    autocomplete: known.line1,
    missing: 'field.line1.missing',
  },
  {
    name: `${path}.line2`,
    label: 'field.line2',
    control: 'text',
    isOptional: true,
    autocomplete: known.line2,
  },
  {
    name: `${path}.postalCode`,
    label: 'field.postalCode',
    control: 'text',
    isShort: true,
    autocomplete: known.postalCode,
    missing: 'field.postalCode.missing',
  },
  {
    name: `${path}.city`,
    label: 'field.city',
    control: 'text',
    isOptional: true,
    autocomplete: known.city,
  },
  {
    name: `${path}.state`,
    label: 'field.state',
    control: 'text',
    isOptional: true,
    autocomplete: known.state,
  },
  {
    name: `${path}.country`,
    label: 'field.country',
    control: 'country',
    autocomplete: known.country,
    missing: 'field.country.missing',
  },
]

export const INDIVIDUAL_GROUPS: readonly FieldGroup[] = [
  {
    legend: 'group.you',
    fields: [
      {
        name: 'fullName',
        label: 'field.fullName',
        control: 'text',
        hint: 'field.fullName.hint',
        autocomplete: 'name',
        missing: 'field.fullName.missing',
      },
      {
        name: 'birthDate',
        label: 'field.birthDate',
        control: 'date',
        hint: 'field.birthDate.hint',
        autocomplete: 'bday',
        isShort: true,
        missing: 'field.birthDate.missing',
        wrong: 'field.birthDate.wrong',
      },
      {
        name: 'nationality',
        label: 'field.nationality',
        control: 'country',
        missing: 'field.nationality.missing',
      },
    ],
  },
  { legend: 'group.home', fields: addressFields('address', HOME) },
]

/** Required of US persons only (KYC-28). */
export const US_NUMBER_GROUP: FieldGroup = {
  legend: 'group.usNumber',
  hint: 'group.usNumber.hint',
  fields: [
    {
      name: 'idType',
      label: 'field.idType',
      control: 'choice',
      options: ['SSN', 'ITIN'],
      missing: 'field.idType.missing',
    },
    {
      name: 'identifier',
      label: 'field.identifier',
      control: 'secret',
      hint: 'field.identifier.hint',
      isShort: true,
      missing: 'field.identifier.missing',
      wrong: 'field.identifier.wrong',
    },
  ],
}

export const BUSINESS_GROUPS: readonly FieldGroup[] = [
  {
    legend: 'group.business',
    fields: [
      {
        name: 'businessInfo.legalName',
        label: 'field.legalName',
        control: 'text',
        hint: 'field.legalName.hint',
        autocomplete: 'organization',
        missing: 'field.legalName.missing',
      },
      {
        name: 'businessInfo.entityType',
        label: 'field.entityType',
        control: 'choice',
        options: ENTITY_TYPES,
        missing: 'field.entityType.missing',
      },
      {
        name: 'businessInfo.country',
        label: 'field.incorporation',
        control: 'country',
        missing: 'field.incorporation.missing',
      },
      {
        name: 'businessInfo.incorporatedOn',
        label: 'field.incorporatedOn',
        control: 'date',
        isShort: true,
        missing: 'field.incorporatedOn.missing',
        wrong: 'field.incorporatedOn.wrong',
      },
      {
        name: 'businessInfo.registrationNumber',
        label: 'field.registrationNumber',
        control: 'text',
        hint: 'field.registrationNumber.hint',
        isShort: true,
        missing: 'field.registrationNumber.missing',
      },
      {
        name: 'businessInfo.taxId',
        label: 'field.taxId',
        control: 'text',
        hint: 'field.taxId.hint',
        isShort: true,
        missing: 'field.taxId.missing',
        wrong: 'field.taxId.wrong',
      },
      {
        name: 'businessInfo.countriesOfOperation',
        label: 'field.countriesOfOperation',
        control: 'countries',
        missing: 'field.countriesOfOperation.missing',
      },
    ],
  },
  { legend: 'group.businessAddress', fields: addressFields('address', HOME) },
]

export const OWNER_GROUPS: readonly FieldGroup[] = [
  {
    legend: 'group.part',
    fields: [
      {
        name: 'roles',
        label: 'field.roles',
        control: 'choices',
        options: ROLES,
        words: 'role',
        hint: 'field.roles.hint',
        missing: 'field.roles.missing',
        wrong: 'field.roles.wrong',
      },
      {
        name: 'ownershipPercentage',
        label: 'field.ownershipPercentage',
        control: 'percentage',
        hint: 'field.ownershipPercentage.hint',
        isShort: true,
        missing: 'field.ownershipPercentage.missing',
      },
    ],
  },
  {
    legend: 'group.person',
    fields: [
      {
        name: 'personalInfo.firstName',
        label: 'field.firstName',
        control: 'text',
        missing: 'field.firstName.missing',
      },
      {
        name: 'personalInfo.middleName',
        label: 'field.middleName',
        control: 'text',
        isOptional: true,
      },
      {
        name: 'personalInfo.lastName',
        label: 'field.lastName',
        control: 'text',
        missing: 'field.lastName.missing',
      },
      {
        name: 'personalInfo.birthDate',
        label: 'field.birthDate',
        control: 'date',
        isShort: true,
        missing: 'field.birthDate.missing.other',
        wrong: 'field.birthDate.wrong',
      },
      {
        name: 'personalInfo.nationality',
        label: 'field.nationality',
        control: 'country',
        missing: 'field.nationality.missing.other',
      },
    ],
  },
  { legend: 'group.home', fields: addressFields('personalInfo.address', ELSEWHERE) },
  {
    legend: 'group.number',
    fields: [
      {
        name: 'personalInfo.idType',
        label: 'field.idType',
        control: 'choice',
        options: ['SSN', 'ITIN', 'NON_US_TAX_ID'],
        hint: 'field.idType.hint',
        missing: 'field.idType.missing.other',
      },
      {
        name: 'personalInfo.identifier',
        label: 'field.identifier',
        control: 'secret',
        isShort: true,
        missing: 'field.identifier.missing.other',
        wrong: 'field.identifier.wrong',
      },
    ],
  },
]
