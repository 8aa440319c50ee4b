/** A record of the API as lines for people: of a customer, an owner, an account outside. */
import type { Row } from '../ask.ts'
import { inWords } from '../cells/cells.ts'

export type Line = Readonly<{ name: string; label: string; value: string }>

/** Said elsewhere on the page, or of no use to a reviewer. */
const LEFT_OUT = new Set([
  ...['id', 'customerId', 'customerType', 'kycStatus', 'kybStatus', 'isDeleted', 'createdAt'],
  ...['updatedAt', 'beneficialOwners', 'currencies', 'umaAddress', 'platformCustomerId'],
  ...['endUserTermsConsent', 'contactVerification', 'platformId', 'countryOfIssuance', 'covered'],
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
