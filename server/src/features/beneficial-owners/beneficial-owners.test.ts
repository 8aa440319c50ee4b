import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  text,
  type HasId,
} from '../../../test/kit/api.ts'
import {
  createOwner,
  ownerBody,
  PERSON,
  type OwnerOverrides,
} from '../../../test/kit/onboarding/beneficial-owners.ts'
import { ADDRESS, BUSINESS, createCustomer, readCustomer } from '../../../test/kit/customers.ts'
import { startKit } from '../../../test/kit/florin.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { newUuid } from '../../kernel/ids.ts'

const kit = await startKit()
const platform = await kit.platform({ kind: 'UNREGULATED' })
const { api } = platform

const newBusiness = () => createCustomer(platform, BUSINESS)

const register = (customerId: unknown, overrides: OwnerOverrides = {}) =>
  api.post('/beneficial-owners', ownerBody(customerId, overrides))

const change = ({ id }: HasId, body: unknown) => api.patch(`/beneficial-owners/${id}`, body)

const embedded = async (business: HasId) =>
  items((await readCustomer(platform, business)).beneficialOwners)

test('BO-1 an owner is answered whole, can be read, and shows in its business', async () => {
  const business = await newBusiness()
  const owner = await createOwner(platform, business.id, { ownershipPercentage: 60 })
  assert.match(owner.id, /^BeneficialOwner:[0-9a-f-]{36}$/)
  assert.equal(owner.customerId, business.id)
  assert.equal(owner.kycStatus, 'UNVERIFIED')
  assert.equal(owner.ownershipPercentage, 60)
  assert.equal(owner.createdAt, owner.updatedAt)
  assert.deepEqual(owner.personalInfo, { ...PERSON, countryOfIssuance: 'US' })
  const read = await api.get(`/beneficial-owners/${owner.id}`)
  assert.deepEqual(expectStatus(read, 200), owner)
  const [shown] = await embedded(business)
  assert.equal(shown?.id, owner.id)
})

test('BO-10 inside a customer, hence in events, all but the last four characters of the number are hidden', async () => {
  const business = await newBusiness()
  await createOwner(platform, business.id)
  const [shown] = await embedded(business)
  assert.equal(shown?.personalInfo.identifier, '***-**-6789')
  const answer = await api.get(`/customers/${business.id}`)
  assert.ok(!answer.text.includes('123-45-6789'))
})

test('CUST-40 the owners inside a business are in the order of their creation', async () => {
  const business = await newBusiness()
  const ids = []
  for (const firstName of ['A', 'B', 'C']) {
    ids.push((await createOwner(platform, business.id, { personalInfo: { firstName } })).id)
  }
  assert.deepEqual(
    (await embedded(business)).map((owner) => owner.id),
    ids,
  )
})

test('BO-2 an individual has no owners, an unknown, foreign or deleted customer is not found', async () => {
  const person = await createCustomer(platform)
  expectFields(await register(person.id), ['customerId'])
  expectFields(await register('x'), ['customerId'])
  expectError(await register(`Customer:${newUuid()}`), 404, 'USER_NOT_FOUND')
  const foreign = await createCustomer(await kit.platform(), BUSINESS)
  expectError(await register(foreign.id), 404, 'USER_NOT_FOUND')
  const deleted = await newBusiness()
  const owner = await createOwner(platform, deleted.id)
  expectStatus(await api.delete(`/customers/${deleted.id}`), 200)
  expectError(await register(deleted.id), 404, 'USER_NOT_FOUND')
  expectError(await change(owner, { ownershipPercentage: 5 }), 404, 'USER_NOT_FOUND')
  expectStatus(await api.get(`/beneficial-owners/${owner.id}`), 200)
})

const ROLES_AND_SHARES = [
  [{ roles: [] }, ['roles'], 'at least one role'],
  [{ roles: ['UBO', 'UBO'] }, ['roles'], 'no repeats'],
  [{ roles: ['OWNER'] }, ['roles.0'], 'a role of the interface'],
  [{ roles: 'UBO' }, ['roles'], 'a list'],
  [{ ownershipPercentage: 50.5 }, ['ownershipPercentage'], 'no fraction'],
  [{ ownershipPercentage: '50' }, ['ownershipPercentage'], 'no text'],
  [{ ownershipPercentage: -1 }, ['ownershipPercentage'], 'not below 0'],
  [{ ownershipPercentage: 101 }, ['ownershipPercentage'], 'not above 100'],
] as const

for (const [overrides, fields, because] of ROLES_AND_SHARES) {
  test(`BO-3 ${JSON.stringify(overrides)} is refused: ${because}`, async () => {
    const business = await newBusiness()
    const [error] = expectFields(await register(business.id, overrides), fields)
    if ('ownershipPercentage' in overrides && typeof overrides.ownershipPercentage === 'number') {
      const { ownershipPercentage: given } = overrides
      if (given < 0) assert.deepEqual(error?.['constraint'], { minimum: 0 })
      if (given > 100) assert.deepEqual(error?.['constraint'], { maximum: 100 })
    }
  })
}

test('BO-3 every role may be held, 0 and 100 % too', async () => {
  const business = await newBusiness()
  const roles = [
    'UBO',
    'DIRECTOR',
    'COMPANY_OFFICER',
    'CONTROL_PERSON',
    'TRUSTEE',
    'GENERAL_PARTNER',
  ]
  await createOwner(platform, business.id, { roles, ownershipPercentage: 100 })
  await createOwner(platform, business.id, { ownershipPercentage: 0 })
})

test('BO-4 every missing field of a person is named at once', async () => {
  const business = await newBusiness()
  const body = { ...ownerBody(business.id), personalInfo: { address: {} } }
  expectFields(await api.post('/beneficial-owners', body), [
    'personalInfo.firstName',
    'personalInfo.lastName',
    'personalInfo.birthDate',
    'personalInfo.nationality',
    'personalInfo.idType',
    'personalInfo.identifier',
    'personalInfo.address.line1',
    'personalInfo.address.postalCode',
    'personalInfo.address.country',
  ])
})

test('BO-4 text, dates, countries, addresses and numbers have the rules of a customer', async () => {
  const business = await newBusiness()
  const personalInfo = {
    firstName: ' ',
    lastName: 'x'.repeat(256),
    birthDate: '2999-01-01',
    nationality: 'XX',
    email: 'a@b',
    phoneNumber: '555',
    identifier: 'x'.repeat(65),
    middleName: 'a\u0001b',
  }
  expectFields(
    await register(business.id, { personalInfo }),
    Object.keys(personalInfo).map((name) => `personalInfo.${name}`),
  )
})

const NUMBERS = [
  [{ idType: 'SSN', identifier: '123456789' }, ['personalInfo.identifier'], 'dashes are needed'],
  [{ idType: 'ITIN', identifier: '123-45-6789' }, ['personalInfo.identifier'], 'begins with 9'],
  [{ idType: 'EIN', identifier: '12-3456789' }, ['personalInfo.idType'], 'not of a person'],
  [{ idType: 'EIN', countryOfIssuance: 'US' }, ['personalInfo.idType'], 'the issuer is not wrong'],
  [{ idType: 'constructor' }, ['personalInfo.idType'], 'the number is not wrong'],
  [
    { idType: 'SSN', countryOfIssuance: 'DE' },
    ['personalInfo.countryOfIssuance'],
    'issued in the US',
  ],
  [
    { idType: 'NON_US_TAX_ID', identifier: 'X1', countryOfIssuance: 'US' },
    ['personalInfo.countryOfIssuance'],
    'not issued in the US',
  ],
] as const

for (const [personalInfo, fields, because] of NUMBERS) {
  test(`BO-5 ${JSON.stringify(personalInfo)} is refused: ${because}`, async () => {
    const business = await newBusiness()
    expectFields(await register(business.id, { personalInfo }), fields)
  })
}

test('BO-5 an ITIN, and any number of another country, is accepted', async () => {
  const business = await newBusiness()
  for (const personalInfo of [
    { idType: 'ITIN', identifier: '912-34-5678', countryOfIssuance: 'US' },
    { idType: 'NON_US_TAX_ID', identifier: 'PASSPORT X-1234', countryOfIssuance: 'BR' },
    { idType: 'NON_US_TAX_ID', identifier: '7' },
  ]) {
    const owner = await createOwner(platform, business.id, { personalInfo })
    assert.partialDeepStrictEqual(owner.personalInfo, personalInfo)
  }
})

test('BO-6 the owners of a business hold at most 100 % together', async () => {
  const business = await newBusiness()
  await createOwner(platform, business.id, { ownershipPercentage: 60 })
  const refused = await register(business.id, { ownershipPercentage: 50 })
  const [error] = expectFields(refused, ['ownershipPercentage'])
  assert.deepEqual(error?.['constraint'], { maximum: 40 })
  const other = await createOwner(platform, business.id, { ownershipPercentage: 40 })
  expectFields(await change(other, { ownershipPercentage: 41 }), ['ownershipPercentage'])
  expectStatus(await change(other, { ownershipPercentage: 39 }), 200)
  assert.equal((await embedded(business)).length, 2)
})

test('BO-7 a business has one control person', async () => {
  const business = await newBusiness()
  const first = await createOwner(platform, business.id, { roles: ['CONTROL_PERSON'] })
  expectFields(await register(business.id, { roles: ['UBO', 'CONTROL_PERSON'] }), ['roles'])
  const other = await createOwner(platform, business.id)
  expectFields(await change(other, { roles: ['CONTROL_PERSON'] }), ['roles'])
  expectStatus(await change(first, { roles: ['DIRECTOR', 'CONTROL_PERSON'] }), 200)
  expectStatus(await change(first, { roles: ['DIRECTOR'] }), 200)
  expectStatus(await change(other, { roles: ['CONTROL_PERSON'] }), 200)
})

test('BO-6 BO-7 the limits on owners hold under racing writes', async () => {
  const business = await newBusiness()
  const shares = await Promise.all(
    Array.from({ length: 12 }, () => register(business.id, { ownershipPercentage: 30 })),
  )
  assert.equal(shares.filter(({ status }) => status === 201).length, 3)
  const controls = await Promise.all(
    Array.from({ length: 12 }, () =>
      register(business.id, { roles: ['CONTROL_PERSON'], ownershipPercentage: 0 }),
    ),
  )
  assert.equal(controls.filter(({ status }) => status === 201).length, 1)
  assert.equal((await embedded(business)).length, 4)
})

test('BO-8 a change merges the person, replaces address and roles, and leaves the rest', async () => {
  const business = await newBusiness()
  const owner = await createOwner(platform, business.id, {
    personalInfo: { middleName: 'B.', email: 'a@example.com', address: { ...ADDRESS, city: 'X' } },
  })
  const changed = expectStatus(
    await change(owner, { personalInfo: { email: 'b@example.com' } }),
    200,
  )
  assert.deepEqual(changed, {
    ...owner,
    personalInfo: { ...owner.personalInfo, email: 'b@example.com' },
    updatedAt: changed.updatedAt,
  })
  const replaced = expectStatus(
    await change(owner, {
      roles: ['UBO'],
      personalInfo: { address: ADDRESS, middleName: null },
      customerId: 'Customer:x',
      kycStatus: 'APPROVED',
    }),
    200,
  )
  assert.deepEqual(replaced.roles, ['UBO'])
  assert.deepEqual(replaced.personalInfo.address, ADDRESS)
  assert.equal(replaced.personalInfo.middleName, undefined)
  assert.equal(replaced.customerId, business.id)
  assert.equal(replaced.kycStatus, 'UNVERIFIED')
  assert.deepEqual((await embedded(business))[0]?.roles, ['UBO'])
})

test('BO-8 CORE-7 null clears what is optional at any depth, also inside an address', async () => {
  const business = await newBusiness()
  const address = { ...ADDRESS, city: 'X' }
  const person = { middleName: 'B.', phoneNumber: '+14155550100', address }
  const owner = await createOwner(platform, business.id, { personalInfo: person })
  const cleared = { middleName: null, phoneNumber: null, address: { ...address, city: null } }
  const changed = expectStatus(await change(owner, { personalInfo: cleared }), 200)
  const { middleName: _name, phoneNumber: _phone, ...others } = owner.personalInfo ?? {}
  assert.deepEqual(changed.personalInfo, { ...others, address: ADDRESS })
  const missing = { address: { ...address, line1: null } }
  const refused = await change(owner, { ownershipPercentage: null, personalInfo: missing })
  const errors = expectFields(refused, ['ownershipPercentage', 'personalInfo.address.line1'])
  for (const { message } of errors) assert.equal(message, 'is required')
  expectFields(await change(owner, { personalInfo: null }), ['personalInfo'])
  expectFields(await change(owner, { roles: ['UBO', null] }), ['roles.1'])
})

test('BO-8 a change that changes nothing leaves updatedAt, of the owner and of the business', async () => {
  const business = await newBusiness()
  const owner = await createOwner(platform, business.id)
  const before = await readCustomer(platform, business)
  for (const body of [
    {},
    { personalInfo: {} },
    { personalInfo: PERSON },
    { roles: ['DIRECTOR'] },
  ]) {
    assert.deepEqual(expectStatus(await change(owner, body), 200), owner)
  }
  assert.deepEqual(await readCustomer(platform, business), before)
})

test('BO-8 null is refused on what is required, and validation is of the merged result', async () => {
  const business = await newBusiness()
  const owner = await createOwner(platform, business.id)
  expectFields(await change(owner, { roles: null, personalInfo: { lastName: null } }), [
    'roles',
    'personalInfo.lastName',
  ])
  expectFields(await change(owner, { personalInfo: { idType: 'ITIN' } }), [
    'personalInfo.identifier',
  ])
  expectFields(await change(owner, { personalInfo: { idType: 'ITIN', nationality: 'XX' } }), [
    'personalInfo.identifier',
    'personalInfo.nationality',
  ])
  const personalInfo = { idType: 'NON_US_TAX_ID', identifier: 'BR-77', countryOfIssuance: 'BR' }
  const changed = expectStatus(await change(owner, { personalInfo }), 200)
  assert.equal(changed.personalInfo.countryOfIssuance, 'BR')
  const back = { idType: 'SSN', identifier: '123-45-6789', countryOfIssuance: null }
  expectStatus(await change(owner, { personalInfo: back }), 200)
})

test('BO-5 BO-8 a foreign issuer of a US number is refused in a change too, but one that is left alone goes', async () => {
  const business = await newBusiness()
  const owner = await createOwner(platform, business.id)
  const issuedAbroad = { personalInfo: { countryOfIssuance: 'BR' } }
  const [error] = expectFields(await change(owner, issuedAbroad), [
    'personalInfo.countryOfIssuance',
  ])
  assert.deepEqual(error?.['constraint'], { enum: ['US'] })
  const foreign = { idType: 'NON_US_TAX_ID', identifier: 'BR-77', countryOfIssuance: 'BR' }
  expectStatus(await change(owner, { personalInfo: foreign }), 200)
  const back = { idType: 'SSN', identifier: '123-45-6789' }
  expectFields(await change(owner, { personalInfo: { ...back, countryOfIssuance: 'BR' } }), [
    'personalInfo.countryOfIssuance',
  ])
  const changed = expectStatus(await change(owner, { personalInfo: back }), 200)
  assert.equal(changed.personalInfo.countryOfIssuance, 'US')
})

test('CORE-30 limits by the other owners and a wrong business arrive with every other failure', async () => {
  const business = await newBusiness()
  const roles = ['CONTROL_PERSON']
  await createOwner(platform, business.id, { roles, ownershipPercentage: 60 })
  const owner = await createOwner(platform, business.id)
  const wrong = { roles, ownershipPercentage: 41, personalInfo: { email: 'x' } }
  const fields = ['roles', 'ownershipPercentage', 'personalInfo.email']
  expectFields(await change(owner, wrong), fields)
  expectFields(await register(business.id, wrong), fields)
  const odd = { roles: 'UBO', ownershipPercentage: '41', personalInfo: { email: 'x' } }
  expectFields(await change(owner, odd), fields)
  expectFields(await register(business.id, odd), fields)
  const person = await createCustomer(platform)
  const personalInfo = { email: 'x' }
  expectFields(await register(person.id, { personalInfo }), ['customerId', 'personalInfo.email'])
})

test('BO-9 the list names its business, is newest first, and is empty for an individual', async () => {
  expectFields(await api.get('/beneficial-owners'), ['customerId'])
  expectFields(await api.get('/beneficial-owners', { query: { customerId: 'x' } }), ['customerId'])
  const unknown = { customerId: `Customer:${newUuid()}` }
  expectError(await api.get('/beneficial-owners', { query: unknown }), 404, 'USER_NOT_FOUND')
  const list = async (customerId: unknown, cursor?: string) => {
    const query = { customerId: String(customerId), limit: 2, cursor }
    return expectStatus(await api.get('/beneficial-owners', { query }), 200)
  }
  const person = await createCustomer(platform)
  assert.deepEqual(await list(person.id), { data: [], hasMore: false, totalCount: 0 })
  const business = await newBusiness()
  const ids = []
  for (let n = 0; n < 3; n += 1) ids.push((await createOwner(platform, business.id)).id)
  const first = await list(business.id)
  const second = await list(business.id, text(first.nextCursor))
  const listed = [...first.data, ...second.data]
  assert.deepEqual(
    listed.map((owner) => owner.id),
    ids.toReversed(),
  )
  assert.equal(first.totalCount, 3)
  assert.equal(first.data[0]?.personalInfo.identifier, '123-45-6789')
})

test('BO-11 an owner of another platform is not found', async () => {
  const other = await kit.platform()
  const business = await createCustomer(other, BUSINESS)
  const owner = await createOwner(other, business.id)
  expectError(await api.get(`/beneficial-owners/${owner.id}`), 404, 'REFERENCE_NOT_FOUND')
  expectError(await change(owner, {}), 404, 'REFERENCE_NOT_FOUND')
  const query = { customerId: business.id }
  expectError(await api.get('/beneficial-owners', { query }), 404, 'USER_NOT_FOUND')
})

test('CORE-41 a repeated registration under one key is one owner', async () => {
  const business = await newBusiness()
  const headers = { 'idempotency-key': newUuid() }
  const body = ownerBody(business.id)
  const first = expectStatus(await api.post('/beneficial-owners', body, { headers }), 201)
  const again = await api.post('/beneficial-owners', body, { headers })
  assert.deepEqual(expectStatus(again, 201), first)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal((await embedded(business)).length, 1)
})

test('CORE-90 the number of an owner is not readable in the database', async () => {
  const business = await newBusiness()
  await createOwner(platform, business.id, { personalInfo: { identifier: '987-65-4321' } })

  const rows = await kit.florin.deps.db.read.many(
    sql`select o::text from beneficial_owners o union all select c::text from customers c
        union all select k::text from idempotency_keys k union all select e::text from events e`,
  )
  assert.ok(rows.length > 0)
  const stored = JSON.stringify(rows)
  assert.ok(stored.includes('***-**-4321'))
  for (const form of ['987-65-4321', Buffer.from('987-65-4321').toString('hex')]) {
    assert.ok(!stored.includes(form))
  }
})
