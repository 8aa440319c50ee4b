import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Customer } from '../../../../../sdk/src/index.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  text,
  type Shown,
  type HasId,
} from '../../../../test/kit/api.ts'
import { advance } from '../../../../test/kit/outside/connect-receiver.ts'
import {
  ADDRESS,
  BUSINESS,
  createCustomer,
  currencyOf,
  listAccounts,
  listEvents,
  readCustomer,
} from '../../../../test/kit/customers.ts'
import { startKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { csvOf, importCsv, individual } from '../../../../test/kit/onboarding/bulk-import.ts'
import { logIn, scaOf } from '../../../../test/kit/sca/sca.ts'
import { newUuid } from '../../../kernel/ids.ts'

const kit = await startKit()
const p = await kit.platform({ kind: 'UNREGULATED', currencies: ['USD', 'EUR', 'BRL'] })
const domain = expectStatus(await p.api.get('/config'), 200).umaDomain
const uma = (user: string): string => `$${user}@${domain}`

const production = () => kit.platform({ environment: 'PRODUCTION' })

type Named = Pick<Shown<Customer>, 'id' | 'customerType'>

const patchAs = (platform: TestPlatform, { id, customerType }: Named, body: object) =>
  platform.api.patch(`/customers/${id}`, { customerType, ...body })
const patch = (customer: Named, body: object) => patchAs(p, customer, body)
const patched = async (customer: Named, body: object) =>
  expectStatus(await patch(customer, body), 200)

/** A customer without the fields that every change moves. */
const still = <C extends { updatedAt: unknown }>({ updatedAt: _updatedAt, ...rest }: C) => rest

describe('CUST-51 named fields change, the rest stays', () => {
  test('CUST-50 the type is required and stays what it was', async () => {
    const customer = await createCustomer(p, { fullName: 'Ana' })
    const path = `/customers/${customer.id}` as const
    expectFields(await p.api.patch(path, { fullName: 'X' }), ['customerType'])
    expectFields(await p.api.patch(path, { customerType: null }), ['customerType'])
    const [error] = expectFields(
      await p.api.patch(path, { customerType: 'BUSINESS', businessInfo: { legalName: 'X' } }),
      ['customerType'],
    )
    assert.deepEqual(error?.['constraint']?.['enum'], ['INDIVIDUAL'])
    assert.deepEqual(await readCustomer(p, customer), customer)
  })

  test('CUST-51 a field that is absent stays, null clears, an address is replaced as a whole', async () => {
    const customer = await createCustomer(p, {
      fullName: 'Ana',
      nationality: 'BR',
      address: { ...ADDRESS, city: 'San Francisco' },
      sourceOfFundsCategories: ['SALARY', 'GIFT'],
    })
    const renamed = await patched(customer, { fullName: 'Ana Souza' })
    assert.deepEqual(still(renamed), still({ ...customer, fullName: 'Ana Souza' }))
    const cleared = await patched(customer, {
      nationality: null,
      sourceOfFundsCategories: ['LOAN'],
    })
    assert.equal(cleared.nationality, undefined)
    assert.deepEqual(cleared.sourceOfFundsCategories, ['LOAN'])
    const moved = { line1: '2 Side St', postalCode: '1', country: 'BR' }
    assert.deepEqual((await patched(customer, { address: moved })).address, moved)
    expectFields(await patch(customer, { address: { city: 'x' } }), [
      'address.line1',
      'address.postalCode',
      'address.country',
    ])
    assert.equal((await patched(customer, { address: null })).address, undefined)
  })

  test('CUST-51 businessInfo merges field by field', async () => {
    const customer = await createCustomer(p, {
      ...BUSINESS,
      businessInfo: { ...BUSINESS.businessInfo, doingBusinessAs: 'Acme', naicsCode: '5411' },
    })
    const after = await patched(customer, {
      businessInfo: { legalName: 'Acme LLC', doingBusinessAs: null },
    })
    assert.deepEqual(after.businessInfo, {
      ...BUSINESS.businessInfo,
      legalName: 'Acme LLC',
      naicsCode: '5411',
    })
    assert.deepEqual(await readCustomer(p, customer), after)
  })

  test('CUST-51 null is refused where there must be something', async () => {
    const customer = await createCustomer(p, BUSINESS)
    expectFields(await patch(customer, { currencies: null }), ['currencies'])
    expectFields(await patch(customer, { umaAddress: null }), ['umaAddress'])
    expectFields(await patch(customer, { businessInfo: null }), ['businessInfo'])
    const core = { legalName: null, country: null, taxId: null, incorporatedOn: null }
    expectFields(await patch(customer, { businessInfo: core }), [
      'businessInfo.legalName',
      'businessInfo.country',
      'businessInfo.taxId',
      'businessInfo.incorporatedOn',
    ])
    assert.deepEqual(await readCustomer(p, customer), customer)
  })

  test('CUST-51 CORE-7 null inside an address clears what is optional, and misses what is not', async () => {
    const address = { ...ADDRESS, city: 'San Francisco' }
    const customer = await createCustomer(p, { fullName: 'Ana', address })
    const cleared = await patched(customer, { address: { ...address, city: null, line2: null } })
    assert.deepEqual(cleared.address, ADDRESS)
    const core = { line1: null, postalCode: null, country: null }
    const errors = expectFields(await patch(customer, { address: { ...address, ...core } }), [
      'address.line1',
      'address.postalCode',
      'address.country',
    ])
    for (const { message } of errors) assert.equal(message, 'is required')
    const [error] = expectFields(
      await p.api.patch(`/customers/${customer.id}`, { customerType: null }),
      ['customerType'],
    )
    assert.equal(error?.['message'], 'is required')
  })

  test('CUST-52 what cannot be updated is ignored', async () => {
    const customer = await createCustomer(p, { region: 'US', platformCustomerId: 'fixed' })
    const answer = await patch(customer, {
      platformCustomerId: 'other',
      region: 'DE',
      kycStatus: 'APPROVED',
      isDeleted: true,
      createdAt: '2000-01-01T00:00:00Z',
    })
    assert.deepEqual(expectStatus(answer, 200), customer)
    assert.match(answer.headers.get('ignored-fields') ?? '', /platformCustomerId, region/)
  })

  test('CUST-53 email and phone number together are refused, whether or not they change', async () => {
    const customer = await createCustomer(p, { email: 'a@b.com', phoneNumber: '+15550100' })
    for (const body of [
      { email: 'a@b.com', phoneNumber: '+15550100' },
      { email: 'c@d.com', phoneNumber: null },
    ]) {
      expectFields(await patch(customer, body), ['email', 'phoneNumber'])
    }
    const [first, ...rest] = expectFields(
      await patch(customer, { email: 'x', phoneNumber: '+15' }),
      ['email', 'phoneNumber'],
    )
    assert.ok(first && rest.length === 1)
  })

  test('CUST-55 VER-10 a new name does not change the status', async () => {
    const light = await kit.platform({ kind: 'REGULATED' })
    const customer = await createCustomer(light, { fullName: 'A B 002' })
    assert.equal(customer.kycStatus, 'REJECTED')
    const before = (await listEvents(light)).length
    const renamed = expectStatus(await patchAs(light, customer, { fullName: 'A B' }), 200)
    assert.equal(renamed.kycStatus, 'REJECTED')
    assert.equal((await listEvents(light)).length, before, 'updates emit nothing')
  })

  test('CUST-58 a request without a difference leaves updatedAt, a change moves it', async () => {
    const customer = await createCustomer(p, {
      fullName: 'Ana',
      address: ADDRESS,
      idType: 'SSN',
      identifier: '111-22-3333',
      currencies: ['USD'],
    })
    for (const body of [
      {},
      { fullName: ' Ana ' },
      { address: { ...ADDRESS } },
      { idType: 'SSN', identifier: '111-22-3333' },
      { nationality: null },
      { currencies: ['USD', 'USD'] },
    ]) {
      assert.deepEqual(await patched(customer, body), customer, JSON.stringify(body))
    }
    const changed = await patched(customer, { identifier: '999-22-3333' })
    assert.ok(text(changed.updatedAt) > customer.updatedAt)
    assert.equal(changed.createdAt, customer.createdAt)
  })

  test('CUST-64 CORE-3 a deleted or foreign customer is not found', async () => {
    const customer = await createCustomer(p)
    const other = await kit.platform()
    expectError(await patchAs(other, customer, { fullName: 'X' }), 404, 'USER_NOT_FOUND')
    expectStatus(await p.api.delete(`/customers/${customer.id}`), 200)
    expectError(await patch(customer, { fullName: 'X' }), 404, 'USER_NOT_FOUND')
    expectFields(await patch(customer, { nationality: 'XX' }), ['nationality'])
  })

  test('CUST-25 CORE-40 a patch under a key is applied once', async () => {
    const customer = await createCustomer(p)
    const headers = { 'idempotency-key': newUuid() }
    const send = () =>
      p.api.patch(
        `/customers/${customer.id}`,
        { customerType: 'INDIVIDUAL', fullName: 'Ana' },
        { headers },
      )
    const first = expectStatus(await send(), 200)
    assert.deepEqual(expectStatus(await send(), 200), first)
  })
})

describe('CUST-59 the merged record is checked', () => {
  test('CUST-11 identifier and type go together after merging', async () => {
    const customer = await createCustomer(p)
    expectFields(await patch(customer, { idType: 'SSN' }), ['identifier'])
    expectFields(await patch(customer, { identifier: '111-22-3333' }), ['idType'])
    const known = await patched(customer, { idType: 'SSN', identifier: '111-22-3333' })
    assert.equal(known.countryOfIssuance, 'US')
    const [error] = expectFields(await patch(customer, { idType: 'ITIN' }), ['identifier'])
    assert.equal(error?.['constraint']?.['format'], 'us-itin', 'the stored number is no ITIN')
    await patched(customer, { identifier: '222-33-4444' })
    expectFields(await patch(customer, { idType: null }), ['idType'])
    const cleared = await patched(customer, { idType: null, identifier: null })
    assert.equal(cleared.countryOfIssuance, undefined)
  })

  test('CUST-15 country and tax id are checked as the merged pair', async () => {
    const customer = await createCustomer(p, BUSINESS)
    expectFields(await patch(customer, { businessInfo: { country: 'DE' } }), ['businessInfo.taxId'])
    expectFields(await patch(customer, { businessInfo: { taxId: 'DE123456789' } }), [
      'businessInfo.taxId',
    ])
    const moved = { country: 'DE', taxId: 'DE123456789' }
    assert.equal(
      (await patched(customer, { businessInfo: moved })).businessInfo?.taxId,
      'DE123456789',
    )
  })

  test('CUST-14 a description is required with OTHER and dropped without', async () => {
    const customer = await createCustomer(p)
    const other = { purposeOfAccount: 'OTHER' }
    expectFields(await patch(customer, other), ['purposeOfAccountOtherDescription'])
    const emitted = { ...other, purposeOfAccountOtherDescription: 'Rent' }
    assert.equal((await patched(customer, emitted)).purposeOfAccountOtherDescription, 'Rent')
    await patched(customer, other)
    expectFields(await patch(customer, { purposeOfAccountOtherDescription: null }), [
      'purposeOfAccountOtherDescription',
    ])
    const changed = await patched(customer, { purposeOfAccount: 'P2P_TRANSFERS' })
    assert.equal(changed.purposeOfAccountOtherDescription, undefined)
  })

  test('CUST-59 fields that the request does not name are not checked', async () => {
    const own = await kit.platform({ kind: 'UNREGULATED' })
    const past = new Date(Date.now() - 1000).toISOString().slice(0, 10)
    const customer = await createCustomer(own, { birthDate: past })
    expectStatus(await patchAs(own, customer, { fullName: 'Ana' }), 200)
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    expectFields(await patchAs(own, customer, { birthDate: tomorrow }), ['birthDate'])
    await advance(own, 86_400)
    expectStatus(await patchAs(own, customer, { birthDate: tomorrow }), 200)
  })

  test('CORE-30 merged and other failures arrive in one list', async () => {
    const customer = await createCustomer(p, BUSINESS)
    const answer = await patch(customer, {
      email: 'x',
      currencies: ['GBP'],
      umaAddress: 'x',
      businessInfo: { country: 'DE', incorporatedOn: '3000-01-01' },
    })
    expectFields(answer, [
      'email',
      'currencies.0',
      'umaAddress',
      'businessInfo.taxId',
      'businessInfo.incorporatedOn',
    ])
  })

  test('CUST-51 CUST-22 a channel that the region requires cannot be cleared', async () => {
    const contact = { region: 'DE', email: 'a@b.de', phoneNumber: '+4930123456' }
    const customer = await createCustomer(p, contact)
    expectFields(await patch(customer, { email: null }), ['email'])
    expectFields(await patch(customer, { phoneNumber: null }), ['phoneNumber'])
    const norwegian = await createCustomer(p, { ...contact, region: 'NO' })
    await logIn(scaOf(p.api, norwegian.id))
    await patched(norwegian, { phoneNumber: null })
    const elsewhere = await createCustomer(p, { email: 'a@b.com' })
    assert.equal((await patched(elsewhere, { email: null })).email, undefined)
  })
})

describe('UMA address', () => {
  test('CUST-57 a new address follows the same rules, the old one is never reused', async () => {
    const customer = await createCustomer(p, { umaAddress: uma('before') })
    const other = await createCustomer(p, { umaAddress: uma('other') })
    assert.equal((await patched(customer, { umaAddress: uma('After') })).umaAddress, uma('after'))
    expectError(await patch(other, { umaAddress: uma('after') }), 409, 'UMA_ADDRESS_EXISTS')
    expectError(await patch(other, { umaAddress: uma('before') }), 409, 'UMA_ADDRESS_EXISTS')
    expectError(await patch(other, { umaAddress: 'after' }), 400, 'INVALID_UMA_ADDRESS')
    const found = await p.api.get('/customers', { query: { umaAddress: uma('before') } })
    assert.deepEqual(expectStatus(found, 200).data, [], 'a former address finds nobody')
    assert.equal((await patched(customer, { umaAddress: uma('before') })).umaAddress, uma('before'))
  })

  test('CFG-14 CUST-57 in production an address stays taken when its domain passes to another platform', async () => {
    const [former, next] = [await production(), await production()]
    const passed = `${newUuid()}.example.org`
    const use = async ({ api }: TestPlatform, umaDomain: string) =>
      expectStatus(await api.patch('/config', { umaDomain }), 200)
    const [ana, eva] = [`$ana@${passed}`, `$eva@${passed}`]
    await use(former, passed)
    await createCustomer(former, { umaAddress: ana })
    await use(former, `new.${passed}`)
    await use(next, passed)
    const created = await next.api.post('/customers', {
      customerType: 'INDIVIDUAL',
      umaAddress: ana,
    })
    expectError(created, 409, 'UMA_ADDRESS_EXISTS')
    const other = await createCustomer(next, { umaAddress: eva })
    expectError(await patchAs(next, other, { umaAddress: ana }), 409, 'UMA_ADDRESS_EXISTS')
    expectStatus(await patchAs(next, other, { umaAddress: eva }), 200)
    const rows = [ana, `$bob@${passed}`].map((umaAddress) =>
      individual({ umaAddress, platformCustomerId: umaAddress }),
    )
    const { errors } = await importCsv(next, csvOf(rows))
    const refused = items(errors).map(({ correlationId, code }) => [correlationId, code])
    assert.deepEqual(refused, [[ana, 'UMA_ADDRESS_EXISTS']])
  })

  test('CFG-14 existing addresses keep their domain, new ones use the new domain', async () => {
    const own = await kit.platform({ kind: 'UNREGULATED' })
    const customer = await createCustomer(own)
    expectStatus(await own.api.patch('/config', { umaDomain: 'pay.acme.example' }), 200)
    const after = await createCustomer(own)
    assert.ok(after.umaAddress.endsWith('@pay.acme.example'))
    const same = await patchAs(own, customer, { umaAddress: customer.umaAddress })
    assert.deepEqual(expectStatus(same, 200), customer, 'naming what it has is no change')
    expectStatus(await patchAs(own, customer, { umaAddress: '$ana@pay.acme.example' }), 200)
  })
})

describe('CUST-56 currencies', () => {
  const codes = async (platform: TestPlatform, customer: HasId): Promise<string[]> =>
    (await listAccounts(platform, customer)).map(currencyOf).toSorted()

  test('an added currency has its account with the answer, a removed currency keeps its account', async () => {
    const customer = await createCustomer(p, { currencies: ['USD'] })
    const grown = await patched(customer, { currencies: ['EUR', 'USD'] })
    assert.deepEqual(grown.currencies, ['EUR', 'USD'])
    assert.deepEqual(await codes(p, customer), ['EUR', 'USD'])
    const shrunk = await patched(customer, { currencies: ['EUR'] })
    assert.deepEqual(shrunk.currencies, ['EUR'])
    assert.deepEqual(await codes(p, customer), ['EUR', 'USD'])
    await patched(customer, { currencies: ['USD'] })
    assert.deepEqual(await codes(p, customer), ['EUR', 'USD'], 'IACC-2 no second account')
  })

  test('a currency with money in it cannot be removed', async () => {
    const customer = await createCustomer(p, { currencies: ['USD', 'EUR'] })
    const account = (await listAccounts(p, customer)).find((one) => currencyOf(one) === 'USD')
    const fund = `/sandbox/internal-accounts/${account?.id}/fund`
    expectStatus(await p.api.post(fund, { amount: 1 }), 200)
    const refused = await patch(customer, { currencies: ['EUR'], fullName: 'Lost' })
    assert.equal(expectError(refused, 409, 'CONFLICT')['currency'], 'USD')
    assert.deepEqual(await readCustomer(p, customer), customer)
    await patched(customer, { currencies: ['USD'] })
  })

  test('CUST-17 CUST-67 a new list requires the fields of its currencies, which then cannot be cleared', async () => {
    const customer = await createCustomer(p)
    const refused = await patch(customer, { currencies: ['BRL'] })
    const details = expectError(refused, 400, 'MISSING_MANDATORY_USER_INFO')
    assert.equal(items(details['errors']).length, 3)
    const known = { fullName: 'Ana', birthDate: '1990-01-01', nationality: 'BR' }
    await patched(customer, { currencies: ['BRL'], ...known })
    expectError(await patch(customer, { fullName: null }), 400, 'MISSING_MANDATORY_USER_INFO')
  })

  test('a currency of the customer stays allowed after the platform dropped it', async () => {
    const own = await kit.platform({ kind: 'UNREGULATED', currencies: ['USD', 'EUR'] })
    const customer = await createCustomer(own)
    const config = expectStatus(await own.api.get('/config'), 200)
    const [usd] = config.supportedCurrencies
    expectStatus(await own.api.patch('/config', { supportedCurrencies: [usd] }), 200)
    const kept = await patchAs(own, customer, { currencies: ['EUR'] })
    assert.deepEqual(expectStatus(kept, 200).currencies, ['EUR'])
    const lost = await patchAs(own, customer, { currencies: ['USD'] })
    expectStatus(lost, 200)
    const [error] = expectFields(await patchAs(own, customer, { currencies: ['EUR'] }), [
      'currencies.0',
    ])
    assert.deepEqual(error?.['constraint']?.['enum'], ['USD'])
  })
})
