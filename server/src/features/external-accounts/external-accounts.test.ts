/** Creating external accounts, through HTTP. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectFields, expectStatus, items, text } from '../../../test/kit/api.ts'
import {
  EXTERNAL_ACCOUNT_BODIES,
  externalAccountBody,
} from '../../../test/kit/accounts/external-account-bodies.ts'
import {
  CUSTOMERS,
  PLATFORM,
  newAccount,
  newCustomer,
  switchPlatform,
} from '../../../test/kit/accounts/external-accounts.ts'
import { startKit } from '../../../test/kit/florin.ts'
import { newUuid } from '../../kernel/ids.ts'

const kit = await startKit()
const { api } = await kit.platform()
const production = await kit.platform({ environment: 'PRODUCTION' })
const strict = await kit.platform()
await switchPlatform(kit, strict, { strictIdentifiers: true })
const customerId = await newCustomer(api)

const usd = (changes: object = {}) => externalAccountBody('USD_ACCOUNT', { ...changes })

/** Ends in a digit that no sandbox suffix ends in. */
let made = 0
const freshNumber = (): string => `${10_000_000 + (made += 1)}9`

for (const [accountType, body] of EXTERNAL_ACCOUNT_BODIES) {
  test(`section 5: ${accountType} is created, read again and passes every strict check`, async () => {
    const created = await newAccount(api, { customerId, ...body })
    assert.equal(created.status, 'ACTIVE')
    assert.equal(created.customerId, customerId)
    assert.equal(created.currency, body.currency)
    assert.equal(created.accountInfo.accountType, accountType)
    const read = expectStatus(await api.get(`${CUSTOMERS}/${created.id}`), 200)
    assert.deepEqual(read, created)
    const answer = await production.api.post(PLATFORM, body)
    expectStatus(answer, 201)
    assert.equal(answer.headers.get('validation-warnings'), null)
  })
}

test('EACC-1 a currency that the type does not have is refused with those it has', async () => {
  const body = { ...externalAccountBody('SPARK_WALLET'), currency: 'USDC', customerId }
  const [error] = expectFields(await api.post(CUSTOMERS, body), ['currency'])
  assert.deepEqual(error?.['constraint'], { enum: ['BTC', 'USDB'] })
})

test('EACC-7 a beneficiary’s name with a character that hides or turns others is refused', async () => {
  for (const hidden of ['\u200b', '\u202e', '\u2066', '\u00ad', '\u061c', '\ufeff']) {
    for (const [beneficiaryType, field] of [
      ['INDIVIDUAL', 'fullName'],
      ['BUSINESS', 'legalName'],
    ] as const) {
      const address = { line1: '1 Main Street', city: 'Puebla', postalCode: '72000', country: 'MX' }
      const beneficiary = { beneficiaryType, address, [field]: `Jane${hidden}Doe` }
      const body = externalAccountBody('MXN_ACCOUNT', { beneficiary })
      for (const { api: caller } of [{ api }, production]) {
        expectFields(await caller.post(PLATFORM, body), [`accountInfo.beneficiary.${field}`])
      }
    }
  }
  const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'علی\u200cرضا' }
  const kept = await newAccount(api, {
    customerId: await newCustomer(api),
    ...externalAccountBody('MXN_ACCOUNT', { beneficiary }),
  })
  assert.deepEqual(kept.accountInfo.beneficiary, beneficiary)
})

test('EACC-1 the currency need not be one of the platform’s', async () => {
  const body = externalAccountBody('PHP_ACCOUNT', { accountNumber: freshNumber() })
  assert.equal((await newAccount(api, { customerId, ...body })).currency, 'PHP')
})

test('EACC-2 an unknown type is refused with the list of types', async () => {
  const body = { currency: 'USD', accountInfo: { accountType: 'XYZ_ACCOUNT' } }
  const [error] = expectFields(await api.post(CUSTOMERS, body), ['accountInfo.accountType'])
  const known = items(error?.['constraint']?.['enum'])
  assert.equal(known.length, EXTERNAL_ACCOUNT_BODIES.size)
})

test('EACC-2 anything but an object in the place of accountInfo is refused there', async () => {
  for (const accountInfo of [undefined, 'text', [], null, 7, true]) {
    for (const path of [CUSTOMERS, PLATFORM]) {
      expectFields(await api.post(path, { currency: 'USD', accountInfo }), ['accountInfo'])
    }
  }
})

test('ERR-5 EACC-3 a value that cannot be made a text is refused by name, whatever rule looks at it', async () => {
  const travelling = await kit.platform()
  await switchPlatform(kit, travelling, { travelRule: true })
  const wallet = { address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' }
  for (const [field, currency, accountInfo] of [
    ['pixKeyType', 'BRL', { accountType: 'BRL_ACCOUNT', pixKey: 'x' }],
    ['bankName', 'CNY', { accountType: 'CNY_ACCOUNT', phoneNumber: '+8613800000000' }],
    ['vaspName', 'USDC', { accountType: 'SOLANA_WALLET', ...wallet }],
  ] as const) {
    const body = { currency, accountInfo: { ...accountInfo, [field]: { toString: 1 } } }
    for (const path of [CUSTOMERS, PLATFORM]) {
      const answer = await travelling.api.post(path, body)
      const named = items(expectError(answer, 400, 'INVALID_INPUT')['errors'])
      assert.ok(
        named.some((error) => text(error['field']) === `accountInfo.${field}`),
        answer.text,
      )
    }
  }
})

test('EACC-3 everything wrong with a body comes at once, form and strict together', async () => {
  const body = {
    customerId: 'Customer:7',
    currency: 'EUR',
    platformAccountId: '',
    ownershipType: 'MINE',
    defaultUmaDepositAccount: 'yes',
    accountInfo: {
      accountType: 'USD_ACCOUNT',
      accountNumber: '12',
      routingNumber: '123456789',
      intermediaryBankName: 'Other Bank',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: ' ', nationality: 'XX' },
    },
  }
  const wrong = [
    'accountInfo.accountNumber',
    'accountInfo.beneficiary.fullName',
    'accountInfo.beneficiary.nationality',
    'accountInfo.intermediaryRoutingNumber',
    'currency',
    'customerId',
    'defaultUmaDepositAccount',
    'ownershipType',
    'platformAccountId',
  ]
  expectFields(await api.post(CUSTOMERS, body), wrong)
  expectFields(await strict.api.post(CUSTOMERS, body), [
    ...wrong,
    'accountInfo.routingNumber',
    'accountInfo.beneficiary.address',
  ])
})

type BrokenValue = readonly [format: string, accountType: string, broken: object, along?: object]

const FORMATS: readonly BrokenValue[] = [
  ['iban', 'EUR_ACCOUNT', { iban: 'DE00' }],
  ['bic', 'SGD_ACCOUNT', { swiftCode: 'DBS' }],
  ['aba-routing-number', 'USD_ACCOUNT', { routingNumber: '12345678' }],
  ['clabe', 'MXN_ACCOUNT', { clabeNumber: '0321' }],
  ['cpf', 'BRL_ACCOUNT', { pixKey: '1' }],
  ['cnpj', 'BRL_ACCOUNT', { pixKey: '1' }, { pixKeyType: 'CNPJ' }],
  ['upi-vpa', 'INR_ACCOUNT', { vpa: 'asha' }],
  [
    'ifsc',
    'INR_ACCOUNT',
    { ifsc: 'X' },
    { vpa: undefined, accountNumber: '123456789', rail: 'NEFT' },
  ],
  ['e.164', 'KES_ACCOUNT', { phoneNumber: '0712' }],
  ['spark-address', 'SPARK_WALLET', { address: 'spark1x' }],
  ['solana-address', 'SOLANA_WALLET', { address: '0OIl' }],
  ['evm-address', 'BASE_WALLET', { address: '0x12' }],
  ['tron-address', 'TRON_WALLET', { address: 'TX' }],
  ['bolt11', 'LIGHTNING', { invoice: 'lnbc1' }, { lightningAddress: undefined }],
  ['bolt12', 'LIGHTNING', { bolt12: 'lno' }, { lightningAddress: undefined }],
  ['lightning-address', 'LIGHTNING', { lightningAddress: '$satoshi@bitcoin.org' }],
]

for (const [format, accountType, broken, along] of FORMATS) {
  test(`EACC-3 ${accountType} with a broken value is refused with the format ${format}`, async () => {
    const body = externalAccountBody(accountType, { ...along, ...broken })
    const [field] = Object.keys(broken)
    const [error] = expectFields(await api.post(CUSTOMERS, body), [`accountInfo.${field}`])
    assert.equal(error?.['constraint']?.['format'], format)
  })
}

test('EACC-4 values are answered normalised', async () => {
  const number = freshNumber()
  const created = await newAccount(api, {
    customerId,
    ...usd({
      accountNumber: ` ${number.slice(0, 3)} ${number.slice(3)} `,
      routingNumber: '0210 0002 1',
      bankName: '  First  Bank ',
    }),
  })
  const { accountInfo } = created
  assert.equal(accountInfo.accountNumber, number)
  assert.equal(accountInfo.routingNumber, '021000021')
  assert.equal(accountInfo.bankName, 'First  Bank')
  const pix = externalAccountBody('BRL_ACCOUNT', {
    pixKey: '111.444.777-35',
    taxId: '111.444.777-35',
  })
  const brl = (await newAccount(api, { customerId, ...pix })).accountInfo
  assert.equal(brl.pixKey, '11144477735')
  assert.equal(brl.taxId, '11144477735')
})

test('EACC-4 bech32 in capitals is lowered, in mixed case refused', async () => {
  const { address } = externalAccountBody('SPARK_WALLET').accountInfo
  const upper = String(address).toUpperCase()
  const other = await newCustomer(api)
  const created = await newAccount(api, {
    customerId: other,
    ...externalAccountBody('SPARK_WALLET', { address: upper }),
  })
  assert.equal(created.accountInfo.address, address)
  const mixed = externalAccountBody('SPARK_WALLET', { address: `S${String(address).slice(1)}` })
  expectFields(await api.post(CUSTOMERS, mixed), ['accountInfo.address'])
})

test('EACC-5 EACC-6 what only a strict check refuses is a warning in a sandbox, 400 elsewhere', async () => {
  const rows = [
    [
      'accountInfo.routingNumber',
      usd({ routingNumber: '123456789', accountNumber: freshNumber() }),
      'aba-routing-number',
    ],
    [
      'accountInfo.clabeNumber',
      externalAccountBody('MXN_ACCOUNT', { clabeNumber: '032180000118359718' }),
      'clabe',
    ],
    [
      'accountInfo.iban',
      externalAccountBody('DKK_ACCOUNT', { iban: 'DK5100400440116243' }),
      'iban',
    ],
  ] as const
  for (const [field, body, format] of rows) {
    const warned = await api.post(CUSTOMERS, { customerId, ...body })
    expectStatus(warned, 201)
    assert.equal(warned.headers.get('validation-warnings'), field)
    for (const { api } of [production, strict]) {
      const [error] = expectFields(await api.post(PLATFORM, body), [field])
      assert.equal(error?.['constraint']?.['format'], format)
    }
  }
})

test('DISC-3 strictly a bank is one of the directory, by its exact name', async () => {
  for (const bankName of ['Not A Bank', 'bdo unibank', 'Standard Bank']) {
    const body = externalAccountBody('PHP_ACCOUNT', { bankName, accountNumber: freshNumber() })
    expectFields(await strict.api.post(PLATFORM, body), ['accountInfo.bankName'])
    const warned = await api.post(PLATFORM, body)
    expectStatus(warned, 201)
    assert.equal(warned.headers.get('validation-warnings'), 'accountInfo.bankName')
  }
})

test('EACC-5 several warnings are one header', async () => {
  const body = usd({
    accountNumber: freshNumber(),
    routingNumber: '123456789',
    beneficiary: { beneficiaryType: 'BUSINESS', legalName: 'Acme Ltd' },
  })
  const answer = await api.post(CUSTOMERS, { customerId, ...body })
  expectStatus(answer, 201)
  assert.equal(
    answer.headers.get('validation-warnings'),
    'accountInfo.routingNumber, accountInfo.beneficiary.address',
  )
})

test('EACC-7 every fiat type needs a beneficiary, with a name that is one', async () => {
  expectFields(await api.post(CUSTOMERS, usd({ beneficiary: undefined })), [
    'accountInfo.beneficiary',
  ])
  for (const fullName of ['', '   ', 'a\u0007b', 'x'.repeat(201)]) {
    const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName }
    expectFields(await api.post(CUSTOMERS, usd({ beneficiary })), [
      'accountInfo.beneficiary.fullName',
    ])
  }
  const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: '山田 太郎 🙂' }
  const named = await newAccount(api, {
    customerId,
    ...usd({ accountNumber: freshNumber(), beneficiary }),
  })
  assert.equal(named.accountInfo.beneficiary?.fullName, '山田 太郎 🙂')
})

test('EACC-8 a wallet takes a beneficiary and a custodian of the directory', async () => {
  const beneficiary = {
    beneficiaryType: 'INDIVIDUAL',
    fullName: 'Jane Doe',
    countryOfResidence: 'DE',
  }
  const other = await newCustomer(api)
  const kept = await newAccount(api, {
    customerId: other,
    ...externalAccountBody('BASE_WALLET', { beneficiary, vaspName: 'Kraken' }),
  })
  assert.equal(kept.accountInfo.vaspName, 'Kraken')
  assert.deepEqual(kept.accountInfo.beneficiary, beneficiary)
  const unknown = externalAccountBody('BASE_WALLET', { vaspName: 'kraken' })
  expectFields(await api.post(CUSTOMERS, unknown), ['accountInfo.vaspName'])
})

test('EACC-8 LIGHTNING takes neither', async () => {
  const other = await newCustomer(api)
  const body = externalAccountBody('LIGHTNING', { vaspName: 'Nobody', beneficiary: 7 })
  const { accountInfo } = await newAccount(api, { customerId: other, ...body })
  assert.deepEqual(Object.keys(accountInfo ?? {}), ['accountType', 'lightningAddress'])
})

test('EACC-9 without a customer the account is the platform’s', async () => {
  for (const path of [CUSTOMERS, PLATFORM] as const) {
    const account = await newAccount(api, usd({ accountNumber: freshNumber() }), path)
    assert.equal(account.customerId, undefined)
    assert.equal(account.defaultUmaDepositAccount, undefined)
    expectStatus(await api.get(`${PLATFORM}/${account.id}`), 200)
  }
})

test('EACC-9 a customer that is deleted, unknown or another platform’s is not found', async () => {
  const deleted = await newCustomer(api)
  expectStatus(await api.delete(`/customers/${deleted}`), 200)
  const foreign = await newCustomer(strict.api)
  for (const owner of [deleted, foreign, `Customer:${newUuid()}`]) {
    const answer = await api.post(CUSTOMERS, { customerId: owner, ...usd() })
    expectError(answer, 404, 'USER_NOT_FOUND')
  }
})

test('EACC-11 platformAccountId has 1 to 255 characters, is echoed and not unique', async () => {
  for (const platformAccountId of ['x', '🙂'.repeat(255), 'x']) {
    const body = { customerId, platformAccountId, ...usd({ accountNumber: freshNumber() }) }
    assert.equal((await newAccount(api, body)).platformAccountId, platformAccountId)
  }
  for (const platformAccountId of ['', 'x'.repeat(256), 7]) {
    expectFields(await api.post(CUSTOMERS, { platformAccountId, ...usd() }), ['platformAccountId'])
  }
})

test('EACC-16 there is no update', async () => {
  const { id } = await newAccount(api, { customerId, ...usd({ accountNumber: freshNumber() }) })
  for (const method of ['PATCH', 'PUT']) {
    const answer = await api.send(method, `${CUSTOMERS}/${id}`)
    expectError(answer, 405, 'METHOD_NOT_ALLOWED')
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, DELETE')
  }
})

test('EACC-19 text is stored and answered byte for byte', async () => {
  const fullName = `Robert'); drop table external_accounts;-- <b>"Ω"</b> \u{1F600}é`
  const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName }
  const body = { customerId, ...usd({ accountNumber: freshNumber(), beneficiary }) }
  const created = await newAccount(api, body)
  const read = expectStatus(await api.get(`${CUSTOMERS}/${created.id}`), 200)
  assert.equal(read.accountInfo.beneficiary?.fullName, fullName)
})

test('CORE-40 a create request that is repeated under its key answers the same account', async () => {
  const headers = { 'idempotency-key': newUuid() }
  const body = { customerId, ...usd({ accountNumber: freshNumber(), routingNumber: '123456789' }) }
  const first = await api.post(CUSTOMERS, body, { headers })
  const again = await api.post(CUSTOMERS, body, { headers })
  assert.deepEqual(expectStatus(again, 201), expectStatus(first, 201))
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  expectError(await api.post(CUSTOMERS, body), 409, 'CONFLICT')
})

test('CORE-8 a field that the account type does not have is named in a warning', async () => {
  const number = { accountNumber: freshNumber() }
  const others = { colour: 'red', iban: 'DE89370400440532013000' }
  const answer = await api.post(CUSTOMERS, {
    customerId,
    ...usd({ ...number, ...others }),
    mood: 1,
  })
  expectStatus(answer, 201)
  const named = answer.headers.get('ignored-fields')
  assert.equal(named, 'accountInfo.colour, accountInfo.iban, mood')
})
