import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  EXTERNAL_ACCOUNT_BODIES,
  externalAccountBody,
} from '../../../../test/kit/accounts/external-account-bodies.ts'
import { formatMessage } from '../../../kernel/text/formats.ts'
import { VASP_NAMES, bankNamesFor } from '../../discoveries/index.ts'
import { ACCOUNT_TYPES, currenciesOf, findAccountType } from './table.ts'
import { checkAccountInfo } from '../validation/account-info.ts'

const RULES = {
  strict: true,
  sandbox: false,
  now: new Date('2026-01-01T00:00:00Z'),
  vaspNames: VASP_NAMES,
  bankNamesFor,
}

function check(body: Readonly<Record<string, unknown>>, rules: Partial<typeof RULES> = {}) {
  const result = checkAccountInfo({ ...RULES, ...rules, body })
  const fields = result.ok ? [] : result.errors.map(({ field }) => field)
  return { result, fields }
}

/** Section 5, by hand: currency, rails of the least body, identifier of the least body. */
const EXPECTED = `
  USD_ACCOUNT     | USD       | ACH WIRE RTP FEDNOW        | accountNumber
  EUR_ACCOUNT     | EUR       | SEPA_INSTANT SEPA          | iban
  DKK_ACCOUNT     | DKK       | SEPA_INSTANT SEPA          | iban
  GBP_ACCOUNT     | GBP       | FASTER_PAYMENTS            | accountNumber
  MXN_ACCOUNT     | MXN       | SPEI                       | clabeNumber
  BRL_ACCOUNT     | BRL       | PIX                        | pixKey
  INR_ACCOUNT     | INR       | UPI                        | vpa
  CAD_ACCOUNT     | CAD       | BANK_TRANSFER              | accountNumber
  NGN_ACCOUNT     | NGN       | BANK_TRANSFER              | accountNumber
  ZAR_ACCOUNT     | ZAR       | BANK_TRANSFER              | accountNumber
  PHP_ACCOUNT     | PHP       | BANK_TRANSFER              | accountNumber
  HKD_ACCOUNT     | HKD       | BANK_TRANSFER              | accountNumber
  MYR_ACCOUNT     | MYR       | BANK_TRANSFER              | accountNumber
  THB_ACCOUNT     | THB       | BANK_TRANSFER              | accountNumber
  VND_ACCOUNT     | VND       | BANK_TRANSFER              | accountNumber
  SGD_ACCOUNT     | SGD       | FAST PAYNOW BANK_TRANSFER  | accountNumber
  IDR_ACCOUNT     | IDR       | BANK_TRANSFER              | accountNumber
  AED_ACCOUNT     | AED       | BANK_TRANSFER              | iban
  GTQ_ACCOUNT     | GTQ       | BANK_TRANSFER              | accountNumber
  JMD_ACCOUNT     | JMD       | BANK_TRANSFER              | accountNumber
  KES_ACCOUNT     | KES       | MOBILE_MONEY               | phoneNumber
  TZS_ACCOUNT     | TZS       | MOBILE_MONEY               | phoneNumber
  ZMW_ACCOUNT     | ZMW       | MOBILE_MONEY               | phoneNumber
  RWF_ACCOUNT     | RWF       | MOBILE_MONEY               | phoneNumber
  MWK_ACCOUNT     | MWK       | MOBILE_MONEY               | phoneNumber
  UGX_ACCOUNT     | UGX       | MOBILE_MONEY               | phoneNumber
  BWP_ACCOUNT     | BWP       | MOBILE_MONEY               | phoneNumber
  XOF_ACCOUNT     | XOF       | MOBILE_MONEY               | phoneNumber
  XAF_ACCOUNT     | XAF       | MOBILE_MONEY               | phoneNumber
  HTG_ACCOUNT     | HTG       | MOBILE_MONEY               | phoneNumber
  BDT_ACCOUNT     | BDT       | BANK_TRANSFER              | accountNumber
  GHS_ACCOUNT     | GHS       | MOBILE_MONEY               | phoneNumber
  PKR_ACCOUNT     | PKR       | BANK_TRANSFER              | accountNumber
  EGP_ACCOUNT     | EGP       | BANK_TRANSFER              | iban
  COP_ACCOUNT     | COP       | BANK_TRANSFER              | accountNumber
  SLV_ACCOUNT     | USD       | BANK_TRANSFER              | accountNumber
  CNY_ACCOUNT     | CNY       | BANK_TRANSFER              | accountNumber
  BASE_WALLET     | USDC      |                            | address
  ETHEREUM_WALLET | USDC USDT |                            | address
  POLYGON_WALLET  | USDC      |                            | address
  PLASMA_WALLET   | USDT      |                            | address
  SOLANA_WALLET   | USDC USDT |                            | address
  SPARK_WALLET    | BTC USDB  |                            | address
  TRON_WALLET     | USDT      |                            | address
  LIGHTNING       | BTC       |                            | lightningAddress
`
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))

test('EACC-2 the table holds the 46 types of the contract, each once, and a body for each', () => {
  const names = ACCOUNT_TYPES.map(({ accountType }) => accountType)
  assert.equal(names.length, 46)
  assert.equal(new Set(names).size, 46)
  assert.deepEqual(names.toSorted(), [...EXTERNAL_ACCOUNT_BODIES.keys()].toSorted())
  assert.deepEqual(
    names.filter((name) => name !== 'SWIFT_ACCOUNT').toSorted(),
    EXPECTED.map(([name]) => name).toSorted(),
  )
})

for (const [accountType = '', currencies = '', rails = '', identifier = ''] of EXPECTED) {
  test(`EACC-1 ${accountType}: currencies ${currencies}, rails ${rails || 'none'}`, () => {
    const type = findAccountType(accountType)
    assert.ok(type)
    assert.deepEqual(currenciesOf(type), currencies.split(' '))
    const body = externalAccountBody(accountType)
    const { result } = check(body)
    assert.ok(result.ok, JSON.stringify(result))
    assert.deepEqual(result.warnings, [])
    assert.deepEqual(result.account.paymentRails, rails.split(' ').filter(Boolean))
    assert.equal(result.account.identifier, body.accountInfo[identifier])
    assert.equal('paymentRails' in result.account.accountInfo, rails !== '')
  })
}

test('EACC-1 SWIFT_ACCOUNT takes every fiat currency of the catalogue and no coin', () => {
  const body = externalAccountBody('SWIFT_ACCOUNT')
  for (const currency of ['USD', 'JPY', 'NPR', 'AUD']) {
    assert.ok(check({ ...body, currency }).result.ok, currency)
  }
  assert.deepEqual(check({ ...body, currency: 'USDC' }).fields, ['currency'])
})

for (const { accountType, fields, beneficiary } of ACCOUNT_TYPES) {
  const required = Object.entries(fields).filter(([, rule]) => rule.required)
  for (const [field] of required) {
    test(`EACC-3 ${accountType} without ${field} is refused there`, () => {
      const body = externalAccountBody(accountType, { [field]: undefined })
      assert.deepEqual(check(body).fields, [`accountInfo.${field}`])
    })
  }

  if (beneficiary?.isRequired) {
    test(`EACC-7 ${accountType} without beneficiary is refused there`, () => {
      const body = externalAccountBody(accountType, { beneficiary: undefined })
      assert.deepEqual(check(body).fields, ['accountInfo.beneficiary'])
    })
  }

  for (const [field, rule] of Object.entries(fields)) {
    test(`EACC-3 ${accountType} with a number or null as ${field} is refused there`, () => {
      for (const value of [12345, null, {}, ['x']]) {
        const { fields } = check(externalAccountBody(accountType, { [field]: value }))
        assert.ok(fields.includes(`accountInfo.${field}`), JSON.stringify(value))
      }
    })

    if (!rule.pattern && !rule.enum && !rule.form) continue
    test(`EACC-3 ${accountType} with a malformed ${field} names what was broken, sandbox or not`, () => {
      const body = externalAccountBody(accountType, { [field]: '*** wrong ***' })
      for (const strict of [true, false]) {
        const { result } = check(body, { strict, sandbox: !strict })
        const error = result.ok
          ? undefined
          : result.errors.find((one) => one.field === `accountInfo.${field}`)
        assert.ok(error, 'refused there')
        if (rule.format) assert.equal(error.constraint?.format, rule.format)
        if (rule.pattern) assert.equal(error.constraint?.pattern, rule.pattern)
        if (rule.enum) assert.deepEqual(error.constraint?.enum, rule.enum)
      }
    })
  }

  for (const [field, { minLength = 0, maxLength }] of Object.entries(fields)) {
    if (maxLength === undefined) continue
    test(`EACC-3 ${accountType} with a ${field} beyond ${minLength}-${maxLength} characters is refused there`, () => {
      const lengths = minLength > 0 ? [minLength - 1, maxLength + 1] : [maxLength + 1]
      for (const length of lengths) {
        const body = externalAccountBody(accountType, { [field]: '1'.repeat(length) })
        assert.ok(check(body).fields.includes(`accountInfo.${field}`), `${length}`)
      }
    })
  }
}

test('CORE-31 the message of every field with a format says what it has to look like', () => {
  const formats = ACCOUNT_TYPES.flatMap(({ fields }) =>
    Object.values(fields).flatMap(({ format }) => format ?? []),
  )
  assert.ok(formats.includes('iban'))
  for (const format of new Set([...formats, 'cpf', 'cnpj'])) {
    assert.ok(!formatMessage(format).includes('valid'), `${format} has no words`)
  }
})
