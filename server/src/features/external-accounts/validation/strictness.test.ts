import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountRules } from './strictness.ts'

const now = new Date('2026-01-01T00:00:00Z')

const CASES = [
  ['SANDBOX', false, false, true, 'warns'],
  ['SANDBOX', true, true, true, 'refuses, magic suffixes excepted'],
  ['PRODUCTION', false, true, false, 'refuses, without exception'],
  ['PRODUCTION', true, true, false, 'refuses, without exception'],
] as const

for (const [environment, strictIdentifiers, strict, sandbox, what] of CASES) {
  test(`EACC-5 ${environment} with strict identifiers ${strictIdentifiers ? 'on' : 'off'} ${what}`, () => {
    const rules = accountRules({ platform: { environment, strictIdentifiers }, now })
    assert.equal(rules.strict, strict)
    assert.equal(rules.sandbox, sandbox)
  })
}

test('DISC-3 and EACC-8 the rules carry the directories', () => {
  const rules = accountRules({
    platform: { environment: 'SANDBOX', strictIdentifiers: false },
    now,
  })
  assert.ok(rules.bankNamesFor({ country: 'PH', currency: 'PHP' }).includes('BPI'))
  assert.ok(rules.vaspNames.includes('Coinbase'))
})
