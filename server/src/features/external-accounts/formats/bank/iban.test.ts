import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasIbanChecksum, hasIbanStructure, ibanCountry, isSepaIban } from './iban.ts'

/** Examples of the IBAN registry. */
const REGISTRY = [
  'AE070331234567890123456',
  'BE68539007547034',
  'BR1800360305000010009795493C1',
  'CH9300762011623852957',
  'DE89370400440532013000',
  'DK5000400440116243',
  'EG380019000500000000263180002',
  'ES9121000418450200051332',
  'FR1420041010050500013M02606',
  'GB29NWBK60161331926819',
  'IE29AIBK93115212345678',
  'IT60X0542811101000000123456',
  'MT84MALT011000012345MTLCAST001S',
  'NL91ABNA0417164300',
  'NO9386011117947',
  'PK36SCBL0000001123456702',
  'SE4550000000058398257466',
]

for (const iban of REGISTRY) {
  test(`EACC-6 ${iban} of the registry has structure and checksum`, () => {
    assert.ok(hasIbanStructure(iban))
    assert.ok(hasIbanChecksum(iban))
  })
}

const CASES: readonly [string, boolean, boolean, string][] = [
  ['DE89370400440532013001', true, false, 'last digit changed'],
  ['DE98370400440532013000', true, false, 'check digits swapped'],
  ['GB29NWBK60161331926818', true, false, 'last digit changed'],
  ['DE8937040044053201300', false, false, 'one character short for Germany'],
  ['DE893704004405320130000', false, false, 'one character long for Germany'],
  ['NL91AB1A0417164300', false, false, 'a digit among the letters of a Dutch bank code'],
  ['US89370400440532013000', false, false, 'the United States issue none'],
  ['XX89370400440532013000', false, false, 'no such country'],
  ['DEA9370400440532013000', false, false, 'check digits are digits'],
  ['', false, false, 'nothing'],
]

for (const [iban, structure, checksum, reason] of CASES) {
  test(`EACC-6 IBAN ${iban}: ${reason}`, () => {
    assert.equal(hasIbanStructure(iban), structure)
    assert.equal(hasIbanChecksum(iban), checksum)
  })
}

test('EACC-6 mod-97 alone decides, not the national digits inside', () => {
  // A Belgian number whose own check digits (last two) are wrong under a right mod-97.
  assert.ok(hasIbanChecksum('BE41539007547035'))
})

test('EACC-3 the SEPA schemes reach the single area and no further', () => {
  assert.ok(isSepaIban('DE89370400440532013000'))
  assert.ok(isSepaIban('GB29NWBK60161331926819'))
  assert.ok(!isSepaIban('PK36SCBL0000001123456702'))
  assert.equal(ibanCountry('PK36SCBL0000001123456702'), 'PK')
})
