import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOf, valuesOf } from './columns.ts'

const values = (row: object) => new Map<string, string>(Object.entries(row))
const address = { line1: '1 Main St', city: 'X', state: 'Y', postalCode: '1', country: 'US' }
const place = { addressLine1: '1 Main St', city: 'X', state: 'Y', postalCode: '1', country: 'US' }
const fields = (row: object): string[] => draftOf(values(row)).findings.map(({ field }) => field)

test('BULK-1 columns come in any order, unknown ones are ignored, missing cells are absent', () => {
  const found = valuesOf({ columns: ['b', 'a', 'b', 'c', 'd'], cells: ['1', '2', '3', '  '] })
  assert.deepEqual(
    [...found],
    [
      ['b', '1'],
      ['a', '2'],
    ],
  )
})

test('BULK-5 a row of an individual is the request that would create it', () => {
  const row = { customerType: 'INDIVIDUAL', fullName: 'Ana', birthDate: '1990-01-01', ...place }
  const ids = { umaAddress: '$ana@x.example', platformCustomerId: 'p1', email: 'a@example.com' }
  const unused = { platformAccountId: 'z', description: 'z', businessLegalName: 'z', id: 'z' }
  assert.deepEqual(draftOf(values({ ...row, ...ids, ...unused })), {
    record: {
      customerType: 'INDIVIDUAL',
      fullName: 'Ana',
      birthDate: '1990-01-01',
      address,
      ...ids,
    },
    findings: [],
  })
})

test('BULK-5 the country of a business is that of its address', () => {
  const { record } = draftOf(
    values({ customerType: 'BUSINESS', businessLegalName: 'Acme', fullName: 'z', ...place }),
  )
  const businessInfo = { legalName: 'Acme', country: 'US' }
  assert.deepEqual(record, { customerType: 'BUSINESS', businessInfo, address })
})

const COMMON = [
  ...['umaAddress', 'platformCustomerId', 'customerType', 'address.line1', 'address.city'],
  ...['address.state', 'address.postalCode', 'address.country'],
]

test('BULK-4 every missing value is named', () => {
  const [uma, id, , ...rest] = COMMON
  assert.deepEqual(fields({}), COMMON)
  assert.deepEqual(fields({ customerType: 'constructor' }), [uma, id, ...rest])
  assert.deepEqual(fields({ customerType: 'INDIVIDUAL' }), [
    uma,
    id,
    ...rest,
    'fullName',
    'birthDate',
  ])
  assert.deepEqual(fields({ customerType: 'BUSINESS' }), [
    uma,
    id,
    ...rest,
    'businessInfo.legalName',
  ])
})

test('BULK-4 an address without the leading dollar gets it', () => {
  const uma = (umaAddress: string) => draftOf(values({ umaAddress })).record['umaAddress']
  assert.equal(uma('ana@x.example'), '$ana@x.example')
  assert.equal(uma('$ana@x.example'), '$ana@x.example')
})
