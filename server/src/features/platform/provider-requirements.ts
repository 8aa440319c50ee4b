/** Fields that providers may require of a customer, by the interface's names. */
export const CUSTOMER_INFO_FIELD_NAMES = [
  'FULL_NAME',
  'BIRTH_DATE',
  'NATIONALITY',
  'PHONE_NUMBER',
  'EMAIL',
  'POSTAL_ADDRESS',
  'TAX_ID',
  'REGISTRATION_NUMBER',
  'USER_TYPE',
  'COUNTRY_OF_RESIDENCE',
  'ACCOUNT_IDENTIFIER',
  'FI_LEGAL_ENTITY_NAME',
  'FI_ADDRESS',
  'PURPOSE_OF_PAYMENT',
  'ULTIMATE_INSTITUTION_COUNTRY',
  'IDENTIFIER',
  'BUSINESS_TYPE',
  'COMPANY_LEGAL_NAME',
  'ID_TYPE',
  'ID_NUMBER',
] as const

export type CustomerInfoFieldName = (typeof CUSTOMER_INFO_FIELD_NAMES)[number]

export type ProviderRequirements = Readonly<{
  /** Fields of the platform's own customer. */
  customer: readonly CustomerInfoFieldName[]
  counterparty: readonly CustomerInfoFieldName[]
}>

const NOTHING: ProviderRequirements = Object.freeze({ customer: [], counterparty: [] })

/** Required fields by currency; unlisted currencies require none (chapter 10, 1.1). */
const BY_CURRENCY: Readonly<Record<string, ProviderRequirements>> = Object.freeze({
  BRL: { customer: ['FULL_NAME', 'BIRTH_DATE', 'NATIONALITY'], counterparty: ['FULL_NAME'] },
  INR: {
    customer: ['FULL_NAME', 'BIRTH_DATE', 'NATIONALITY', 'POSTAL_ADDRESS'],
    counterparty: ['FULL_NAME'],
  },
  NGN: { customer: ['FULL_NAME', 'PHONE_NUMBER'], counterparty: ['FULL_NAME'] },
  PHP: { customer: ['FULL_NAME', 'BIRTH_DATE', 'POSTAL_ADDRESS'], counterparty: ['FULL_NAME'] },
  CNY: { customer: ['FULL_NAME', 'PHONE_NUMBER', 'POSTAL_ADDRESS'], counterparty: ['FULL_NAME'] },
})

/** The currencies that require fields, in no order. */
export const CURRENCIES_WITH_REQUIREMENTS: readonly string[] = Object.keys(BY_CURRENCY)

/** The fields that providers of this currency require (CFG-12). */
export function providerRequirementsOf(currency: string): ProviderRequirements {
  return BY_CURRENCY[currency] ?? NOTHING
}
