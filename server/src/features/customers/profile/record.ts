/**
 * A customer's data in the shape of a request. Rules are checked on this shape, for a creation on what was sent, for
 * a change on what it leads to, so that every rule is written once. What was sent may be anything: nothing here relies
 * on a type before having looked.
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

/** A stored customer, its sealed number opened. */
export function toRecord(keyring: Keyring, customer: Customer): CustomerRecord {
  const { id, customerType, region, email, phoneNumber, identifier, profile } = customer
  const number = identifier && openIdentifier(keyring, id, identifier)
  const common = withoutNothing({ ...profile, customerType, region, email, phoneNumber })
  return customerType === 'INDIVIDUAL'
    ? withoutNothing({ ...common, identifier: number })
    : {
        ...common,
        businessInfo: withoutNothing({ ...customer.profile.businessInfo, taxId: number }),
      }
}

/** What is named changes, null clears, `businessInfo` merges; type and region stay (CUST-51, CUST-52). */
export function mergeRecord(record: CustomerRecord, change: CustomerRecord): CustomerRecord {
  const { customerType, region, businessInfo } = record
  const merged = { ...record, ...change, customerType, region }
  const info = change['businessInfo']
  const isMerging = isObject(businessInfo) && (info === undefined || isObject(info))
  return withoutNothing({
    ...merged,
    ...(isMerging && { businessInfo: withoutNothing({ ...businessInfo, ...info }) }),
  })
}

const withoutNothing = (record: CustomerRecord): CustomerRecord =>
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

/** Of an address that passed validation the fields that are known. */
export const pickAddress = (address: unknown): CustomerRecord => pick(address, ADDRESS)

const addressOf = ({ address }: CustomerRecord): CustomerRecord =>
  address === undefined ? {} : { address: pickAddress(address) }

/** From a valid record what is kept and shown; fields that nobody knows are left behind. */
export function individualProfileOf(record: CustomerRecord): IndividualProfile {
  const profile = { ...pick(record, INDIVIDUAL), ...addressOf(record) }
  return withoutIdleDescriptions(profile) as IndividualProfile
}

/** The tax id is not part of it: that is kept sealed. */
export function businessProfileOf(record: CustomerRecord): BusinessProfile {
  const { taxId: _sealed, ...info } = pick(record['businessInfo'], BUSINESS_INFO)
  return {
    ...addressOf(record),
    businessInfo: withoutIdleDescriptions(info),
  } as BusinessProfile
}

/** What is kept sealed. */
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

export const saysOther = (value: unknown): boolean =>
  value === 'OTHER' || (Array.isArray(value) && value.includes('OTHER'))

function withoutIdleDescriptions(record: CustomerRecord): CustomerRecord {
  const idle = Object.entries(DESCRIBED_BY)
    .filter(([field]) => !saysOther(record[field]))
    .map(([, description]) => description)
  return Object.fromEntries(Object.entries(record).filter(([name]) => !idle.includes(name)))
}
