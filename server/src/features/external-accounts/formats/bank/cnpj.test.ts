import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCnpj } from './cnpj.ts'

const CASES: readonly [string, boolean, string][] = [
  ['11222333000181', true, 'a published example'],
  ['11444777000161', true, 'a published example'],
  ['00000000000191', true, 'Banco do Brasil'],
  ['11222333000182', false, 'second check digit changed'],
  ['11222333000191', false, 'first check digit changed'],
  ['00000000000000', false, 'the sum is right, but equal digits are never issued'],
  ['1122233300018', false, 'thirteen digits'],
]

for (const [text, expected, reason] of CASES) {
  test(`EACC-3 CNPJ ${text}: ${reason}`, () => {
    assert.equal(isCnpj(text), expected)
  })
}
