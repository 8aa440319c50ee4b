import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { externalAccountBody } from '../../../../test/kit/accounts/external-account-bodies.ts'
import type { Normaliser } from './normalise.ts'
import {
  bech32Text,
  bicText,
  ibanText,
  phoneText,
  pixKeyText,
  sortCodeText,
  taxIdText,
  trimmed,
  withoutBlanks,
} from './normalise.ts'
import { ACCOUNT_TYPES } from '../account-types/table.ts'
import { checkAccountInfo } from '../validation/account-info.ts'

const CASES: readonly [string, Normaliser, string, string][] = [
  ['outer blanks', trimmed, '  Acme  Ltd \t', 'Acme  Ltd'],
  ['account number', withoutBlanks, ' 1234 5678 ', '12345678'],
  ['IBAN', ibanText, 'de89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
  ['BIC', bicText, ' deutdeff ', 'DEUTDEFF'],
  ['sort code', sortCodeText, ' 60-16-13 ', '601613'],
  ['phone', phoneText, ' +1 (415) 555-01.00 ', '+14155550100'],
  ['CPF', taxIdText, '529.982.247-25', '52998224725'],
  ['CNPJ', taxIdText, '11.222.333/0001-81', '11222333000181'],
  ['bech32 in capitals', bech32Text, ' SPARK1PGSS9Z2 ', 'spark1pgss9z2'],
  ['bech32 of mixed case stays, to be refused', bech32Text, 'spark1pGss9z2', 'spark1pGss9z2'],
]

for (const [what, normaliser, given, expected] of CASES) {
  test(`EACC-4 ${what}`, () => {
    assert.equal(normaliser(given, {}), expected)
  })
}

test('EACC-4 how a PIX key is written depends on its type', () => {
  assert.equal(pixKeyText('529.982.247-25', { pixKeyType: 'CPF' }), '52998224725')
  assert.equal(pixKeyText('+55 (11) 98765-4321', { pixKeyType: 'PHONE' }), '+5511987654321')
  assert.equal(pixKeyText(' ana.rao@example.com ', { pixKeyType: 'EMAIL' }), 'ana.rao@example.com')
})

test('EACC-4 normalising twice changes nothing more, on any text and every field', () => {
  const messy = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[ \t./()+-]{0,4}[0-9A-Za-z ./()+-]{0,40}[ \t./()-]{0,4}$/),
  )
  const normalisers = new Set(
    ACCOUNT_TYPES.flatMap(({ fields, beneficiary }) =>
      [fields, beneficiary?.individual ?? {}].flatMap((rules) =>
        Object.values(rules).map(({ normalise }) => normalise),
      ),
    ),
  )
  const siblings = fc.record({ pixKeyType: fc.constantFrom('CPF', 'EMAIL', 'PHONE', undefined) })
  for (const normalise of normalisers) {
    fc.assert(
      fc.property(messy, siblings, (text, others) => {
        const once = normalise(text, others)
        assert.equal(normalise(once, others), once)
      }),
    )
  }
})

test('EACC-4 an answered account, sent again, is answered the same', () => {
  const rules = {
    strict: false,
    sandbox: true,
    now: new Date('2026-01-01T00:00:00Z'),
    vaspNames: [],
    bankNamesFor: () => [],
  }
  const blanks = fc.stringMatching(/^[ \t]{0,3}$/)
  const names = ACCOUNT_TYPES.map(({ accountType }) => accountType)
  fc.assert(
    fc.property(fc.constantFrom(...names), blanks, blanks, (accountType, before, after) => {
      const body = externalAccountBody(accountType)
      const padded = Object.entries(body.accountInfo).map(([field, value]) => [
        field,
        typeof value === 'string' && field !== 'accountType' ? `${before}${value}${after}` : value,
      ])
      const first = checkAccountInfo({
        ...rules,
        body: { ...body, accountInfo: Object.fromEntries(padded) as object },
      })
      assert.ok(first.ok, JSON.stringify(first))
      const { accountInfo } = first.account
      assert.deepEqual(checkAccountInfo({ ...rules, body: { ...body, accountInfo } }), first)
      assert.deepEqual(checkAccountInfo({ ...rules, body }), first)
    }),
  )
})
