import type { FieldError } from '../../../kernel/errors.ts'
import { valueAt, type CustomerDraft } from '../../customers/index.ts'

/** Columns and the paths of their values in a request (BULK-1). Other columns are ignored. */
const COMMON: Readonly<Record<string, string>> = {
  umaAddress: 'umaAddress',
  platformCustomerId: 'platformCustomerId',
  customerType: 'customerType',
  addressLine1: 'address.line1',
  addressLine2: 'address.line2',
  city: 'address.city',
  state: 'address.state',
  postalCode: 'address.postalCode',
  country: 'address.country',
  email: 'email',
}
const OF_TYPE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  INDIVIDUAL: { fullName: 'fullName', birthDate: 'birthDate' },
  BUSINESS: {
    businessLegalName: 'businessInfo.legalName',
    businessRegistrationNumber: 'businessInfo.registrationNumber',
    businessTaxId: 'businessInfo.taxId',
    country: 'businessInfo.country',
  },
}

/** Without these in the header the file is unusable (BULK-3). */
export const REQUIRED_COLUMNS = ['umaAddress', 'platformCustomerId', 'customerType'] as const

/** Paths of values that every row has (BULK-4). */
const REQUIRED = [
  ...['umaAddress', 'platformCustomerId', 'customerType'],
  ...['address.line1', 'address.city', 'address.state', 'address.postalCode', 'address.country'],
]
const REQUIRED_OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  INDIVIDUAL: ['fullName', 'birthDate'],
  BUSINESS: ['businessInfo.legalName'],
}

type Cells = Readonly<{ columns: readonly string[]; cells: readonly string[] }>

/** The values of a row by column. Of two equal columns the first counts; blank cells are absent. */
export function valuesOf({ columns, cells }: Cells): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  columns.forEach((column, index) => {
    const value = cells[index] ?? ''
    if (value.trim() !== '' && !values.has(column)) values.set(column, value)
  })
  return values
}

/** A row as the request that would create the same customer (BULK-4, BULK-5). */
export function draftOf(values: ReadonlyMap<string, string>): CustomerDraft {
  const customerType = values.get('customerType') ?? ''
  const ofType = Object.hasOwn(OF_TYPE, customerType) ? OF_TYPE[customerType] : {}
  const record: Record<string, Record<string, string> | string> = { address: {} }
  for (const [column, path] of [...Object.entries(COMMON), ...Object.entries(ofType ?? {})]) {
    const value = values.get(column)
    if (value !== undefined)
      place(record, path, column === 'umaAddress' ? withDollar(value) : value)
  }
  return { record, findings: missingOf(record, customerType) }
}

function missingOf(record: CustomerDraft['record'], customerType: string): FieldError[] {
  const ofType = Object.hasOwn(REQUIRED_OF_TYPE, customerType) ? REQUIRED_OF_TYPE[customerType] : []
  return [...REQUIRED, ...(ofType ?? [])]
    .filter((path) => valueAt(record, path) === undefined)
    .map((field) => ({ field, message: 'is required' }))
}

const withDollar = (address: string): string => (address.startsWith('$') ? address : `$${address}`)

type Draft = Record<string, Record<string, string> | string>

function place(record: Draft, path: string, value: string): void {
  const [parent = '', name] = path.split('.')
  if (name === undefined) record[parent] = value
  else record[parent] = { ...(record[parent] as Record<string, string> | undefined), [name]: value }
}
