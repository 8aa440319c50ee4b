import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expectError, expectFields, expectStatus, items } from '../../../test/kit/api.ts'
import {
  BUSINESS,
  createCustomer,
  currencyOf,
  listAccounts,
  listEvents,
  readCustomer,
} from '../../../test/kit/customers.ts'
import { startOwnKit, WITH_BITCOIN } from '../../../test/kit/florin.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { newUuid } from '../../kernel/ids.ts'

const kit = await startOwnKit()
const { db } = kit.florin.deps
const p = await kit.platform({ kind: 'UNREGULATED', ...WITH_BITCOIN })
const domain = expectStatus(await p.api.get('/config'), 200).umaDomain
const uma = (user: string): string => `$${user}@${domain}`

const countOf = async (): Promise<bigint> => {
  const { count } = await db.read.one<{ count: bigint }>(
    sql`select (select count(*) from customers) + (select count(*) from uma_addresses)
          + (select count(*) from internal_accounts) + (select count(*) from events) as count`,
  )
  return count
}

describe('creation', () => {
  test('CUST-1 CUST-40 the type alone makes an individual', async () => {
    const created = await createCustomer(p)
    assert.deepEqual(Object.keys(created).toSorted(), [
      'createdAt',
      'currencies',
      'customerType',
      'id',
      'isDeleted',
      'kycStatus',
      'platformCustomerId',
      'umaAddress',
      'updatedAt',
    ])
    assert.match(created.id, /^Customer:[0-9a-f-]{36}$/)
    assert.equal(`Customer:${created.platformCustomerId}`, created.id)
    assert.ok(created.umaAddress.endsWith(`@${domain}`))
    assert.deepEqual(created.currencies, ['USD', 'EUR', 'MXN', 'USDC', 'BTC'])
    assert.equal(created.kycStatus, 'UNVERIFIED')
    assert.equal(created.isDeleted, false)
    assert.equal(created.createdAt, created.updatedAt)
    assert.deepEqual(await readCustomer(p, created), created)
  })

  test('CUST-40 a business shows its status, info and owners, and no kycStatus', async () => {
    const created = await createCustomer(p, BUSINESS)
    assert.equal(created.kybStatus, 'UNVERIFIED')
    assert.equal(created.kycStatus, undefined)
    assert.deepEqual(created.businessInfo, BUSINESS.businessInfo)
    assert.deepEqual(created.beneficialOwners, [])
  })

  test('CUST-2 a business without its core fields is refused at each of them', async () => {
    const post = (body: object) => p.api.post('/customers', { customerType: 'BUSINESS', ...body })
    expectFields(await post({}), ['businessInfo'])
    expectFields(await post({ businessInfo: {} }), [
      'businessInfo.country',
      'businessInfo.incorporatedOn',
      'businessInfo.legalName',
      'businessInfo.taxId',
    ])
  })

  test('CUST-3 CORE-8 server-set fields are ignored, and named in sandbox', async () => {
    const answer = await p.api.post('/customers', {
      customerType: 'INDIVIDUAL',
      id: 'Customer:1',
      kycStatus: 'APPROVED',
      kybStatus: 'APPROVED',
      contactVerification: { email: 'VERIFIED' },
      beneficialOwners: 5,
      isDeleted: true,
      createdAt: 'never',
      updatedAt: null,
    })
    const created = expectStatus(answer, 201)
    assert.equal(created.kycStatus, 'UNVERIFIED')
    assert.equal(created.isDeleted, false)
    assert.equal(created.kybStatus, undefined)
    assert.equal(created.contactVerification, undefined)
    assert.match(answer.headers.get('ignored-fields') ?? '', /kycStatus/)
  })

  test('CUST-4 the type is required and one of two, fields of the other type are ignored', async () => {
    for (const body of [{}, { customerType: 'PERSON' }, { customerType: null }]) {
      const [error] = expectFields(await p.api.post('/customers', body), ['customerType'])
      assert.deepEqual(error?.['constraint']?.['enum'], ['INDIVIDUAL', 'BUSINESS'])
    }
    const created = await createCustomer(p, { businessInfo: 'nonsense', beneficialOwners: [] })
    assert.equal(created.businessInfo, undefined)
    const business = await createCustomer(p, { ...BUSINESS, birthDate: 'nonsense', fullName: 5 })
    assert.equal(business.fullName, undefined)
  })

  test('CUST-7 a name of one word is accepted at creation', async () => {
    assert.equal((await createCustomer(p, { fullName: 'Pelé' })).fullName, 'Pelé')
  })

  test('CUST-23 IACC-1 an account per currency exists with the answer, at zero', async () => {
    const created = await createCustomer(p, { currencies: ['EUR', 'BTC', 'EUR'] })
    assert.deepEqual(created.currencies, ['EUR', 'BTC'], 'repeats dropped, order kept')
    const accounts = await listAccounts(p, created)
    assert.deepEqual(accounts.map(currencyOf).toSorted(), ['BTC', 'EUR'])
    for (const { totalBalance } of accounts) assert.equal(totalBalance.amount, 0)
  })

  test('CUST-24 a refused creation writes nothing', async () => {
    await createCustomer(p, { platformCustomerId: 'taken', umaAddress: uma('taken') })
    const before = await countOf()
    const refused = [
      { platformCustomerId: 'taken' },
      { umaAddress: uma('taken') },
      { umaAddress: uma('free'), currencies: ['XXX'] },
      { umaAddress: uma('free'), endUserTermsConsent: consent({ termsVersion: 'V0' }) },
    ]
    for (const body of refused) {
      const answer = await p.api.post('/customers', { customerType: 'INDIVIDUAL', ...body })
      assert.ok(answer.status >= 400, answer.text)
    }
    assert.equal(await countOf(), before)
    await createCustomer(p, { umaAddress: uma('free') })
  })

  test('CUST-25 a repeated key answers the same customer and creates no second', async () => {
    const headers = { 'idempotency-key': newUuid() }
    const post = () => p.api.post('/customers', BUSINESS, { headers })
    const first = expectStatus(await post(), 201)
    const before = await countOf()
    const second = await post()
    assert.deepEqual(expectStatus(second, 201), first)
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
    assert.equal(await countOf(), before)
    const { body } = await db.read.one<{ body: Buffer }>(
      sql`select body from idempotency_keys where key = ${headers['idempotency-key']}`,
    )
    assert.ok(!body.includes('12-3456789'), 'CORE-90 a stored answer does not show the tax id')
  })
})

const consent = (changes: object = {}) => ({
  acceptedAt: '2026-01-01T12:00:00+02:00',
  ipAddress: '2001:db8::1',
  termsVersion: 'V1',
  acceptanceMethod: 'CHECKBOX',
  ...changes,
})

describe('platformCustomerId', () => {
  test('CUST-18 scenario 10: shared only with an explicit new address', async () => {
    const first = await createCustomer(p, { platformCustomerId: 'p1' })
    const again = { customerType: 'INDIVIDUAL', platformCustomerId: 'p1' }
    const details = expectError(await p.api.post('/customers', again), 409, 'CONFLICT')
    assert.equal(details['customerId'], first.id)
    const second = await createCustomer(p, { ...again, umaAddress: uma('p1.second') })
    assert.equal(second.platformCustomerId, 'p1')
    const listed = expectStatus(
      await p.api.get('/customers', { query: { platformCustomerId: 'p1' } }),
      200,
    )
    assert.deepEqual(
      listed.data.map(({ id }) => id),
      [second.id, first.id],
    )
    const taken = { ...again, umaAddress: uma('p1.second') }
    expectError(await p.api.post('/customers', taken), 409, 'UMA_ADDRESS_EXISTS')
  })

  test("CUST-18 a deleted customer's value is free again", async () => {
    const first = await createCustomer(p, { platformCustomerId: 'p2' })
    expectStatus(await p.api.delete(`/customers/${first.id}`), 200)
    const second = await createCustomer(p, { platformCustomerId: 'p2' })
    assert.notEqual(second.id, first.id)
  })

  test('CUST-18 another platform’s values do not matter', async () => {
    await createCustomer(p, { platformCustomerId: 'p3' })
    await createCustomer(await kit.platform(), { platformCustomerId: 'p3' })
  })
})

describe('UMA addresses', () => {
  test('CUST-19 CUST-20 scenario 9: lower case, unique, well formed', async () => {
    assert.equal((await createCustomer(p, { umaAddress: uma('Ana') })).umaAddress, uma('ana'))
    const post = (umaAddress: string, more: object = {}) =>
      p.api.post('/customers', { customerType: 'INDIVIDUAL', umaAddress, ...more })
    expectError(await post(uma('ANA')), 409, 'UMA_ADDRESS_EXISTS')
    const malformed = [`ana@${domain}`, '$ana@other.example', '$', '', uma('a'.repeat(400))]
    for (const wrong of [...malformed, uma('\u212Aim')]) {
      const details = expectError(await post(wrong), 400, 'INVALID_UMA_ADDRESS')
      const [error, ...rest] = items(details['errors'])
      assert.equal(error?.['field'], 'umaAddress')
      assert.equal(error?.['constraint']?.['format'], 'uma-address')
      assert.equal(rest.length, 0)
    }
  })

  test('CUST-19 among other failures a wrong UMA address is one field of the list', async () => {
    const post = (body: object) =>
      p.api.post('/customers', { customerType: 'INDIVIDUAL', umaAddress: 'ana', ...body })
    expectFields(await post({ nationality: 'XX' }), ['nationality', 'umaAddress'])
    expectFields(await post({ currencies: ['XXX'] }), ['currencies.0', 'umaAddress'])
    expectFields(await post({ birthDate: '3000-01-01' }), ['birthDate', 'umaAddress'])
  })

  test('CUST-20 the address of a deleted customer is never given to another', async () => {
    const created = await createCustomer(p, { umaAddress: uma('gone') })
    expectStatus(await p.api.delete(`/customers/${created.id}`), 200)
    const again = { customerType: 'INDIVIDUAL', umaAddress: uma('gone') }
    expectError(await p.api.post('/customers', again), 409, 'UMA_ADDRESS_EXISTS')
  })
})

describe('status and events at creation', () => {
  test('KYC-1 KYC-3 VER-30 scenario 5 of chapter 11: LIGHT decides by the name at once', async () => {
    const light = await kit.platform({ kind: 'REGULATED' })
    for (const [fullName, status] of [
      ['A B 001', 'PENDING'],
      ['A B 002', 'REJECTED'],
      ['A B 003', 'UNVERIFIED'],
      ['A B', 'APPROVED'],
    ] as const) {
      const created = await createCustomer(light, { fullName })
      assert.equal(created.kycStatus, status, fullName)
      const emitted = (await listEvents(light)).filter(({ data }) => data.id === created.id)
      const expected = status === 'UNVERIFIED' ? [] : [`CUSTOMER.KYC_${status}`]
      assert.deepEqual(
        emitted.map(({ type }) => type),
        expected,
      )
      for (const { data } of emitted) assert.deepEqual(data, created)
    }
  })

  test('KYB-1 HOOK-5 a sandbox business starts unverified without an event; in production a regulated one is approved, its number masked in the event', async () => {
    const light = await kit.platform({ kind: 'REGULATED' })
    assert.equal((await createCustomer(light, BUSINESS)).kybStatus, 'UNVERIFIED')
    assert.deepEqual(await listEvents(light), [])
    const live = await kit.platform({ kind: 'REGULATED', environment: 'PRODUCTION' })
    const created = await createCustomer(live, BUSINESS)
    assert.equal(created.kybStatus, 'APPROVED')
    const [event, ...rest] = await listEvents(live)
    assert.equal(event?.type, 'CUSTOMER.KYB_APPROVED')
    const { businessInfo } = created
    assert.equal(businessInfo?.taxId, '12-3456789')
    const masked = { ...businessInfo, taxId: '**-***6789' }
    assert.deepEqual(event.data, { ...created, businessInfo: masked })
    assert.equal(rest.length, 0)
  })
})

describe('reading', () => {
  test('CUST-43 another platform’s customer, the platform’s own id and nonsense are not found', async () => {
    const created = await createCustomer(p, { platformCustomerId: 'mine' })
    const other = await kit.platform()
    expectError(await other.api.get(`/customers/${created.id}`), 404, 'USER_NOT_FOUND')
    expectError(await p.api.get('/customers/mine'), 404, 'USER_NOT_FOUND')
    expectError(await p.api.get(`/customers/Customer:${newUuid()}`), 404, 'USER_NOT_FOUND')
  })

  test('CUST-12 scenario 7: the identifier appears nowhere, and is sealed where it is stored', async () => {
    const light = await kit.platform()
    const identifier = '111-22-3333'
    const created = await createCustomer(light, { idType: 'SSN', identifier, fullName: 'A B' })
    assert.equal(created.countryOfIssuance, 'US', 'CUST-11 the default')
    const shown = JSON.stringify([
      created,
      await readCustomer(light, created),
      await listEvents(light),
      (await light.api.get('/customers')).body,
    ])
    assert.ok(!shown.includes(identifier))
    const rows = await db.read.many<{ row: string }>(
      sql`select c::text as row from customers c union all select e::text from events e
          union all select a::text from audit_entries a union all select n::text from audit_notes n`,
    )
    const digits = /111-?22-?3333/
    assert.ok(rows.length > 0 && rows.every(({ row }) => !digits.test(row)))
    const { found } = await db.read.one<{ found: boolean }>(
      sql`select exists (select 1 from customers where octet_length(identifier) > 40
            and octet_length(identifier_index) = 32) as found`,
    )
    assert.ok(found)
  })

  test('CORE-90 a tax id is shown to its platform and sealed where it is stored', async () => {
    const business = { ...BUSINESS.businessInfo, taxId: '98-7654321' }
    const created = await createCustomer(p, { ...BUSINESS, businessInfo: business })
    assert.equal((await readCustomer(p, created)).businessInfo?.taxId, '98-7654321')
    const rows = await db.read.many<{ row: string }>(sql`select c::text as row from customers c`)
    assert.ok(rows.every(({ row }) => !row.includes('98-7654321')))
  })
})
