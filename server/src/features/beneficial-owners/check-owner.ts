/** Rules on an owner that a schema cannot state. Accepts unvalidated input; never throws. */
import type { FieldError } from '../../kernel/errors.ts'
import { FORMATS } from '../../kernel/text/formats.ts'
import { dateFrom, textAt, US_NUMBERS, type CustomerRecord } from '../customers/index.ts'

const AT = 'personalInfo'
const FIELDS = {
  idType: `${AT}.idType`,
  identifier: `${AT}.identifier`,
  countryOfIssuance: `${AT}.countryOfIssuance`,
}

const bornInTime = dateFrom(`${AT}.birthDate`, '1900-01-01')

export function checkOwner(record: CustomerRecord, now: Date): FieldError[] {
  return [
    ...bornInTime({ record, isNamed: () => true, now }),
    ...identifierOfType(record),
    ...issuedWhere(record),
  ]
}

function identifierOfType(record: CustomerRecord): FieldError[] {
  const [idType = '', identifier] = [
    textAt(record, FIELDS.idType),
    textAt(record, FIELDS.identifier),
  ]
  const format = US_NUMBERS.get(idType)
  if (format === undefined || identifier === undefined || FORMATS[format]?.(identifier)) return []
  const message = `must have the form of an ${idType}`
  return [{ field: FIELDS.identifier, constraint: { format }, message }]
}

function issuedWhere(record: CustomerRecord): FieldError[] {
  const [idType, country] = [
    textAt(record, FIELDS.idType),
    textAt(record, FIELDS.countryOfIssuance),
  ]
  if (idType === undefined || country === undefined) return []
  const isUs = US_NUMBERS.has(idType)
  if (isUs === (country === 'US') || (!isUs && idType !== 'NON_US_TAX_ID')) return []
  return isUs
    ? [{ field: FIELDS.countryOfIssuance, constraint: { enum: ['US'] }, message: 'must be US' }]
    : [{ field: FIELDS.countryOfIssuance, message: 'must not be US for a NON_US_TAX_ID' }]
}
