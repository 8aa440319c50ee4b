/**
 * A customer's data in the shape of a request. A creation is checked as sent, a change as merged, so that every rule is
 * written once. Accepts unvalidated input.
 */
import type { Keyring } from '../../../crypto/seal.ts'
import type { Customer } from '../customer.ts'
import { indexIdentifier, openIdentifier } from './identifier.ts'
import {
  AddressSchema,
  businessCoreFields,
  businessOptionalFields,
  individualFields,
  type BusinessProfile,
  type IndividualProfile,
} from './schema.ts'

export type CustomerRecord = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at a dot path; undefined where there is none. */
export const valueAt = (record: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      record,
    )

export function textAt(record: unknown, path: string): string | undefined {
  const value = valueAt(record, path)
  return typeof value === 'string' ? value : undefined
}

/** The record of a stored customer, with its sealed number opened. */
export function toRecord(keyring: Keyring, customer: Customer): CustomerRecord {
  const { id, customerType, region, email, phoneNumber, identifier, profile } = customer
  const number = identifier && openIdentifier(keyring, id, identifier)
  const common = withoutEmpty({ ...profile, customerType, region, email, phoneNumber })
  return customerType === 'INDIVIDUAL'
    ? withoutEmpty({ ...common, identifier: number })
    : {
        ...common,
        businessInfo: withoutEmpty({ ...customer.profile.businessInfo, taxId: number }),
      }
}

/** Named fields change, null clears, `businessInfo` merges; type and region stay (CUST-51, CUST-52). */
export function mergeRecord(record: CustomerRecord, change: CustomerRecord): CustomerRecord {
  const { customerType, region, businessInfo } = record
  const merged = { ...record, ...change, customerType, region }
  const info = change['businessInfo']
  const isMerging = isObject(businessInfo) && (info === undefined || isObject(info))
  return withoutEmpty({
    ...merged,
    ...(isMerging && { businessInfo: withoutEmpty({ ...businessInfo, ...info }) }),
  })
}

const withoutEmpty = (record: CustomerRecord): CustomerRecord =>
  Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined && value !== null),
  )

const pick = (record: unknown, names: readonly string[]): CustomerRecord =>
  isObject(record)
    ? Object.fromEntries(
        names.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]),
      )
    : {}

const ADDRESS = Object.keys(AddressSchema.properties)
const INDIVIDUAL = Object.keys(individualFields)
const BUSINESS_INFO = Object.keys({ ...businessCoreFields, ...businessOptionalFields })

/** The known fields of a valid address. */
export const pickAddress = (address: unknown): CustomerRecord => pick(address, ADDRESS)

const addressOf = ({ address }: CustomerRecord): CustomerRecord =>
  address === undefined ? {} : { address: pickAddress(address) }

/** The fields of a valid record that are stored and shown; unknown fields are dropped. */
export function individualProfileOf(record: CustomerRecord): IndividualProfile {
  const profile = { ...pick(record, INDIVIDUAL), ...addressOf(record) }
  return withoutUnusedDescriptions(profile) as IndividualProfile
}

/** The profile has no tax id, which is stored sealed. */
export function businessProfileOf(record: CustomerRecord): BusinessProfile {
  const { taxId: _sealed, ...info } = pick(record['businessInfo'], BUSINESS_INFO)
  return {
    ...addressOf(record),
    businessInfo: withoutUnusedDescriptions(info),
  } as BusinessProfile
}

/** The number that is stored sealed. */
export const governmentNumberOf = (record: CustomerRecord): string | undefined =>
  textAt(record, record['customerType'] === 'INDIVIDUAL' ? 'identifier' : 'businessInfo.taxId')

export function identifierIndexOf(keyring: Keyring, record: CustomerRecord): Buffer | undefined {
  const number = governmentNumberOf(record)
  return number === undefined ? undefined : indexIdentifier(keyring, number)
}

/** The fields that may say `OTHER`, and where it is then described (CUST-14). */
export const DESCRIBED_BY: Readonly<Record<string, string>> = {
  sourceOfFundsCategories: 'sourceOfFundsOtherDescription',
  sourceOfWealthCategories: 'sourceOfWealthOtherDescription',
  purposeOfAccount: 'purposeOfAccountOtherDescription',
}

export const includesOther = (value: unknown): boolean =>
  value === 'OTHER' || (Array.isArray(value) && value.includes('OTHER'))

function withoutUnusedDescriptions(record: CustomerRecord): CustomerRecord {
  const unused = Object.entries(DESCRIBED_BY)
    .filter(([field]) => !includesOther(record[field]))
    .map(([, description]) => description)
  return Object.fromEntries(Object.entries(record).filter(([name]) => !unused.includes(name)))
}
