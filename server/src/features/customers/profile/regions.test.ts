import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COUNTRY_CODES } from '../../../kernel/text/country-codes.ts'
import { isScaRegion, requiredChannels } from './regions.ts'

const EU = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'
const BOTH = new Set(EU.split(' '))
const EMAIL_ONLY = new Set(['IS', 'LI', 'NO'])

test('CUST-22 CONT-1 each region requires exactly its channels of an unregulated platform', () => {
  const unregulated = { kind: 'UNREGULATED' } as const
  assert.equal(BOTH.size, 27)
  for (const region of COUNTRY_CODES) {
    const expected = BOTH.has(region) ? ['email', 'phone'] : EMAIL_ONLY.has(region) ? ['email'] : []
    assert.deepEqual(requiredChannels(unregulated, region), expected, region)
  }
  assert.deepEqual(requiredChannels(unregulated, undefined), [])
})

test('CUST-22 no channels are required of a regulated platform', () => {
  for (const region of ['DE', 'NO', 'US', undefined]) {
    assert.deepEqual(requiredChannels({ kind: 'REGULATED' }, region), [])
  }
})

test('SCA-1 the EU and the rest of the EEA require strong authentication, no other region does', () => {
  for (const region of COUNTRY_CODES) {
    assert.equal(isScaRegion(region), BOTH.has(region) || EMAIL_ONLY.has(region), region)
  }
  assert.equal(isScaRegion(undefined), false)
})
