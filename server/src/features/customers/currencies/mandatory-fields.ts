import type { ClearedFields } from '../../../infra/work/internal-events.ts'
import { fail, type ErrorDetails, type FieldError } from '../../../kernel/errors.ts'
import {
  providerRequirementsOf,
  type CustomerInfoFieldName,
  CURRENCIES_WITH_REQUIREMENTS,
} from '../../platform/index.ts'
import { valueAt, type CustomerRecord } from '../profile/record.ts'
import type { CustomerType } from '../status/machine.ts'

type Paths = Readonly<Partial<Record<CustomerInfoFieldName, string>>>

/** The path of each required field in a customer's record (chapter 10, 1.1). Fields without a path count as present. */
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

/** Whether a field is a government-issued number. */
export const isGovernmentNumber = (field: string): boolean => GOVERNMENT_NUMBERS.has(field)

/** The fields of a record that currencies may require, by their names in the platform's configuration. */
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

/** Paths of missing fields, with the currencies that require them. */
export type MissingFields = ReadonlyMap<string, ReadonlySet<string>>

/** The fields that these currencies require and the customer lacks (chapter 10, 1.1). */
export function missingFieldsFor(
  customerType: CustomerType,
  currencies: readonly string[],
  isPresent: (path: string) => boolean,
): MissingFields {
  const missing = new Map<string, Set<string>>()
  for (const currency of currencies) {
    for (const path of requiredPathsOf(customerType, currency)) {
      if (!isPresent(path)) missing.set(path, (missing.get(path) ?? new Set()).add(currency))
    }
  }
  return missing
}

/** The paths of the fields that a currency requires. */
export const requiredPathsOf = (customerType: CustomerType, currency: string): readonly string[] =>
  providerRequirementsOf(currency).customer.flatMap((name) => PATHS[customerType][name] ?? [])

/** Fails with MISSING_MANDATORY_USER_INFO where a field is missing, naming every path and the currencies. */
export function mustHaveNoMissingFields(missing: MissingFields, more: ErrorDetails = {}): void {
  if (missing.size === 0) return
  const errors: FieldError[] = [...missing].map(([field, requiredBy]) => ({
    field,
    message: `is required for ${[...requiredBy].join(', ')}`,
  }))
  const currencies = [...new Set([...missing.values()].flatMap((requiredBy) => [...requiredBy]))]
  fail('MISSING_MANDATORY_USER_INFO', { errors, currencies, ...more })
}

/** Providers need these fields of a customer that holds a currency (CUST-17). Fails: MISSING_MANDATORY_USER_INFO. */
export const mustHaveMandatoryFields = (
  customerType: CustomerType,
  record: CustomerRecord,
  currencies: readonly string[],
): void =>
  mustHaveNoMissingFields(
    missingFieldsFor(customerType, currencies, (path) => valueAt(record, path) !== undefined),
  )

/** A change of a record, judged by the fields that currencies require (CUST-66, CUST-67). */
export type ChangedRecord = Readonly<{
  customerType: CustomerType
  before: CustomerRecord
  after: CustomerRecord
}>

const hasAt = (record: CustomerRecord, path: string): boolean => valueAt(record, path) !== undefined

/** Required fields that the change clears, by currency. `listed` are the currencies that the customer names. */
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

/** Whether the change fills a field that some currency requires. */
export const fillsFields = ({ customerType, before, after }: ChangedRecord): boolean =>
  clearedFieldsOf({ customerType, before: after, after: before }, []).length > 0
