import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wireBrand, type WireBrand } from './wire-brand.ts'

const brand = (word: string): WireBrand => {
  const made = wireBrand(word)
  assert.ok(made)
  return made
}
const acme = brand('Acme')

const SPELLINGS: readonly [word: string, field: string, value: string, header: string][] = [
  ['Acme', 'acmeApiFixedFee', 'CLOSED_BY_ACME', 'X-Acme-Signature'],
  ['AcmePay', 'acmePayApiFixedFee', 'CLOSED_BY_ACMEPAY', 'X-AcmePay-Signature'],
  ['ACME', 'acmeApiFixedFee', 'CLOSED_BY_ACME', 'X-ACME-Signature'],
  ['ACMEPay', 'acmePayApiFixedFee', 'CLOSED_BY_ACMEPAY', 'X-ACMEPay-Signature'],
  ['A', 'aApiFixedFee', 'CLOSED_BY_A', 'X-A-Signature'],
  ['Services', 'servicesApiFixedFee', 'CLOSED_BY_SERVICES', 'X-Services-Signature'],
]

test('CORE-11 the default brand maps nothing', () => assert.equal(wireBrand('Service'), undefined))

describe('CORE-11 how a brand is spelled', () => {
  for (const [word, field, value, header] of SPELLINGS) {
    test(`CORE-11 ${word}: ${field}, ${value}, ${header}`, () => {
      const names = ['serviceApiFixedFee', 'CLOSED_BY_SERVICE', 'X-Service-Signature']
      assert.deepEqual(names.map(brand(word).spell), [field, value, header])
    })
  }
})

test('CORE-11 only names of the wire are the brand', () => {
  const body = {
    data: [{ serviceOperationsStatus: 'ENABLED', type: 'SERVICE_INTERNAL_ACCOUNT' }],
    fullName: 'SERVICE_INTERNAL_ACCOUNT',
    platformCustomerId: 'CLOSED_BY_SERVICE',
    code: 'SERVICE_UNAVAILABLE',
    purpose: 'GOODS_OR_SERVICES',
    type: 'serviceOperationsStatus',
    accountType: 'US_ACCOUNT',
    nothing: null,
  }
  assert.deepEqual(acme.toWire(body), {
    ...body,
    data: [{ acmeOperationsStatus: 'ENABLED', type: 'ACME_INTERNAL_ACCOUNT' }],
    accountType: 'USD_ACCOUNT',
  })
})

test('CORE-11 a refusal names fields, values and headers in the brand', () => {
  const error = {
    message: 'The service needs Service-Wallet-Signature.',
    details: {
      errors: [
        {
          field: 'serviceOperationsStatus',
          message: 'must be one of SERVICE_INTERNAL_ACCOUNT, WIRE',
          constraint: { enum: ['SERVICE_INTERNAL_ACCOUNT', 'WIRE'] },
        },
      ],
    },
  }
  assert.deepEqual(acme.errorToWire(error), {
    message: 'The service needs Acme-Wallet-Signature.',
    details: {
      errors: [
        {
          field: 'acmeOperationsStatus',
          message: 'must be one of ACME_INTERNAL_ACCOUNT, WIRE',
          constraint: { enum: ['ACME_INTERNAL_ACCOUNT', 'WIRE'] },
        },
      ],
    },
  })
})

test('CORE-11 both spellings are taken, and both at once where they agree', () => {
  const status = { serviceOperationsStatus: 'ENABLED' }
  for (const sent of [
    status,
    { acmeOperationsStatus: 'ENABLED' },
    { ...status, acmeOperationsStatus: 'ENABLED' },
    { acmeOperationsStatus: 'ENABLED', ...status },
  ]) {
    assert.deepEqual(acme.fromWire(sent), { value: status, errors: [] })
  }
  const source = { source: [{ type: 'SERVICE_INTERNAL_ACCOUNT' }] }
  for (const sent of [source, { source: [{ type: 'ACME_INTERNAL_ACCOUNT' }] }]) {
    assert.deepEqual(acme.fromWire(sent), { value: source, errors: [] })
  }
  for (const sent of [
    undefined,
    null,
    5,
    'ACME_INTERNAL_ACCOUNT',
    [],
    { name: 'CLOSED_BY_ACME' },
  ]) {
    assert.deepEqual(acme.fromWire(sent), { value: sent, errors: [] })
  }
})

test('CORE-11 two spellings with different values are reported at the branded one', () => {
  const fieldsOf = (sent: unknown) => acme.fromWire(sent).errors.map(({ field }) => field)
  const both = { serviceOperationsStatus: 'A', acmeOperationsStatus: 'B' }
  assert.deepEqual(fieldsOf(both), ['acmeOperationsStatus'])
  assert.deepEqual(fieldsOf({ a: [both] }), ['a.0.acmeOperationsStatus'])
  const headers = { 'service-wallet-signature': 'x', 'acme-wallet-signature': 'y' }
  const [error] = acme.headersFromWire(headers).errors
  assert.equal(error?.field, 'Acme-Wallet-Signature')
})

test('CORE-11 SIGN-2 an empty header counts as absent', () => {
  const given = { 'service-wallet-signature': 'x', 'acme-wallet-signature': '' }
  assert.deepEqual(acme.headersFromWire(given), { value: given, errors: [] })
  const other = { 'service-wallet-signature': '', 'acme-wallet-signature': 'x' }
  const read = acme.headersFromWire(other)
  assert.deepEqual([read.value['service-wallet-signature'], read.errors], ['x', []])
})

test('CORE-11 names of the language are names like any other', () => {
  const sent: unknown = JSON.parse('{"__proto__":{"acmeOperationsStatus":"A"},"constructor":1}')
  const { value } = acme.fromWire(sent)
  const expected = '{"__proto__":{"serviceOperationsStatus":"A"},"constructor":1}'
  assert.equal(JSON.stringify(value), expected)
  assert.equal(JSON.stringify(acme.toWire(value)), JSON.stringify(sent))
})
