/** Rules on a customer's data that a schema cannot state. Every finding names its field; none relies on another. */
import {
  addMs,
  isCalendarDate,
  MINUTE_MS,
  parseWireTime,
  toWireDate,
} from '../../../kernel/clock.ts'
import type { FieldError } from '../../../kernel/errors.ts'
import { FORMATS } from '../../../kernel/text/formats.ts'
import { isIpAddress } from '../../../kernel/text/ip-address.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { DESCRIBED_BY, includesOther, textAt, valueAt, type CustomerRecord } from './record.ts'
import { requiredChannels } from './regions.ts'
import { taxIdForm } from './tax-id-forms.ts'

export type CustomerCheck = Readonly<{
  record: CustomerRecord
  /** Whether the request names this field; other fields are not checked (CUST-59). */
  isNamed: (path: string) => boolean
  platform: Pick<Platform, 'kind'>
  now: Date
}>

type Rule = (check: CustomerCheck) => FieldError[]

const CONSENT_AHEAD_MS = 5 * MINUTE_MS

export function checkCustomer(check: CustomerCheck): FieldError[] {
  const { customerType } = check.record
  const own =
    customerType === 'INDIVIDUAL' ? INDIVIDUAL : customerType === 'BUSINESS' ? BUSINESS : []
  return [...COMMON, ...own].flatMap((rule) => rule(check))
}

/** Checks the range of a date; a malformed one is the schema's finding (CUST-8). */
export const dateFrom =
  (field: string, earliest: string) =>
  ({ record, isNamed, now }: Pick<CustomerCheck, 'record' | 'isNamed' | 'now'>): FieldError[] => {
    const value = textAt(record, field)
    if (value === undefined || !isNamed(field) || !isCalendarDate(value)) return []
    if (value >= earliest && value <= toWireDate(now)) return []
    const message = `must not be in the future, nor before ${earliest}`
    return [{ field, constraint: { format: 'date' }, message }]
  }

/** US numbers of persons, and their formats (CUST-11, BO-5). */
export const US_NUMBERS: ReadonlyMap<string, string> = new Map([
  ['SSN', 'us-ssn'],
  ['ITIN', 'us-itin'],
])

/** `idType` and `identifier` go together, and the number has the form of its type (CUST-11). */
const identifierOfType: Rule = ({ record, isNamed }) => {
  if (!isNamed('idType') && !isNamed('identifier')) return []
  const [idType, identifier] = [textAt(record, 'idType'), textAt(record, 'identifier')]
  if (identifier === undefined) {
    return idType === undefined ? [] : [{ field: 'identifier', message: 'is required with idType' }]
  }
  if (idType === undefined) return [{ field: 'idType', message: 'is required with identifier' }]
  const format = US_NUMBERS.get(idType)
  if (format === undefined || FORMATS[format]?.(identifier)) return []
  return [
    { field: 'identifier', constraint: { format }, message: `must have the form of an ${idType}` },
  ]
}

const issuedInTheUs: Rule = ({ record, isNamed }) => {
  const field = 'countryOfIssuance'
  const value = textAt(record, field)
  if (value === undefined || value === 'US' || !isNamed(field)) return []
  return [{ field, constraint: { enum: ['US'] }, message: 'must be US' }]
}

/** `OTHER` needs a description (CUST-14). `parent` is '' for individuals. */
const othersDescribed =
  (parent: '' | 'businessInfo.'): Rule =>
  ({ record, isNamed }) =>
    Object.entries(DESCRIBED_BY).flatMap(([name, description]) => {
      const [of, field] = [`${parent}${name}`, `${parent}${description}`]
      const isAsked = isNamed(of) || isNamed(field)
      if (!isAsked || !includesOther(valueAt(record, of)) || valueAt(record, field) !== undefined) {
        return []
      }
      return [{ field, message: `is required where ${name} says OTHER` }]
    })

/** The tax id has its country's form, also when only the country changes (CUST-15). */
const taxIdOfCountry: Rule = ({ record, isNamed }) => {
  const field = 'businessInfo.taxId'
  const [country, taxId] = [textAt(record, 'businessInfo.country'), textAt(record, field)]
  if (!isNamed(field) && !isNamed('businessInfo.country')) return []
  if (country === undefined || taxId === undefined) return []
  const pattern = taxIdForm(country)
  if (new RegExp(pattern).test(taxId)) return []
  return [
    { field, constraint: { pattern }, message: `must have the form of a tax id of ${country}` },
  ]
}

/** Allows for a clock that runs slightly ahead, and takes literal addresses only (CUST-31). */
const consentGiven: Rule = ({ record, now }) => {
  const at = 'endUserTermsConsent'
  const errors: FieldError[] = []
  const acceptedAt = parseWireTime(textAt(record, `${at}.acceptedAt`) ?? '')
  if (acceptedAt && acceptedAt > addMs(now, CONSENT_AHEAD_MS)) {
    const constraint = { format: 'date-time' }
    errors.push({ field: `${at}.acceptedAt`, constraint, message: 'must not be in the future' })
  }
  const ipAddress = textAt(record, `${at}.ipAddress`)
  if (ipAddress !== undefined && !isIpAddress(ipAddress)) {
    errors.push({ field: `${at}.ipAddress`, message: 'must be an IPv4 or IPv6 address' })
  }
  return errors
}

const CONTACT_FIELDS = { email: 'email', phone: 'phoneNumber' } as const
const CONTACT_NAMES = [
  'businessInfo.primaryContactFirstName',
  'businessInfo.primaryContactLastName',
]

/** Fields that a region with contact verification requires (CUST-22). */
const contactKnown: Rule = ({ record, isNamed, platform }) => {
  const channels = requiredChannels(platform, textAt(record, 'region'))
  if (channels.length === 0) return []
  const names = record['customerType'] === 'BUSINESS' ? CONTACT_NAMES : []
  return [...channels.map((channel) => CONTACT_FIELDS[channel]), ...names]
    .filter((field) => isNamed(field) && valueAt(record, field) === undefined)
    .map((field) => ({ field, message: `is required in ${textAt(record, 'region')}` }))
}

const COMMON: readonly Rule[] = [consentGiven, contactKnown]
const INDIVIDUAL: readonly Rule[] = [
  dateFrom('birthDate', '1900-01-01'),
  identifierOfType,
  issuedInTheUs,
  othersDescribed(''),
]
const BUSINESS: readonly Rule[] = [
  dateFrom('businessInfo.incorporatedOn', '1800-01-01'),
  taxIdOfCountry,
  othersDescribed('businessInfo.'),
]
