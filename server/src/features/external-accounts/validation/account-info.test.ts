import assert from 'node:assert/strict'
import { test } from 'node:test'
import { externalAccountBody } from '../../../../test/kit/accounts/external-account-bodies.ts'
import { VASP_NAMES, bankNamesFor } from '../../discoveries/index.ts'
import { ACCOUNT_TYPE_NAMES } from '../account-types/table.ts'
import { checkAccountInfo } from './account-info.ts'

const COMMON = { now: new Date('2026-01-01T00:00:00Z'), vaspNames: VASP_NAMES, bankNamesFor }
const SANDBOX = { ...COMMON, strict: false, sandbox: true }
const STRICT_SANDBOX = { ...COMMON, strict: true, sandbox: true }
const PRODUCTION = { ...COMMON, strict: true, sandbox: false }

type Body = Readonly<Record<string, unknown>>

const checkIn = (rules: typeof SANDBOX) => (body: Body) => checkAccountInfo({ ...rules, body })
const inSandbox = checkIn(SANDBOX)
const inStrictSandbox = checkIn(STRICT_SANDBOX)
const inProduction = checkIn(PRODUCTION)

function errorsOf(result: ReturnType<typeof inSandbox>) {
  assert.ok(!result.ok, 'refused')
  return result.errors
}
const fieldsOf = (result: ReturnType<typeof inSandbox>) =>
  errorsOf(result).map(({ field }) => field)

function accountOf(result: ReturnType<typeof inSandbox>) {
  assert.ok(result.ok, JSON.stringify(result))
  return result.account
}
function warningsOf(result: ReturnType<typeof inSandbox>) {
  assert.ok(result.ok, JSON.stringify(result))
  return result.warnings
}

const JANE = { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Doe' }
const ADDRESS = { line1: '1 Main Street', city: 'Bonn', postalCode: '53111', country: 'DE' }

test('EACC-2 what is not an object in the place of accountInfo is refused there', () => {
  for (const accountInfo of [undefined, 'USD_ACCOUNT', [], null, 7]) {
    assert.deepEqual(fieldsOf(inSandbox({ currency: 'USD', accountInfo })), ['accountInfo'])
  }
  assert.deepEqual(fieldsOf(inSandbox({})), ['currency', 'accountInfo'])
})

test('EACC-2 an unknown accountType is refused with the enum of all types', () => {
  for (const accountType of ['XXX_ACCOUNT', 'usd_account', undefined, 7, '__proto__']) {
    const [error, ...rest] = errorsOf(inSandbox({ currency: 'USD', accountInfo: { accountType } }))
    assert.equal(error?.field, 'accountInfo.accountType')
    assert.deepEqual(error.constraint, { enum: ACCOUNT_TYPE_NAMES })
    assert.deepEqual(rest, [])
  }
})

test('EACC-3 all failures of a body come at once, form and strict together', () => {
  const body = {
    currency: 'EUR',
    accountInfo: {
      accountType: 'USD_ACCOUNT',
      accountNumber: '12a',
      routingNumber: '123456789',
      intermediaryBankName: 'Correspondent',
      beneficiary: {
        beneficiaryType: 'INDIVIDUAL',
        fullName: ' ',
        birthDate: '2030-01-01',
        nationality: 'XX',
        address: { postalCode: 1, country: 'Germany' },
      },
    },
  }
  assert.deepEqual(fieldsOf(inProduction(body)), [
    'currency',
    'accountInfo.accountNumber',
    'accountInfo.routingNumber',
    'accountInfo.intermediaryRoutingNumber',
    'accountInfo.beneficiary.fullName',
    'accountInfo.beneficiary.birthDate',
    'accountInfo.beneficiary.nationality',
    'accountInfo.beneficiary.address.line1',
    'accountInfo.beneficiary.address.postalCode',
    'accountInfo.beneficiary.address.country',
    'accountInfo.beneficiary.address.city',
  ])
})

test('EACC-5 scenario 5 a USD account is accepted with ACH first', () => {
  const account = accountOf(inSandbox(externalAccountBody('USD_ACCOUNT')))
  assert.equal(account.paymentRails[0], 'ACH')
  assert.equal(account.identifier, '123456789')
  assert.deepEqual(account.accountInfo, {
    accountType: 'USD_ACCOUNT',
    accountNumber: '123456789',
    routingNumber: '021000021',
    paymentRails: ['ACH', 'WIRE', 'RTP', 'FEDNOW'],
    beneficiary: {
      ...JANE,
      address: { line1: '1 Main Street', city: 'Springfield', postalCode: '12345', country: 'US' },
    },
  })
})

test('EACC-5 scenario 6 a wrong routing checksum is a warning in sandbox and refused when strict', () => {
  const body = externalAccountBody('USD_ACCOUNT', { routingNumber: '123456789' })
  assert.deepEqual(warningsOf(inSandbox(body)), ['accountInfo.routingNumber'])
  for (const check of [inStrictSandbox, inProduction]) {
    const [error] = errorsOf(check(body))
    assert.equal(error?.field, 'accountInfo.routingNumber')
    assert.deepEqual(error.constraint, { format: 'aba-routing-number' })
  }
})

test('EACC-4 scenario 7 an IBAN is answered in capitals without blanks', () => {
  const iban = 'de89 3704 0044 0532 0130 00'
  const without = externalAccountBody('EUR_ACCOUNT', { iban, beneficiary: JANE })
  assert.deepEqual(fieldsOf(inSandbox(without)), ['accountInfo.beneficiary.countryOfResidence'])
  const beneficiary = { ...JANE, countryOfResidence: 'DE' }
  const { accountInfo } = accountOf(
    inSandbox(externalAccountBody('EUR_ACCOUNT', { iban, beneficiary })),
  )
  assert.equal(accountInfo['iban'], 'DE89370400440532013000')
})

test('EACC-3 scenario 9 an INR account is named one way, not two', () => {
  const both = externalAccountBody('INR_ACCOUNT', { ifsc: 'SBIN0005943' })
  assert.deepEqual(fieldsOf(inSandbox(both)), ['accountInfo.vpa'])
  assert.deepEqual(accountOf(inSandbox(externalAccountBody('INR_ACCOUNT'))).paymentRails, ['UPI'])
})

test('EACC-1 scenario 10 a Spark wallet holds BTC or USDB', () => {
  const body = externalAccountBody('SPARK_WALLET')
  const [error] = errorsOf(inSandbox({ ...body, currency: 'USDC' }))
  assert.equal(error?.field, 'currency')
  assert.deepEqual(error.constraint, { enum: ['BTC', 'USDB'] })
  for (const currency of ['BTC', 'USDB']) assert.ok(inSandbox({ ...body, currency }).ok)
  for (const currency of [undefined, 7, '', 'btc']) {
    assert.deepEqual(fieldsOf(inSandbox({ ...body, currency })), ['currency'])
  }
})

test('EACC-3 scenario 11 a Solana address is base58 of 32 bytes', () => {
  const address = '0OIlWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  const [error] = errorsOf(inSandbox(externalAccountBody('SOLANA_WALLET', { address })))
  assert.equal(error?.field, 'accountInfo.address')
  assert.deepEqual(error.constraint, { format: 'solana-address' })
  assert.ok(inProduction(externalAccountBody('SOLANA_WALLET')).ok)
})

test('EACC-4 US_ACCOUNT and accountCategory are taken and answered under the names of the contract', () => {
  const body = externalAccountBody('USD_ACCOUNT', {
    accountType: 'US_ACCOUNT',
    accountCategory: 'SAVINGS',
  })
  const { accountType, accountInfo } = accountOf(inProduction(body))
  assert.equal(accountType, 'USD_ACCOUNT')
  assert.equal(accountInfo['accountType'], 'USD_ACCOUNT')
  assert.equal(accountInfo['bankAccountType'], 'SAVINGS')
  assert.ok(!('accountCategory' in accountInfo))
  const wrong = externalAccountBody('USD_ACCOUNT', { accountCategory: 'CURRENT' })
  assert.deepEqual(fieldsOf(inSandbox(wrong)), ['accountInfo.bankAccountType'])
})

test('EACC-19 unknown fields and given rails are ignored, texts are kept as they are', () => {
  const fullName = `Zoë "Robert'); DROP TABLE accounts;--" 李`
  const body = externalAccountBody('MXN_ACCOUNT', {
    paymentRails: ['WIRE'],
    colour: 'red',
    beneficiary: { ...JANE, fullName: `  ${fullName} `, nickname: 'x' },
  })
  assert.deepEqual(accountOf(inSandbox(body)).accountInfo, {
    accountType: 'MXN_ACCOUNT',
    clabeNumber: '032180000118359719',
    paymentRails: ['SPEI'],
    beneficiary: { ...JANE, fullName },
  })
})

/** accountType | changes | refused at, everywhere; the reason. */
const FORM: readonly [string, Body, string[], string][] = [
  ['USD_ACCOUNT', { accountNumber: '123' }, ['accountNumber'], 'three digits'],
  ['USD_ACCOUNT', { accountNumber: '12-34567' }, ['accountNumber'], 'digits only'],
  [
    'USD_ACCOUNT',
    { intermediaryRoutingNumber: '021000021' },
    ['intermediaryBankName'],
    'both or neither',
  ],
  ['EUR_ACCOUNT', { iban: 'XX89370400440532013000' }, ['iban'], 'no such country'],
  ['EUR_ACCOUNT', { iban: 'DE8937040044053201300' }, ['iban'], 'not the length of Germany'],
  ['EUR_ACCOUNT', { iban: 'NL91AB1A0417164300' }, ['iban'], 'not the structure of the Netherlands'],
  ['BRL_ACCOUNT', { pixKeyType: 'EMAIL' }, ['pixKey'], 'the key is no e-mail'],
  ['BRL_ACCOUNT', { taxId: '123456789012' }, ['taxId'], 'twelve digits are neither CPF nor CNPJ'],
  ['INR_ACCOUNT', { vpa: undefined }, ['vpa'], 'neither way'],
  [
    'INR_ACCOUNT',
    { vpa: undefined, accountNumber: '123456789' },
    ['vpa', 'ifsc', 'rail'],
    'the second way begun and not finished',
  ],
  [
    'INR_ACCOUNT',
    { vpa: undefined, accountNumber: '123456789', ifsc: 'SBIN0005943', rail: 'IMPS' },
    ['rail'],
    'NEFT or RTGS',
  ],
  ['HKD_ACCOUNT', { accountNumber: '12/34' }, ['accountNumber'], 'digits, capitals and hyphens'],
  ['KES_ACCOUNT', { phoneNumber: '+255712345678' }, ['phoneNumber'], 'of Tanzania'],
  ['MWK_ACCOUNT', { phoneNumber: '+254712345678' }, ['phoneNumber'], 'of Kenya'],
  ['UGX_ACCOUNT', { phoneNumber: '+25677123456' }, ['phoneNumber'], 'eight digits'],
  ['BWP_ACCOUNT', { phoneNumber: '+267712345678' }, ['phoneNumber'], 'nine digits'],
  ['XOF_ACCOUNT', { region: 'BJ' }, ['phoneNumber'], 'of Senegal, not Benin'],
  ['XOF_ACCOUNT', { region: 'GH' }, ['region'], 'no such region; the phone is not blamed'],
  ['XAF_ACCOUNT', { phoneNumber: '+24267123456' }, ['phoneNumber'], 'of Congo, not Cameroon'],
  ['HTG_ACCOUNT', { phoneNumber: '+5093412345' }, ['phoneNumber'], 'seven digits'],
  ['BDT_ACCOUNT', { phoneNumber: '+8801711234567' }, ['accountNumber'], 'both ways'],
  ['BDT_ACCOUNT', { accountNumber: undefined }, ['accountNumber'], 'neither way'],
  ['GHS_ACCOUNT', { phoneNumber: '+2348012345678' }, ['phoneNumber'], 'of Nigeria'],
  [
    'PKR_ACCOUNT',
    { accountNumber: undefined, iban: 'PK36SCBL0000001123456702' },
    ['accountNumber'],
    'an IBAN alone does not name the account',
  ],
  ['EGP_ACCOUNT', { phoneNumber: '+201001234567' }, ['iban'], 'both ways'],
  ['COP_ACCOUNT', { bankAccountType: undefined }, ['bankAccountType'], 'the bank way not finished'],
  [
    'SLV_ACCOUNT',
    { accountNumber: undefined, bankAccountType: undefined },
    ['accountNumber', 'bankAccountType'],
    'the bank way not finished',
  ],
  [
    'SLV_ACCOUNT',
    { accountNumber: undefined, bankAccountType: undefined, phoneNumber: '+50370123456' },
    ['accountNumber'],
    'both ways begun',
  ],
  [
    'CNY_ACCOUNT',
    { beneficiary: JANE },
    ['beneficiary.beneficiaryType'],
    'bank accounts are for businesses',
  ],
  [
    'CNY_ACCOUNT',
    { accountNumber: undefined, phoneNumber: '+8613812345678', beneficiary: JANE },
    ['bankName'],
    'phones are paid through two apps',
  ],
  [
    'SWIFT_ACCOUNT',
    { iban: undefined, country: 'FR', swiftCode: 'BNPAFRPP' },
    ['accountNumber'],
    'neither number',
  ],
  [
    'SWIFT_ACCOUNT',
    { iban: undefined, accountNumber: '31926819' },
    ['iban'],
    'Britain needs an IBAN',
  ],
  [
    'SWIFT_ACCOUNT',
    { country: 'DE', swiftCode: 'DEUTDEFF' },
    ['iban'],
    'an IBAN of another country',
  ],
  ['SWIFT_ACCOUNT', { country: 'ZZ' }, ['country'], 'no such country'],
  ['SWIFT_ACCOUNT', { iban: 'GB29NWBK6016133192681' }, ['iban'], 'not the length of Britain'],
  ['BASE_WALLET', { address: `0x${'0'.repeat(40)}` }, ['address'], 'the zero address'],
  ['SPARK_WALLET', { address: 'spark1pGss9z2' }, ['address'], 'mixed case'],
  ['TRON_WALLET', { address: 'XR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }, ['address'], 'no T'],
  ['LIGHTNING', { bolt12: 'lno1pqps7sjqpgtyzm3q' }, ['invoice'], 'two ways'],
  ['LIGHTNING', { lightningAddress: undefined }, ['invoice'], 'no way'],
  ['LIGHTNING', { lightningAddress: '$jane@example.com' }, ['lightningAddress'], 'a UMA address'],
]

for (const [accountType, changes, fields, reason] of FORM) {
  test(`EACC-3 ${accountType} is refused at ${fields.join(', ')}: ${reason}`, () => {
    const body = externalAccountBody(accountType, changes)
    const expected = fields.map((field) => `accountInfo.${field}`)
    assert.deepEqual(fieldsOf(inSandbox(body)), expected)
    assert.deepEqual(fieldsOf(inProduction(body)), expected)
  })
}

const business = (more: Body = {}) => ({
  beneficiary: { beneficiaryType: 'BUSINESS', legalName: 'Acme Ltd', ...more },
})
const eur = (more: Body) => ({ beneficiary: { ...JANE, countryOfResidence: 'DE', ...more } })

/** accountType | changes | warned of in sandbox, refused at when strict; the reason. */
type Strict = [string, Body, string[], string]
const STRICT: readonly Strict[] = [
  ['USD_ACCOUNT', { beneficiary: JANE }, ['beneficiary.address'], 'individuals need an address'],
  [
    'USD_ACCOUNT',
    { beneficiary: { ...JANE, address: { ...ADDRESS, city: ' ' } } },
    ['beneficiary.address.city'],
    'with a city',
  ],
  [
    'USD_ACCOUNT',
    { intermediaryBankName: 'X', intermediaryRoutingNumber: '123456789' },
    ['intermediaryRoutingNumber'],
    'checksum of the intermediary',
  ],
  ['EUR_ACCOUNT', { iban: 'DE89370400440532013001' }, ['iban'], 'mod-97'],
  ['EUR_ACCOUNT', { iban: 'AE070331234567890123456' }, ['iban'], 'outside SEPA'],
  ['EUR_ACCOUNT', { swiftCode: 'BNPAFRPP' }, ['swiftCode'], 'a French BIC on a German IBAN'],
  ['EUR_ACCOUNT', eur({}), ['beneficiary.address'], 'an address'],
  ['DKK_ACCOUNT', { iban: 'DK5000400440116244' }, ['iban'], 'mod-97'],
  ['GBP_ACCOUNT', { beneficiary: JANE }, ['beneficiary.address'], 'an address'],
  ['MXN_ACCOUNT', { clabeNumber: '123456789012345678' }, ['clabeNumber'], 'control digit'],
  [
    'BRL_ACCOUNT',
    { pixKey: '52998224724', taxId: '52998224724' },
    ['pixKey', 'taxId'],
    'check digits of both',
  ],
  ['BRL_ACCOUNT', { taxId: '11144477735' }, ['pixKey'], "the key is another person's"],
  ['NGN_ACCOUNT', { bankName: 'first bank of nigeria' }, ['bankName'], 'DISC-3 exactly as listed'],
  ['ZAR_ACCOUNT', { bankName: 'BPI' }, ['bankName'], 'DISC-3 of another country'],
  ['PHP_ACCOUNT', { bankName: 'BDO' }, ['bankName'], 'DISC-3 not listed'],
  ['BDT_ACCOUNT', { bankName: 'BDO' }, ['bankName'], 'DISC-3 not listed'],
  ['GHS_ACCOUNT', { bankName: 'BDO' }, ['bankName'], 'DISC-3 not listed'],
  ['GTQ_ACCOUNT', { bankName: 'BDO' }, ['bankName'], 'DISC-3 not listed'],
  ['JMD_ACCOUNT', { bankName: 'BDO' }, ['bankName'], 'DISC-3 not listed'],
  ['HKD_ACCOUNT', { swiftCode: 'DBSSSGSG' }, ['swiftCode'], 'a BIC of Singapore'],
  ['MYR_ACCOUNT', { swiftCode: 'DBSSSGSG' }, ['swiftCode'], 'a BIC of Singapore'],
  ['THB_ACCOUNT', { swiftCode: 'DBSSSGSG' }, ['swiftCode'], 'a BIC of Singapore'],
  ['VND_ACCOUNT', { swiftCode: 'DBSSSGSG' }, ['swiftCode'], 'a BIC of Singapore'],
  ['SGD_ACCOUNT', { swiftCode: 'HSBCHKHH' }, ['swiftCode'], 'a BIC of Hong Kong'],
  ['IDR_ACCOUNT', { swiftCode: 'DBSSSGSG' }, ['swiftCode'], 'a BIC of Singapore'],
  ['AED_ACCOUNT', { iban: 'AE070331234567890123457' }, ['iban'], 'mod-97'],
  ['AED_ACCOUNT', { swiftCode: 'ABCDZZ22' }, ['swiftCode'], 'a BIC of no country'],
  ['KES_ACCOUNT', { provider: 'Airtel' }, ['provider'], 'M-PESA alone'],
  ['MWK_ACCOUNT', { provider: 'MTN' }, ['provider'], 'not in Malawi'],
  ['PKR_ACCOUNT', { iban: 'PK36SCBL0000001123456703' }, ['iban'], 'mod-97'],
  ['EGP_ACCOUNT', { iban: 'EG380019000500000000263180009' }, ['iban'], 'mod-97'],
  [
    'COP_ACCOUNT',
    { beneficiary: JANE },
    ['beneficiary.documentType', 'beneficiary.documentNumber'],
    'a document',
  ],
  ['SWIFT_ACCOUNT', { swiftCode: 'DEUTDEFF' }, ['swiftCode'], 'a German BIC for Britain'],
  ['SWIFT_ACCOUNT', { iban: 'GB29NWBK60161331926818' }, ['iban'], 'mod-97'],
  [
    'SPARK_WALLET',
    { address: 'spark1pgss9z2gpzrnhztwy8ffs44x67angma38sqewwddhxlsk65t0c5d5576quly2q' },
    ['address'],
    'checksum',
  ],
  [
    'ETHEREUM_WALLET',
    { address: '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
    ['address'],
    'not the EIP-55 spelling',
  ],
  ['TRON_WALLET', { address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u' }, ['address'], 'checksum'],
  ['MXN_ACCOUNT', business(), ['beneficiary.address'], 'businesses need an address'],
  ['BASE_WALLET', business(), ['beneficiary.address'], 'of wallets as well'],
  [
    'EUR_ACCOUNT',
    business({ address: ADDRESS }),
    ['beneficiary.registrationNumber'],
    'a registration number',
  ],
  ...['NGN', 'ZAR', 'KES', 'TZS', 'RWF', 'ZMW', 'UGX', 'BWP', 'MWK', 'XOF', 'XAF'].map(
    (currency): Strict => [
      `${currency}_ACCOUNT`,
      business({ address: ADDRESS }),
      ['beneficiary.registrationNumber', 'beneficiary.taxId'],
      'registration and tax number',
    ],
  ),
]

for (const [accountType, changes, fields, reason] of STRICT) {
  test(`EACC-5 ${accountType} is warned of ${fields.join(', ')} in sandbox, refused when strict: ${reason}`, () => {
    const body = externalAccountBody(accountType, changes)
    const expected = fields.map((field) => `accountInfo.${field}`)
    assert.deepEqual(warningsOf(inSandbox(body)), expected)
    assert.deepEqual(fieldsOf(inStrictSandbox(body)), expected)
    assert.deepEqual(fieldsOf(inProduction(body)), expected)
  })
}

/** accountType | changes that pass everywhere; the reason. */
const ACCEPTED: readonly [string, Body, string][] = [
  ['KES_ACCOUNT', { provider: 'm-pesa' }, 'providers in any case'],
  [
    'INR_ACCOUNT',
    { vpa: undefined, accountNumber: '123456789', ifsc: 'SBIN0005943', rail: 'RTGS' },
    'the bank way',
  ],
  [
    'CNY_ACCOUNT',
    {
      accountNumber: undefined,
      phoneNumber: '+8613812345678',
      bankName: 'AliPay',
      beneficiary: JANE,
    },
    'the phone way',
  ],
  ['PKR_ACCOUNT', { iban: 'PK36SCBL0000001123456702' }, 'an IBAN beside the number'],
  [
    'SWIFT_ACCOUNT',
    { country: 'US', swiftCode: 'CHASUS33', iban: undefined, accountNumber: '123456789' },
    'a country without IBANs',
  ],
  ['BASE_WALLET', { vaspName: 'Coinbase' }, 'a custodian of the directory'],
  ['LIGHTNING', { vaspName: 'Nobody', beneficiary: 7 }, 'neither is a field of LIGHTNING'],
  ['USD_ACCOUNT', business({ address: ADDRESS }), 'a business'],
]

for (const [accountType, changes, reason] of ACCEPTED) {
  test(`EACC-3 ${accountType} passes: ${reason}`, () => {
    assert.deepEqual(warningsOf(inProduction(externalAccountBody(accountType, changes))), [])
  })
}

test('EACC-3 the way an account is named decides its rails', () => {
  const rails = (accountType: string, changes: Body) =>
    accountOf(inSandbox(externalAccountBody(accountType, changes))).paymentRails
  const bank = { vpa: undefined, accountNumber: '123456789', ifsc: 'SBIN0005943', rail: ' NEFT ' }
  assert.deepEqual(rails('INR_ACCOUNT', bank), ['NEFT'])
  const phone = { accountNumber: undefined, phoneNumber: '+8801711234567', bankName: 'bKash' }
  assert.deepEqual(rails('BDT_ACCOUNT', phone), ['MOBILE_MONEY'])
})
