import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAccountType } from '../account-types/table.ts'
import { checkBeneficiary } from './beneficiary.ts'

const NOW = new Date('2026-01-01T00:00:00Z')
const JANE = { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Doe' }
const ADDRESS = { line1: '1 Main Street', postalCode: '53111', country: 'DE' }

function check(accountType: string, beneficiary: unknown) {
  const type = findAccountType(accountType)
  assert.ok(type)
  return checkBeneficiary(type, beneficiary, NOW)
}

/** accountType | beneficiary | found wrong at; the reason. */
const CASES: readonly [string, unknown, string[], string][] = [
  ['MXN_ACCOUNT', JANE, [], 'the least'],
  ['MXN_ACCOUNT', undefined, ['beneficiary'], 'required on fiat types'],
  ['MXN_ACCOUNT', 'Jane', ['beneficiary'], 'not an object'],
  ['MXN_ACCOUNT', null, ['beneficiary'], 'not an object'],
  ['MXN_ACCOUNT', { fullName: 'Jane' }, ['beneficiary.beneficiaryType'], 'which kind?'],
  [
    'MXN_ACCOUNT',
    { beneficiaryType: 'PERSON', email: 'x' },
    ['beneficiary.beneficiaryType', 'beneficiary.email'],
    'no such kind; what both kinds share is still read',
  ],
  ['MXN_ACCOUNT', { beneficiaryType: 'INDIVIDUAL' }, ['beneficiary.fullName'], 'a name'],
  ['MXN_ACCOUNT', { ...JANE, fullName: '  ' }, ['beneficiary.fullName'], 'blanks are no name'],
  ['MXN_ACCOUNT', { ...JANE, fullName: '李'.repeat(200) }, [], '200 characters of any script'],
  ['MXN_ACCOUNT', { ...JANE, fullName: 'x'.repeat(201) }, ['beneficiary.fullName'], '201'],
  ['MXN_ACCOUNT', { ...JANE, fullName: 'Jane\u0007Doe' }, ['beneficiary.fullName'], 'a bell'],
  ['MXN_ACCOUNT', { ...JANE, fullName: 'Jane\nDoe' }, ['beneficiary.fullName'], 'a line end'],
  [
    'MXN_ACCOUNT',
    { beneficiaryType: 'BUSINESS', fullName: 'Acme' },
    ['beneficiary.legalName', 'beneficiary.address'],
    'businesses have legal names',
  ],
  ['MXN_ACCOUNT', { ...JANE, birthDate: '1990-02-30' }, ['beneficiary.birthDate'], 'no such day'],
  ['MXN_ACCOUNT', { ...JANE, birthDate: '2026-01-01' }, ['beneficiary.birthDate'], 'today'],
  ['MXN_ACCOUNT', { ...JANE, birthDate: '2025-12-31' }, [], 'yesterday'],
  ['MXN_ACCOUNT', { ...JANE, nationality: 'XX' }, ['beneficiary.nationality'], 'no such country'],
  ['MXN_ACCOUNT', { ...JANE, nationality: 'mx' }, ['beneficiary.nationality'], 'lower case'],
  ['MXN_ACCOUNT', { ...JANE, email: 'jane' }, ['beneficiary.email'], 'no e-mail'],
  ['MXN_ACCOUNT', { ...JANE, phoneNumber: '(555) 010-0100' }, [], 'a local number'],
  ['MXN_ACCOUNT', { ...JANE, phoneNumber: 'none' }, ['beneficiary.phoneNumber'], 'no number'],
  ['MXN_ACCOUNT', { ...JANE, address: 'Bonn' }, ['beneficiary.address'], 'not an object'],
  [
    'MXN_ACCOUNT',
    { ...JANE, address: { city: 'Bonn' } },
    ['beneficiary.address.line1', 'beneficiary.address.postalCode', 'beneficiary.address.country'],
    'an address is whole or absent',
  ],
  ['MXN_ACCOUNT', { ...JANE, address: { ...ADDRESS, line2: '' } }, [], 'an empty second line'],
  ['AED_ACCOUNT', JANE, ['beneficiary.address'], 'AED asks for an address'],
  ['EUR_ACCOUNT', JANE, ['beneficiary.countryOfResidence', 'beneficiary.address'], 'EUR'],
  ['GTQ_ACCOUNT', JANE, ['beneficiary.phoneNumber', 'beneficiary.countryOfResidence'], 'GTQ'],
  ['JMD_ACCOUNT', JANE, ['beneficiary.phoneNumber', 'beneficiary.address'], 'JMD'],
  [
    'COP_ACCOUNT',
    { ...JANE, documentType: 'DNI', documentNumber: 'x'.repeat(51) },
    ['beneficiary.documentType', 'beneficiary.documentNumber'],
    'a Colombian document',
  ],
  ['BASE_WALLET', undefined, [], 'a wallet may stay unnamed'],
  ['BASE_WALLET', JANE, ['beneficiary.countryOfResidence'], 'a name goes with a country'],
  ['BASE_WALLET', { ...JANE, countryOfResidence: 'MX' }, [], 'the least on a wallet'],
  ['LIGHTNING', JANE, [], 'not a field of LIGHTNING'],
]

for (const [accountType, beneficiary, fields, reason] of CASES) {
  test(`EACC-7 ${accountType}, ${fields.join(', ') || 'nothing wrong'}: ${reason}`, () => {
    const { findings } = check(accountType, beneficiary)
    assert.deepEqual(
      findings.map(({ field }) => field),
      fields,
    )
  })
}

test('EACC-8 a wallet keeps name and country of its beneficiary and nothing else', () => {
  const { beneficiary } = check('BASE_WALLET', {
    ...JANE,
    countryOfResidence: ' MX ',
    birthDate: 'never',
    address: ADDRESS,
  })
  assert.deepEqual(beneficiary, { ...JANE, countryOfResidence: 'MX' })
})

test('EACC-4 the values of a beneficiary are trimmed and phones bared', () => {
  const { beneficiary } = check('CAD_ACCOUNT', {
    ...JANE,
    fullName: ' Jane Doe ',
    phoneNumber: '+1 (415) 555-0100',
    registrationNumber: ' R1 ',
    address: { ...ADDRESS, line1: ' 1 Main Street ' },
  })
  assert.deepEqual(beneficiary, {
    ...JANE,
    phoneNumber: '+14155550100',
    registrationNumber: 'R1',
    address: ADDRESS,
  })
})
