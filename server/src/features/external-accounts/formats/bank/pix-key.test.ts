import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PixKeyType } from './pix-key.ts'
import { fitsPixKeyType, isPixKeyType } from './pix-key.ts'

const CASES: readonly [PixKeyType, string, boolean, string][] = [
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

for (const [type, key, expected, reason] of CASES) {
  test(`EACC-3 PIX key of type ${type}: ${reason}`, () => {
    assert.equal(fitsPixKeyType({ key, type }), expected)
  })
}

test('EACC-3 only the five types of PIX keys are types', () => {
  assert.ok(isPixKeyType('RANDOM'))
  assert.ok(!isPixKeyType('EVP'))
  assert.ok(!isPixKeyType(undefined))
})
