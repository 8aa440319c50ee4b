import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expectError, expectFields, expectStatus, items, text } from '../../../../test/kit/api.ts'
import { ADDRESS, BUSINESS, createCustomer, readCustomer } from '../../../../test/kit/customers.ts'
import { startKit } from '../../../../test/kit/florin.ts'

const kit = await startKit()
const p = await kit.platform({
  kind: 'UNREGULATED',
  currencies: ['USD', 'BRL', 'INR', 'NGN', 'PHP', 'CNY', 'EUR'],
})

const post = (body: object) => p.api.post('/customers', { customerType: 'INDIVIDUAL', ...body })
const postBusiness = (info: object, more: object = {}) =>
  p.api.post('/customers', {
    ...BUSINESS,
    businessInfo: { ...BUSINESS.businessInfo, ...info },
    ...more,
  })

const today = new Date().toISOString().slice(0, 10)
const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)

type Wrong = readonly [body: object, field: string, constraint: object | undefined, because: string]

const long = (length: number): string => 'x'.repeat(length)
const DATE = { format: 'date' }
const COUNTRY = { format: 'iso3166-1-alpha-2' }
const EMAIL = { format: 'email' }
const PHONE = { format: 'e.164', pattern: '^\\+[1-9]\\d{1,14}$' }

const WRONG_INDIVIDUALS: readonly Wrong[] = [
  [{ fullName: '' }, 'fullName', { minLength: 1 }, 'CUST-5 empty'],
  [{ fullName: ' \t ' }, 'fullName', { minLength: 1 }, 'CUST-5 empty after trimming'],
  [{ fullName: 'a\u0007b' }, 'fullName', undefined, 'CUST-5 a control character'],
  [{ fullName: 'a\u0000b' }, 'fullName', undefined, 'ERR-5 U+0000'],
  [{ fullName: 5 }, 'fullName', undefined, 'not a text'],
  [{ fullName: long(256) }, 'fullName', { maxLength: 255 }, 'CUST-6'],
  [{ platformCustomerId: long(256) }, 'platformCustomerId', { maxLength: 255 }, 'CUST-6'],
  [{ email: `${long(64)}@${long(186)}.com` }, 'email', { maxLength: 254 }, 'CUST-6'],
  [{ identifier: long(65), idType: 'SSN' }, 'identifier', { maxLength: 64 }, 'CUST-6'],
  [
    { sourceOfFundsCategories: ['OTHER'], sourceOfFundsOtherDescription: long(501) },
    'sourceOfFundsOtherDescription',
    { maxLength: 500 },
    'CUST-6',
  ],
  [{ birthDate: '1990-02-30' }, 'birthDate', DATE, 'CUST-8 no such day'],
  [{ birthDate: tomorrow }, 'birthDate', DATE, 'CUST-8 tomorrow'],
  [{ birthDate: '1899-12-31' }, 'birthDate', DATE, 'CUST-8 too long ago'],
  [{ birthDate: '1990-1-1' }, 'birthDate', DATE, 'CORE-5 another form'],
  [{ nationality: 'XX' }, 'nationality', COUNTRY, 'CUST-9 not assigned'],
  [{ nationality: 'us' }, 'nationality', COUNTRY, 'CUST-9 lower case'],
  [{ region: 'EU' }, 'region', COUNTRY, 'CUST-9 not a country'],
  [{ countryOfIssuance: 'USA' }, 'countryOfIssuance', COUNTRY, 'CUST-9 three letters'],
  [{ countryOfIssuance: 'DE' }, 'countryOfIssuance', { enum: ['US'] }, 'CUST-11 only US'],
  [{ address: { ...ADDRESS, country: 'ZZ' } }, 'address.country', COUNTRY, 'CUST-9'],
  [{ address: { ...ADDRESS, line1: '' } }, 'address.line1', { minLength: 1 }, 'CUST-5'],
  [
    { address: { ...ADDRESS, postalCode: long(33) } },
    'address.postalCode',
    { maxLength: 32 },
    'CUST-6',
  ],
  [{ address: 'here' }, 'address', undefined, 'not an object'],
  [
    { idType: 'EIN', identifier: '12-3456789' },
    'idType',
    { enum: ['SSN', 'ITIN'] },
    'CUST-11 a company’s',
  ],
  [
    { idType: 'constructor', identifier: '111-22-3333' },
    'idType',
    { enum: ['SSN', 'ITIN'] },
    'CUST-11 a name that every object has',
  ],
  [
    { idType: 'SSN', identifier: '111223333' },
    'identifier',
    { format: 'us-ssn' },
    'CUST-11 without hyphens',
  ],
  [
    { idType: 'ITIN', identifier: '111-22-3333' },
    'identifier',
    { format: 'us-itin' },
    'CUST-11 an ITIN begins with 9',
  ],
  [{ idType: 'SSN' }, 'identifier', undefined, 'CUST-11 one without the other'],
  [{ identifier: '111-22-3333' }, 'idType', undefined, 'CUST-11 one without the other'],
  [{ email: 'a' }, 'email', EMAIL, 'CUST-13 no @'],
  [{ email: 'a@b' }, 'email', EMAIL, 'CUST-13 domain without a dot'],
  [{ email: 'a@b@c.de' }, 'email', EMAIL, 'CUST-13 two @'],
  [{ email: '@c.de' }, 'email', EMAIL, 'CUST-13 nobody'],
  [{ email: 'a b@c.de' }, 'email', EMAIL, 'CUST-13 a blank'],
  [{ email: 'a\u0001b@c.de' }, 'email', EMAIL, 'CUST-5 CUST-13 a control character'],
  [{ email: 'a@c.de\u007f' }, 'email', EMAIL, 'CUST-5 CUST-13 a control character at the end'],
  [{ email: `${long(65)}@c.de` }, 'email', EMAIL, 'CUST-13 local part too long'],
  [{ phoneNumber: '555' }, 'phoneNumber', PHONE, 'CUST-13 no plus'],
  [{ phoneNumber: '+0123' }, 'phoneNumber', PHONE, 'CUST-13 begins with 0'],
  [{ phoneNumber: '+1234567890123456' }, 'phoneNumber', PHONE, 'CUST-13 too long'],
  [{ phoneNumber: '+1 555' }, 'phoneNumber', PHONE, 'CUST-13 a blank'],
  [
    { sourceOfFundsCategories: ['OTHER'] },
    'sourceOfFundsOtherDescription',
    undefined,
    'CUST-14 other what',
  ],
  [
    { sourceOfWealthCategories: ['GIFT', 'OTHER'] },
    'sourceOfWealthOtherDescription',
    undefined,
    'CUST-14',
  ],
  [{ purposeOfAccount: 'OTHER' }, 'purposeOfAccountOtherDescription', undefined, 'CUST-14'],
  [
    { sourceOfFundsCategories: Array.from({ length: 51 }, () => 'GIFT') },
    'sourceOfFundsCategories',
    undefined,
    'CUST-14 an endless list',
  ],
  [{ currencies: [] }, 'currencies', undefined, 'CUST-16 at least one'],
  [
    { currencies: ['USD', 'GBP'] },
    'currencies.1',
    { enum: ['USD', 'BRL', 'INR', 'NGN', 'PHP', 'CNY', 'EUR'] },
    'CUST-16 not of the platform',
  ],
  [{ currencies: ['usd'] }, 'currencies.0', undefined, 'CUST-16 lower case'],
  [{ currencies: [5] }, 'currencies.0', undefined, 'CUST-16 not a text'],
]

describe('CUST-5 to CUST-16 refused fields of an individual', () => {
  for (const [body, field, constraint, because] of WRONG_INDIVIDUALS) {
    test(`${because}: ${JSON.stringify(body).slice(0, 80)}`, async () => {
      const [error] = expectFields(await post(body), [field])
      if (constraint === undefined) return
      const given = error?.['constraint']
      assert.deepEqual(given, { ...given, ...constraint })
    })
  }
})

const WRONG_BUSINESSES: readonly Wrong[] = [
  [{ country: 'usa' }, 'businessInfo.country', COUNTRY, 'CUST-9'],
  [{ incorporatedOn: '1799-12-31' }, 'businessInfo.incorporatedOn', DATE, 'CUST-8 too long ago'],
  [{ incorporatedOn: tomorrow }, 'businessInfo.incorporatedOn', DATE, 'CUST-8 tomorrow'],
  [
    { countriesOfOperation: ['US', 'XX'] },
    'businessInfo.countriesOfOperation.1',
    COUNTRY,
    'CUST-9 in a list',
  ],
  [
    { countriesOfOperation: Array.from({ length: 251 }, () => 'US') },
    'businessInfo.countriesOfOperation',
    undefined,
    'CUST-9 more countries than there are',
  ],
  [
    { expectedRecipientJurisdictions: ['xx'] },
    'businessInfo.expectedRecipientJurisdictions.0',
    COUNTRY,
    'CUST-9',
  ],
  [
    { expectedCounterpartyCountries: ['1'] },
    'businessInfo.expectedCounterpartyCountries.0',
    COUNTRY,
    'CUST-9',
  ],
  [
    { taxId: '1-2' },
    'businessInfo.taxId',
    { pattern: '^(\\d{2}-?\\d{7}|\\d{3}-\\d{2}-\\d{4})$' },
    'CUST-15 not of the US',
  ],
  [
    { country: 'DE' },
    'businessInfo.taxId',
    { pattern: '^(DE\\d{9}|\\d{10,11}|\\d{2,3}/\\d{3}/\\d{4,5})$' },
    'CUST-15 of another country',
  ],
  [
    { registrationNumber: long(65) },
    'businessInfo.registrationNumber',
    { maxLength: 64 },
    'CUST-6',
  ],
  [
    { primaryContactFirstName: long(251) },
    'businessInfo.primaryContactFirstName',
    { maxLength: 250 },
    'CUST-6',
  ],
  [{ sourceOfFunds: long(501) }, 'businessInfo.sourceOfFunds', { maxLength: 500 }, 'CUST-6'],
  [{ naicsCode: '1' }, 'businessInfo.naicsCode', { pattern: '^\\d{2,6}$' }, 'the contract’s form'],
  [{ entityType: 'GMBH' }, 'businessInfo.entityType', undefined, 'CUST-14 not of the list'],
  [
    { purposeOfAccount: 'OTHER' },
    'businessInfo.purposeOfAccountOtherDescription',
    undefined,
    'CUST-14 inside businessInfo',
  ],
  [
    { sourceOfFundsCategories: ['OTHER'] },
    'businessInfo.sourceOfFundsOtherDescription',
    undefined,
    'CUST-14 inside businessInfo',
  ],
]

describe('CUST-5 to CUST-16 refused fields of a business', () => {
  for (const [info, field, constraint, because] of WRONG_BUSINESSES) {
    test(`${because}: ${JSON.stringify(info).slice(0, 80)}`, async () => {
      const [error] = expectFields(await postBusiness(info), [field])
      if (constraint === undefined) return
      const given = error?.['constraint']
      assert.deepEqual(given, { ...given, ...constraint })
    })
  }
})

test('CORE-30 scenario 6: one answer names all failures', async () => {
  const answer = await post({
    birthDate: '1990-13-01',
    nationality: 'XX',
    phoneNumber: '555',
    email: 'a@b',
    address: {},
  })
  expectFields(answer, [
    'birthDate',
    'nationality',
    'phoneNumber',
    'email',
    'address.line1',
    'address.postalCode',
    'address.country',
  ])
})

test('CUST-10 each missing part of an address is named, on creation, on change and of a business', async () => {
  for (const part of ['line1', 'postalCode', 'country'] as const) {
    const { [part]: _, ...address } = ADDRESS
    expectFields(await post({ address }), [`address.${part}`])
    expectFields(await postBusiness({}, { address }), [`address.${part}`])
  }
  expectFields(await post({ address: {} }), [
    'address.line1',
    'address.postalCode',
    'address.country',
  ])
})

test('CORE-30 findings of the schema and of stored data arrive together', async () => {
  const answer = await postBusiness(
    { incorporatedOn: '3000-01-01', taxId: 'x', entityType: 'GMBH' },
    { currencies: ['USD', 'XXX'], umaAddress: 'x', email: 'x' },
  )
  expectFields(answer, [
    'businessInfo.entityType',
    'businessInfo.incorporatedOn',
    'businessInfo.taxId',
    'currencies.1',
    'email',
    'umaAddress',
  ])
})

test('CUST-5 texts are answered as sent, trimmed and in one Unicode form', async () => {
  for (const [sent, kept] of [
    [`  O'Brien "Bob"; drop table customers; --  `, `O'Brien "Bob"; drop table customers; --`],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['王小明 🙂', '王小明 🙂'],
    ['Jose\u0301', 'José'],
    ['a\u00a0bc', 'a\u00a0bc'],
    ['\u0085x', '\u0085x'],
  ] as const) {
    const created = await createCustomer(p, { fullName: sent })
    assert.equal((await readCustomer(p, created)).fullName, kept)
  }
})

test('CUST-6 CUST-8 the limits themselves are allowed', async () => {
  const created = await createCustomer(p, {
    fullName: `  ${'😀'.repeat(255)}  `,
    birthDate: today,
    email: `${long(64)}@${long(185)}.com`,
    phoneNumber: '+123456789012345',
    address: { ...ADDRESS, postalCode: long(32), line2: long(255), city: 'x', state: 'y' },
  })
  assert.equal([...text(created.fullName)].length, 255)
  await createCustomer(p, { birthDate: '1900-01-01', phoneNumber: '+12' })
  for (const first of ['A', '😀']) await createCustomer(p, { fullName: first + '😀'.repeat(254) })
})

test('CUST-11 a well-formed SSN or ITIN is accepted, with country US', async () => {
  const ssn = await createCustomer(p, { idType: 'SSN', identifier: '111-22-3333' })
  assert.equal(ssn.idType, 'SSN')
  assert.equal(ssn.countryOfIssuance, 'US')
  const itin = { idType: 'ITIN', identifier: '911-22-3333', countryOfIssuance: 'US' }
  assert.equal((await createCustomer(p, itin)).idType, 'ITIN')
  assert.equal((await createCustomer(p)).countryOfIssuance, undefined)
})

test('CUST-14 due diligence comes back; a description without OTHER is dropped', async () => {
  const edd = {
    sourceOfFundsCategories: ['SALARY', 'OTHER'],
    sourceOfFundsOtherDescription: 'A patent',
    sourceOfWealthCategories: ['GIFT'],
    purposeOfAccount: 'P2P_TRANSFERS',
    expectedMonthlyTransactionCount: 'COUNT_UNDER_10',
    expectedMonthlyTransactionVolume: 'VOLUME_UNDER_10K',
    annualIncomeRange: 'UNDER_50K',
    netWorthRange: 'OVER_25M',
    pepStatus: 'NONE',
  }
  const undue = ['sourceOfWealthOtherDescription', 'purposeOfAccountOtherDescription'] as const
  const described = Object.fromEntries(undue.map((field) => [field, 'dropped']))
  const created = await createCustomer(p, { ...edd, ...described })
  assert.partialDeepStrictEqual(created, edd)
  for (const field of undue) assert.equal(created[field], undefined, field)
  const details = expectFields(await post({ pepStatus: 'MAYBE' }), ['pepStatus'])
  assert.ok(items(details[0]?.['constraint']?.['enum']).length > 1, 'constraint.enum')
})

test('CORE-8 unknown fields of an address are dropped and named in a warning', async () => {
  const answer = await post({ address: { ...ADDRESS, planet: 'Earth' }, nickname: 'x' })
  assert.deepEqual(expectStatus(answer, 201).address, ADDRESS)
  assert.equal(answer.headers.get('ignored-fields'), 'address.planet, nickname')
})

test('CORE-8 CUST-4 a field of the other type of customer is dropped and named in a warning', async () => {
  const businessInfo = { legalName: 'Acme Ltd' }
  const answer = await post({ customerType: 'INDIVIDUAL', fullName: 'Ann Able', businessInfo })
  assert.equal(expectStatus(answer, 201).businessInfo, undefined)
  assert.equal(answer.headers.get('ignored-fields'), 'businessInfo')
})

describe('CUST-17 fields that a currency requires', () => {
  const expectMissing = (answer: Awaited<ReturnType<typeof post>>, fields: readonly string[]) => {
    const details = expectError(answer, 400, 'MISSING_MANDATORY_USER_INFO')
    const named = items(details['errors']).map((error) => text(error['field']))
    assert.deepEqual(named.toSorted(), fields.toSorted())
    return details['currencies']
  }

  test('scenario 8: an explicit currency requires its fields, a default one does not', async () => {
    const body = { currencies: ['BRL'], fullName: 'Ana' }
    assert.deepEqual(expectMissing(await post(body), ['birthDate', 'nationality']), ['BRL'])
    await createCustomer(p, { fullName: 'Ana' })
    await createCustomer(p, { ...body, birthDate: '1990-01-01', nationality: 'BR' })
  })

  test('each missing field is named once, with the currencies that require it', async () => {
    const answer = await post({ currencies: ['USD', 'NGN', 'CNY'], fullName: 'Ana' })
    assert.deepEqual(expectMissing(answer, ['phoneNumber', 'address']), ['NGN', 'CNY'])
  })

  test('a business answers with its own fields', async () => {
    assert.deepEqual(expectMissing(await postBusiness({}, { currencies: ['INR'] }), ['address']), [
      'INR',
    ])
    expectStatus(await postBusiness({}, { currencies: ['BRL'] }), 201)
  })

  test('ordinary validation comes first', async () => {
    expectFields(await post({ currencies: ['BRL'], nationality: 'XX' }), ['nationality'])
    expectFields(await post({ currencies: ['BRL', 'XXX'] }), ['currencies.1'])
  })
})

describe('CUST-22 regions with contact verification', () => {
  const DE = { region: 'DE', email: 'a@b.de', phoneNumber: '+4930123456' }

  test('scenario 11: the region’s channels are required, and pending', async () => {
    expectFields(await post({ region: 'DE', email: 'a@b.de' }), ['phoneNumber'])
    expectFields(await post({ region: 'FR' }), ['email', 'phoneNumber'])
    expectFields(await post({ region: 'NO' }), ['email'])
    const both = await createCustomer(p, DE)
    assert.deepEqual(both.contactVerification, { email: 'PENDING', phone: 'PENDING' })
    const one = await createCustomer(p, { region: 'NO', email: 'a@b.no' })
    assert.deepEqual(one.contactVerification, { email: 'PENDING' })
    const none = await createCustomer(p, { region: 'US' })
    assert.equal(none.contactVerification, undefined)
  })

  test('a business also names its primary contact', async () => {
    const info = { country: 'DE', taxId: 'DE123456789' }
    const names = ['businessInfo.primaryContactFirstName', 'businessInfo.primaryContactLastName']
    expectFields(await postBusiness(info, DE), names)
    expectFields(await postBusiness(info, { region: 'IS', email: 'a@b.is' }), names)
    const named = { ...info, primaryContactFirstName: 'Eva', primaryContactLastName: 'Kern' }
    expectStatus(await postBusiness(named, DE), 201)
  })

  test('a regulated platform needs no contact channels', async () => {
    const regulated = await kit.platform({ kind: 'REGULATED' })
    const created = await createCustomer(regulated, { region: 'DE' })
    assert.equal(created.contactVerification, undefined)
    assert.equal(created.region, 'DE')
  })
})
