// data table
/** Fields of the forms, named by their paths in requests of the API. */
import { ENTITY_TYPES, OWNER_NUMBERS, ROLES, US_NUMBERS, type Option } from '../wording.ts'

export type Field = Readonly<{
  name: string
  label: string
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
  options?: readonly Option[]
  hint?: string
  isOptional?: true
  /** The autocomplete token. */
  autocomplete?: string
  isShort?: true
  /** The message where it is left empty. */
  missing: string
  /** The message where it is wrong; the API's own otherwise. */
  wrong?: string
}>

export type FieldGroup = Readonly<{ legend: string; hint?: string; fields: readonly Field[] }>

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
    label: 'Street and number',
    control: 'text',
    autocomplete: known.line1,
    missing: 'Enter the street and number',
  },
  {
    name: `${path}.line2`,
    label: 'Apartment, floor, building',
    control: 'text',
    isOptional: true,
    autocomplete: known.line2,
    missing: '',
  },
  {
    name: `${path}.postalCode`,
    label: 'Postal code',
    control: 'text',
    isShort: true,
    autocomplete: known.postalCode,
    missing: 'Enter the postal code',
  },
  {
    name: `${path}.city`,
    label: 'Town or city',
    control: 'text',
    isOptional: true,
    autocomplete: known.city,
    missing: '',
  },
  {
    name: `${path}.state`,
    label: 'State or region',
    control: 'text',
    isOptional: true,
    autocomplete: known.state,
    missing: '',
  },
  {
    name: `${path}.country`,
    label: 'Country',
    control: 'country',
    autocomplete: known.country,
    missing: 'Choose the country of the address',
  },
]

const NUMBER_WRONG =
  'The number does not have the form of its type: an SSN is written 123-45-6789, an ITIN 912-34-5678'

export const INDIVIDUAL_GROUPS: readonly FieldGroup[] = [
  {
    legend: 'About you',
    fields: [
      {
        name: 'fullName',
        label: 'Full name',
        control: 'text',
        hint: 'First and last name, as on your identity document',
        autocomplete: 'name',
        missing: 'Enter your full name',
      },
      {
        name: 'birthDate',
        label: 'Date of birth',
        control: 'date',
        hint: 'You have to be at least 18 years old',
        autocomplete: 'bday',
        isShort: true,
        missing: 'Enter your date of birth',
        wrong: 'Enter a date of birth between 1900 and today',
      },
      {
        name: 'nationality',
        label: 'Nationality',
        control: 'country',
        missing: 'Choose the country whose citizen you are',
      },
    ],
  },
  { legend: 'Home address', fields: addressFields('address', HOME) },
]

/** Required of US persons only (KYC-28). */
export const US_NUMBER_GROUP: FieldGroup = {
  legend: 'US taxpayer number',
  hint: 'For US persons only: citizens of the United States, and everybody who lives there.',
  fields: [
    {
      name: 'idType',
      label: 'Type of number',
      control: 'choice',
      options: US_NUMBERS,
      missing: 'Choose which number you have',
    },
    {
      name: 'identifier',
      label: 'Number',
      control: 'secret',
      hint: 'Nine digits with hyphens, for example 123-45-6789',
      isShort: true,
      missing: 'Enter your number',
      wrong: NUMBER_WRONG,
    },
  ],
}

export const BUSINESS_GROUPS: readonly FieldGroup[] = [
  {
    legend: 'About the business',
    fields: [
      {
        name: 'businessInfo.legalName',
        label: 'Legal name',
        control: 'text',
        hint: 'As registered, with its legal form',
        autocomplete: 'organization',
        missing: 'Enter the legal name',
      },
      {
        name: 'businessInfo.entityType',
        label: 'Type of business',
        control: 'choice',
        options: ENTITY_TYPES,
        missing: 'Choose the type of business',
      },
      {
        name: 'businessInfo.country',
        label: 'Country of incorporation',
        control: 'country',
        missing: 'Choose the country of incorporation',
      },
      {
        name: 'businessInfo.incorporatedOn',
        label: 'Date of incorporation',
        control: 'date',
        isShort: true,
        missing: 'Enter the date of incorporation',
        wrong: 'Enter a date of incorporation between 1800 and today',
      },
      {
        name: 'businessInfo.registrationNumber',
        label: 'Registration number',
        control: 'text',
        hint: 'Under which the business is entered in its registry',
        isShort: true,
        missing: 'Enter the registration number',
      },
      {
        name: 'businessInfo.taxId',
        label: 'Tax number',
        control: 'text',
        hint: 'In the United States the EIN, for example 12-3456789',
        isShort: true,
        missing: 'Enter the tax number',
        wrong: 'The tax number does not have the form that is used in the country of incorporation',
      },
      {
        name: 'businessInfo.countriesOfOperation',
        label: 'Countries in which the business operates',
        control: 'countries',
        missing: 'Choose at least one country in which the business operates',
      },
    ],
  },
  { legend: 'Address of the business', fields: addressFields('address', HOME) },
]

export const OWNER_GROUPS: readonly FieldGroup[] = [
  {
    legend: 'Part in the business',
    fields: [
      {
        name: 'roles',
        label: 'What this person is',
        control: 'choices',
        options: ROLES,
        hint: 'Choose all that apply',
        missing: 'Choose at least one role',
        wrong: 'Somebody else is entered as the one who controls the business: there is only one',
      },
      {
        name: 'ownershipPercentage',
        label: 'Share of the business in per cent',
        control: 'percentage',
        hint: 'A whole number from 0 to 100',
        isShort: true,
        missing: 'Enter the share, or 0',
      },
    ],
  },
  {
    legend: 'The person',
    fields: [
      {
        name: 'personalInfo.firstName',
        label: 'First name',
        control: 'text',
        missing: 'Enter the first name',
      },
      {
        name: 'personalInfo.middleName',
        label: 'Middle name',
        control: 'text',
        isOptional: true,
        missing: '',
      },
      {
        name: 'personalInfo.lastName',
        label: 'Last name',
        control: 'text',
        missing: 'Enter the last name',
      },
      {
        name: 'personalInfo.birthDate',
        label: 'Date of birth',
        control: 'date',
        isShort: true,
        missing: 'Enter the date of birth',
        wrong: 'Enter a date of birth between 1900 and today',
      },
      {
        name: 'personalInfo.nationality',
        label: 'Nationality',
        control: 'country',
        missing: 'Choose the nationality',
      },
    ],
  },
  { legend: 'Home address', fields: addressFields('personalInfo.address', ELSEWHERE) },
  {
    legend: 'Government number',
    fields: [
      {
        name: 'personalInfo.idType',
        label: 'Type of number',
        control: 'choice',
        options: OWNER_NUMBERS,
        hint: 'Citizens and residents of the United States need an SSN or ITIN',
        missing: 'Choose which number this person has',
      },
      {
        name: 'personalInfo.identifier',
        label: 'Number',
        control: 'secret',
        isShort: true,
        missing: 'Enter the number',
        wrong: NUMBER_WRONG,
      },
    ],
  },
]
