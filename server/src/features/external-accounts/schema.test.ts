import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  EXTERNAL_ACCOUNT_BODIES,
  externalAccountBody,
} from '../../../test/kit/accounts/external-account-bodies.ts'
import { ignoredFieldsHeader } from '../../infra/http/input/ignored-fields.ts'
import { namedSchemas } from '../../infra/http/schema/named-schemas.ts'
import { bodyValidator } from '../../infra/http/schema/validate.ts'
import { checkAccountInfo } from './validation/account-info.ts'
import {
  ExternalAccountCreateRequest,
  ExternalAccountSchema,
  OwnershipChallengeSchema,
  OwnershipVerifyRequest,
  PlatformExternalAccountCreateRequest,
} from './schema.ts'

const RULES = {
  strict: false,
  sandbox: true,
  now: new Date('2026-01-01T00:00:00Z'),
  vaspNames: [],
  bankNamesFor: () => [],
}

const validateAnswer = bodyValidator(ExternalAccountSchema)
const validateRequest = bodyValidator(ExternalAccountCreateRequest)

for (const [accountType, body] of EXTERNAL_ACCOUNT_BODIES) {
  test(`EACC-3 what ${accountType} answers fits its schema`, () => {
    const result = checkAccountInfo({ ...RULES, body })
    assert.ok(result.ok)
    const { currency, accountInfo } = result.account
    const at = '2026-01-01T00:00:00.000Z'
    const answer = {
      id: 'ExternalAccount:0199a0aa-0000-7000-8000-000000000001',
      status: 'ACTIVE',
      currency,
      accountInfo,
      createdAt: at,
      updatedAt: at,
    }
    assert.deepEqual(validateAnswer(answer), [])
    const { accountType: _name, ...nameless } = accountInfo
    assert.notDeepEqual(validateAnswer({ ...answer, accountInfo: nameless }), [])
  })

  test(`EACC-3 the description of ${accountType} knows every field of its body`, () => {
    assert.equal(ignoredFieldsHeader(body, ExternalAccountCreateRequest), undefined)
    assert.equal(ignoredFieldsHeader(body, PlatformExternalAccountCreateRequest), undefined)
  })
}

test('EACC-3 the schema of the request leaves accountInfo to the checks, and only that', () => {
  const blanks = externalAccountBody('EUR_ACCOUNT', { iban: 'de89 3704 0044 0532 0130 00' })
  assert.deepEqual(validateRequest(blanks), [])
  for (const accountInfo of ['text', null, [], {}, { accountType: 'NONE' }]) {
    assert.deepEqual(validateRequest({ currency: 'EUR', accountInfo }), [])
  }
  const wrong = { customerId: 7, defaultUmaDepositAccount: 'yes', ownershipType: 'MINE' }
  assert.deepEqual(
    validateRequest(wrong)
      .map(({ field }) => field)
      .toSorted(),
    ['accountInfo', 'currency', 'customerId', 'defaultUmaDepositAccount', 'ownershipType'],
  )
})

test('EACC-3 CORE-8 an unknown field of accountInfo is one that its type does not have; without a type there is none', () => {
  const others = { colour: 'red', accountCategory: 'SAVINGS', clabeNumber: 'x' }
  const ignored = (accountType: string): unknown => {
    const accountInfo = { ...externalAccountBody('USD_ACCOUNT', others).accountInfo, accountType }
    const body = { currency: 'USD', accountInfo }
    return ignoredFieldsHeader(body, ExternalAccountCreateRequest)?.['Ignored-Fields']
  }
  assert.equal(ignored('USD_ACCOUNT'), 'accountInfo.colour, accountInfo.clabeNumber')
  assert.equal(ignored('NONE'), 'accountInfo.colour')
})

test('OWN-7 a missing, empty or non-string signature is refused before anything is spent', () => {
  const validate = bodyValidator(OwnershipVerifyRequest)
  for (const body of [{}, { signature: '' }, { signature: 7 }, { signature: null }]) {
    assert.deepEqual(
      validate(body).map(({ field }) => field),
      ['signature'],
    )
  }
  assert.deepEqual(validate({ signature: 'x', signatureScheme: 'electrum' }), [])
  assert.equal(validate({ signature: 'x', signatureScheme: 'bip322' }).length, 1)
})

test('EACC-3 schemas that share a name are the same schema', () => {
  const schemas = namedSchemas()
  for (const schema of [
    ExternalAccountCreateRequest,
    PlatformExternalAccountCreateRequest,
    ExternalAccountSchema,
    OwnershipChallengeSchema,
  ]) {
    schemas.reference(schema)
  }
  const names = Object.keys(schemas.all())
  for (const name of [
    'UsdExternalAccountInfo',
    'UsdBeneficiary',
    'BaseWalletExternalAccountInfo',
  ]) {
    assert.ok(names.includes(name), name)
  }
})
