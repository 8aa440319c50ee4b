/** What a customer may be asked for, by the interface's names. */
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
  /** Of the own customer. */
  customer: readonly CustomerInfoFieldName[]
  counterparty: readonly CustomerInfoFieldName[]
}>

const NOTHING: ProviderRequirements = Object.freeze({ customer: [], counterparty: [] })

/** Chapter 10, 1.1. A currency that is not listed asks for nothing. */
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

/** The currencies that ask for something, in no order. */
export const CURRENCIES_WITH_REQUIREMENTS: readonly string[] = Object.keys(BY_CURRENCY)

/** What those who move this currency have to be told (CFG-12). */
export function providerRequirementsOf(currency: string): ProviderRequirements {
  return BY_CURRENCY[currency] ?? NOTHING
}
