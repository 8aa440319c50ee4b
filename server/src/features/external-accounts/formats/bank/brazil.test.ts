import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCpf, isCnpj, type PixKeyType, fitsPixKeyType, isPixKeyType } from './brazil.ts'

const CPFS: readonly [string, boolean, string][] = [
  ['52998224725', true, 'a published example'],
  ['11144477735', true, 'a published example'],
  ['39053344705', true, 'a check digit of zero'],
  ['52998224724', false, 'second check digit changed'],
  ['52998224735', false, 'first check digit changed'],
  ['11111111111', false, 'the sum is right, but equal digits are never issued'],
  ['5299822472', false, 'ten digits'],
  ['529.982.247-25', false, 'punctuation is dropped before, not here'],
]

for (const [text, expected, reason] of CPFS) {
  test(`EACC-3 CPF ${text}: ${reason}`, () => {
    assert.equal(isCpf(text), expected)
  })
}

const CNPJS: readonly [string, boolean, string][] = [
  ['11222333000181', true, 'a published example'],
  ['11444777000161', true, 'a published example'],
  ['00000000000191', true, 'Banco do Brasil'],
  ['11222333000182', false, 'second check digit changed'],
  ['11222333000191', false, 'first check digit changed'],
  ['00000000000000', false, 'the sum is right, but equal digits are never issued'],
  ['1122233300018', false, 'thirteen digits'],
]

for (const [text, expected, reason] of CNPJS) {
  test(`EACC-3 CNPJ ${text}: ${reason}`, () => {
    assert.equal(isCnpj(text), expected)
  })
}

const PIX_KEYS: readonly [PixKeyType, string, boolean, string][] = [
  ['CPF', '52998224725', true, 'eleven digits'],
  ['CPF', '5299822472', false, 'ten digits'],
  ['CNPJ', '11222333000181', true, 'fourteen digits'],
  ['CNPJ', '52998224725', false, 'a CPF'],
  ['EMAIL', 'ana@example.com', true, 'a mailbox'],
  ['EMAIL', `${'a'.repeat(64)}@${'b'.repeat(8)}.com`, true, '77 characters'],
  ['EMAIL', `${'a'.repeat(64)}@${'b'.repeat(9)}.com`, false, '78 characters'],
  ['EMAIL', 'ana', false, 'no domain'],
  ['PHONE', '+5511987654321', true, 'eleven national digits'],
  ['PHONE', '+551187654321', true, 'ten national digits'],
  ['PHONE', '+55118765432', false, 'nine national digits'],
  ['PHONE', '11987654321', false, 'no calling code'],
  ['PHONE', '+541187654321', false, "Argentina's calling code"],
  ['RANDOM', '123e4567-e89b-12d3-a456-426614174000', true, 'a UUID'],
  ['RANDOM', '123e4567e89b12d3a456426614174000', true, 'without hyphens'],
  ['RANDOM', '123e4567-e89b-12d3-a456-42661417400', false, 'one character short'],
]

for (const [type, key, expected, reason] of PIX_KEYS) {
  test(`EACC-3 PIX key of type ${type}: ${reason}`, () => {
    assert.equal(fitsPixKeyType({ key, type }), expected)
  })
}

test('EACC-3 only the five types of PIX keys are types', () => {
  assert.ok(isPixKeyType('RANDOM'))
  assert.ok(!isPixKeyType('EVP'))
  assert.ok(!isPixKeyType(undefined))
})
