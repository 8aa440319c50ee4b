import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bicCountry, isBic } from './bic.ts'

const CASES: readonly [string, boolean, string][] = [
  ['DEUTDEFF', true, 'Deutsche Bank, eight characters'],
  ['DEUTDEFF500', true, 'with a branch'],
  ['HSBCHKHHHKH', true, 'HSBC Hong Kong'],
  ['ABCDZZ22', false, 'no country ZZ'],
  ['DEUTDEFF50', false, 'ten characters'],
  ['DEUT1EFF', false, 'a digit in the country'],
]

for (const [text, expected, reason] of CASES) {
  test(`EACC-3 BIC ${text}: ${reason}`, () => {
    assert.equal(isBic(text), expected)
  })
}

test('EACC-3 characters five and six of a BIC are its country', () => {
  assert.equal(bicCountry('HSBCHKHHHKH'), 'HK')
})
