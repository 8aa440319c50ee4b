import type { ClearedFields } from '../../../infra/internal-events.ts'
import { fail, type ErrorDetails, type FieldError } from '../../../kernel/errors.ts'
import {
  providerRequirementsOf,
  type CustomerInfoFieldName,
  CURRENCIES_WITH_REQUIREMENTS,
} from '../../platform/index.ts'
import { valueAt, type CustomerRecord } from '../profile/record.ts'
import type { CustomerType } from '../status/machine.ts'

type Paths = Readonly<Partial<Record<CustomerInfoFieldName, string>>>

/** Where a customer has what is asked for (chapter 10, 1.1). What has no place here counts as given. */
const PATHS: Readonly<Record<CustomerType, Paths>> = {
  INDIVIDUAL: {
    FULL_NAME: 'fullName',
    BIRTH_DATE: 'birthDate',
    NATIONALITY: 'nationality',
    POSTAL_ADDRESS: 'address',
    PHONE_NUMBER: 'phoneNumber',
    EMAIL: 'email',
    TAX_ID: 'identifier',
    COUNTRY_OF_RESIDENCE: 'address.country',
    ID_TYPE: 'idType',
    ID_NUMBER: 'identifier',
    IDENTIFIER: 'identifier',
  },
  BUSINESS: {
    FULL_NAME: 'businessInfo.legalName',
    BIRTH_DATE: 'businessInfo.incorporatedOn',
    NATIONALITY: 'businessInfo.country',
    POSTAL_ADDRESS: 'address',
    PHONE_NUMBER: 'phoneNumber',
    EMAIL: 'email',
    TAX_ID: 'businessInfo.taxId',
    REGISTRATION_NUMBER: 'businessInfo.registrationNumber',
    COUNTRY_OF_RESIDENCE: 'address.country',
    BUSINESS_TYPE: 'businessInfo.businessType',
    COMPANY_LEGAL_NAME: 'businessInfo.legalName',
  },
}

const GOVERNMENT_NUMBERS: ReadonlySet<string> = new Set<CustomerInfoFieldName>([
  'TAX_ID',
  'ID_NUMBER',
  'IDENTIFIER',
])

/** Whether a field is the number under which a government knows somebody. */
export const isGovernmentNumber = (field: string): boolean => GOVERNMENT_NUMBERS.has(field)

/** What a record holds of all that may be asked for, by the names it is asked by. */
export function infoFieldsOf(
  customerType: CustomerType,
  record: CustomerRecord,
): Partial<Record<CustomerInfoFieldName, unknown>> {
  const held = Object.entries(PATHS[customerType]).flatMap(([name, path]) => {
    const value = valueAt(record, path)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(held)
}

/** The customer paths that somebody asks for and are not there, with the currencies that ask. */
export type MissingFields = ReadonlyMap<string, ReadonlySet<string>>

/** What these currencies ask of such a customer and it does not have (1.1). */
export function missingFieldsFor(
  customerType: CustomerType,
  currencies: readonly string[],
  isThere: (path: string) => boolean,
): MissingFields {
  const missing = new Map<string, Set<string>>()
  for (const currency of currencies) {
    for (const path of requiredPathsOf(customerType, currency)) {
      if (!isThere(path)) missing.set(path, (missing.get(path) ?? new Set()).add(currency))
    }
  }
  return missing
}

/** Where such a customer has what a currency asks for. */
export const requiredPathsOf = (customerType: CustomerType, currency: string): readonly string[] =>
  providerRequirementsOf(currency).customer.flatMap((name) => PATHS[customerType][name] ?? [])

/** Fails with MISSING_MANDATORY_USER_INFO, naming every path and the currencies that ask; not where nothing is missing. */
export function failIfMissing(missing: MissingFields, more: ErrorDetails = {}): void {
  if (missing.size === 0) return
  const errors: FieldError[] = [...missing].map(([field, asking]) => ({
    field,
    message: `is required for ${[...asking].join(', ')}`,
  }))
  const currencies = [...new Set([...missing.values()].flatMap((asking) => [...asking]))]
  fail('MISSING_MANDATORY_USER_INFO', { errors, currencies, ...more })
}

/** Providers need these fields of a customer that holds a currency (CUST-17). Fails: MISSING_MANDATORY_USER_INFO. */
export const mustHaveMandatoryFields = (
  customerType: CustomerType,
  record: CustomerRecord,
  currencies: readonly string[],
): void =>
  failIfMissing(
    missingFieldsFor(customerType, currencies, (path) => valueAt(record, path) !== undefined),
  )

/** A change of a record, judged by the fields that currencies require (CUST-66, CUST-67). */
export type ChangedRecord = Readonly<{
  customerType: CustomerType
  before: CustomerRecord
  after: CustomerRecord
}>

const hasAt = (record: CustomerRecord, path: string): boolean => valueAt(record, path) !== undefined

/** What is there before and not after, by the currencies that ask for it. `listed` are those that the customer names. */
export function clearedFieldsOf(
  { customerType, before, after }: ChangedRecord,
  listed: readonly string[],
): ClearedFields[] {
  return CURRENCIES_WITH_REQUIREMENTS.flatMap((currency) => {
    const fields = requiredPathsOf(customerType, currency).filter(
      (path) => hasAt(before, path) && !hasAt(after, path),
    )
    return fields.length > 0 ? [{ currency, fields, isListed: listed.includes(currency) }] : []
  })
}

/** Whether something is there after that some currency asks for and was not there before. */
export const fillsFields = ({ customerType, before, after }: ChangedRecord): boolean =>
  clearedFieldsOf({ customerType, before: after, after: before }, []).length > 0
