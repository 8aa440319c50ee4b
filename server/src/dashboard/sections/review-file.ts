/** What `review show` answers, read for the screen. */
import { rowsOf, type Row } from '../ask.ts'
import { inWords, textIn, valueIn } from '../cells.ts'

/** Of a person, a company, or an owner. */
export const nameOf = (row: unknown): string => {
  const of = valueIn(row, 'customer') ?? row
  return (
    textIn(of, 'fullName') ||
    textIn(of, 'businessInfo', 'legalName') ||
    [textIn(of, 'personalInfo', 'firstName'), textIn(of, 'personalInfo', 'lastName')]
      .filter(Boolean)
      .join(' ') ||
    textIn(of, 'id')
  )
}

export const customerIdOf = (row: Row): string => textIn(row, 'customer', 'id')
export const statusOf = (row: Row): string =>
  textIn(row, 'customer', 'kycStatus') || textIn(row, 'customer', 'kybStatus')
export const verificationStatusOf = (row: Row): string =>
  textIn(row, 'verification', 'verificationStatus')

export const peopleOf = (row: Row): readonly Row[] => rowsOf(row['beneficialOwners'])
export const papersOf = (row: Row): readonly Row[] => rowsOf(row['documents'])

const isOpen = (row: Row): boolean =>
  ['RESOLVE_ERRORS', 'IN_PROGRESS', 'PENDING_MANUAL_REVIEW'].includes(verificationStatusOf(row))

export const isUnderReview = (row: Row): boolean =>
  ['IN_PROGRESS', 'PENDING_MANUAL_REVIEW'].includes(verificationStatusOf(row))

/** Chapter 11, section 9: under review, pending without a verification, or on hold. */
export const isDecidable = (row: Row): boolean =>
  isUnderReview(row) || statusOf(row) === 'HOLD' || (statusOf(row) === 'PENDING' && !isOpen(row))

export const isDecided = (row: Row): boolean => !['PENDING', 'HOLD'].includes(statusOf(row))

export type Line = Readonly<{ name: string; label: string; value: string }>

/** Said elsewhere on the page, or of no use to a reviewer. */
const LEFT_OUT = new Set([
  ...['id', 'customerId', 'customerType', 'kycStatus', 'kybStatus', 'isDeleted', 'createdAt'],
  ...['updatedAt', 'beneficialOwners', 'currencies', 'umaAddress', 'platformCustomerId'],
  ...['endUserTermsConsent', 'contactVerification', 'platformId', 'countryOfIssuance'],
])
const GROUPS = new Set(['businessInfo', 'personalInfo'])

const labelOf = (name: string): string =>
  inWords(name.replace(/([a-z])([A-Z])/g, '$1 $2')).replace(/\b(id|uma|iban)\b/gi, (word) =>
    word.toUpperCase(),
  )

const ADDRESS = ['line1', 'line2', 'city', 'state', 'postalCode', 'country']

function valueOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueOf).join(', ')
  if (typeof value === 'string' && /^[A-Z]+(_[A-Z]+)+$/.test(value)) return inWords(value)
  if (typeof value === 'object' && value !== null) {
    const names = [...ADDRESS, ...Object.keys(value).filter((name) => !ADDRESS.includes(name))]
    return names
      .map((name) => valueOf((value as Row)[name]))
      .filter(Boolean)
      .join(', ')
  }
  return value === undefined || value === null ? '' : String(value)
}

/** As people read it; the database keeps keys in an order of its own. */
const ORDER = [
  ...['fullName', 'legalName', 'firstName', 'middleName', 'lastName', 'doingBusinessAs'],
  ...['birthDate', 'nationality', 'idType', 'identifier', 'taxId', 'registrationNumber'],
  ...['entityType', 'country', 'incorporatedOn', 'roles', 'ownershipPercentage'],
  ...['address', 'email', 'phoneNumber'],
]
const LAST = ORDER.length

const placeOf = (name: string): number => {
  const place = ORDER.indexOf(name)
  return place === -1 ? LAST : place
}

/** A record as lines: groups are taken apart, an address is one line. */
export const linesOf = (record: unknown): readonly Line[] =>
  flat(record).toSorted((one, other) => placeOf(one.name) - placeOf(other.name))

const flat = (record: unknown): readonly Line[] =>
  Object.entries((record ?? {}) as Row).flatMap(([name, value]) => {
    if (LEFT_OUT.has(name)) return []
    if (GROUPS.has(name)) return flat(value)
    return [{ name, label: labelOf(name), value: valueOf(value) }]
  })
