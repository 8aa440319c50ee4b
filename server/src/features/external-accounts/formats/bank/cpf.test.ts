import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCpf } from './cpf.ts'

const CASES: readonly [string, boolean, string][] = [
  ['52998224725', true, 'a published example'],
  ['11144477735', true, 'a published example'],
  ['39053344705', true, 'a check digit of zero'],
  ['52998224724', false, 'second check digit changed'],
  ['52998224735', false, 'first check digit changed'],
  ['11111111111', false, 'the sum is right, but equal digits are never issued'],
  ['5299822472', false, 'ten digits'],
  ['529.982.247-25', false, 'punctuation is dropped before, not here'],
]

for (const [text, expected, reason] of CASES) {
  test(`EACC-3 CPF ${text}: ${reason}`, () => {
    assert.equal(isCpf(text), expected)
  })
}
