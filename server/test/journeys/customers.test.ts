/** Chapter 10, section 8: the acceptance scenarios of customers, seen by the API and by a webhook receiver. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyWebhook } from '../kit/outside/verify-webhook.ts'
import { expectError, expectFields, expectStatus, items, text } from '../kit/api.ts'
import { advance, connect, openReceiver } from '../kit/outside/connect-receiver.ts'
import {
  BUSINESS,
  createCustomer,
  currencyOf,
  listAccounts,
  listEvents,
  readCustomer,
} from '../kit/customers.ts'
import { eventually } from '../kit/eventually.ts'
import { startKit } from '../kit/florin.ts'
import { payee, payer, platformAccount, quote } from '../kit/payments.ts'

const kit = await startKit()

test('scenarios 4 and 5: a minimal individual and a business, accounts for both, no event', async () => {
  const p = await kit.platform({ kind: 'UNREGULATED', currencies: ['USD', 'EUR'] })
  const receiver = await openReceiver()
  await connect(p, receiver)
  const individual = await createCustomer(p)
  assert.equal(individual.kycStatus, 'UNVERIFIED')
  assert.deepEqual(await readCustomer(p, individual), individual)
  const { taxId: _missing, ...info } = BUSINESS.businessInfo
  const wrong = { ...BUSINESS, businessInfo: { ...info, country: 'usa' } }
  expectFields(await p.api.post('/customers', wrong), [
    'businessInfo.taxId',
    'businessInfo.country',
  ])
  const business = await createCustomer(p, BUSINESS)
  assert.equal(business.kybStatus, 'UNVERIFIED')
  assert.deepEqual(business.beneficialOwners, [])
  for (const customer of [individual, business]) {
    const accounts = await listAccounts(p, customer)
    assert.deepEqual(accounts.map(currencyOf).toSorted(), ['EUR', 'USD'])
  }
  await advance(p, 60)
  assert.deepEqual(receiver.types(), [])
})

test('VER-30 CUST-12 scenario 7: a decided customer is told to the platform, signed, without its identifier', async () => {
  const p = await kit.platform({ kind: 'REGULATED' })
  const receiver = await openReceiver()
  await connect(p, receiver)
  const identifier = '111-22-3333'
  const names = ['Ana One 001', 'Ben Two 002', 'Cem Three 003', 'Dea Four']
  const created = []
  for (const fullName of names) {
    created.push(await createCustomer(p, { fullName, idType: 'SSN', identifier }))
  }
  await eventually(() => assert.equal(receiver.types().length, 3))
  assert.deepEqual(receiver.types().toSorted(), [
    'CUSTOMER.KYC_APPROVED',
    'CUSTOMER.KYC_PENDING',
    'CUSTOMER.KYC_REJECTED',
  ])
  for (const { event, headers, raw } of receiver.deliveries) {
    const signature = text(headers['x-service-signature'] as never)
    assert.ok(verifyWebhook(p.webhookPublicKey, signature, raw))
    assert.ok(!raw.includes(identifier))
    if (event.type === 'TEST') continue
    assert.deepEqual(
      event.data,
      created.find(({ id }) => id === event.data['id']),
    )
  }
})

test('scenarios 8, 9, 10: fields by currency, UMA addresses, shared platform ids', async () => {
  const p = await kit.platform({ kind: 'UNREGULATED', currencies: ['USD', 'BRL'] })
  const post = (body: object) => p.api.post('/customers', { customerType: 'INDIVIDUAL', ...body })
  const asked = await post({ currencies: ['BRL'], fullName: 'Ana' })
  const details = expectError(asked, 400, 'MISSING_MANDATORY_USER_INFO')
  assert.deepEqual(
    items(details['errors']).map(({ field }) => text(field)),
    ['birthDate', 'nationality'],
  )
  expectStatus(await post({ fullName: 'Ana' }), 201)

  const domain = expectStatus(await p.api.get('/config'), 200).umaDomain
  const ana = await createCustomer(p, { umaAddress: `$Ana@${domain}` })
  assert.equal(ana.umaAddress, `$ana@${domain}`)
  expectError(await post({ umaAddress: `$Ana@${domain}` }), 409, 'UMA_ADDRESS_EXISTS')
  expectError(await post({ umaAddress: `ana@${domain}` }), 400, 'INVALID_UMA_ADDRESS')

  await createCustomer(p, { platformCustomerId: 'p1' })
  expectError(await post({ platformCustomerId: 'p1' }), 409, 'CONFLICT')
  await createCustomer(p, { platformCustomerId: 'p1', umaAddress: `$second@${domain}` })
  const list = await p.api.get('/customers', { query: { platformCustomerId: 'p1' } })
  assert.equal(expectStatus(list, 200).data.length, 2)
})

test('scenarios 11 and 12: two contact channels, and a code that expires', async () => {
  const p = await kit.platform({ kind: 'UNREGULATED' })
  const contact = { region: 'DE', email: 'eva@example.com' }
  const incomplete = { customerType: 'INDIVIDUAL', ...contact }
  expectFields(await p.api.post('/customers', incomplete), ['phoneNumber'])
  const customer = await createCustomer(p, { ...contact, phoneNumber: '+4930123456' })
  assert.deepEqual(customer.contactVerification, { email: 'PENDING', phone: 'PENDING' })
  const path = `/customers/${customer.id}` as const
  expectStatus(await p.api.post(`${path}/verify-email`), 204)
  const wrong = await p.api.post(`${path}/verify-email/confirm`, { code: '999999' })
  assert.equal(expectError(wrong, 400, 'INVALID_INPUT')['attemptsLeft'], 4)
  await advance(p, 601)
  const late = await p.api.post(`${path}/verify-email/confirm`, { code: '123456' })
  assert.equal(expectError(late, 400, 'INVALID_INPUT')['reason'], 'EXPIRED_CODE')
  for (const channel of ['email', 'phone']) {
    expectStatus(await p.api.post(`${path}/verify-${channel}`), 204)
    const confirm = await p.api.post(`${path}/verify-${channel}/confirm`, { code: '123456' })
    assert.equal(expectStatus(confirm, 200)['contactVerification']?.[channel], 'VERIFIED')
  }
})

test('scenario 13: the terms are read, accepted, and shown on the customer', async () => {
  const p = await kit.platform({ kind: 'UNREGULATED' })
  const terms = expectStatus(await p.api.get('/customers/end-user-terms'), 200)
  const { pathname } = new URL(terms.url)
  assert.equal((await fetch(new URL(pathname, kit.baseUrl))).status, 200)
  const customer = await createCustomer(p)
  const accept = (termsVersion: string) =>
    p.api.patch(`/customers/${customer.id}`, {
      customerType: 'INDIVIDUAL',
      endUserTermsConsent: {
        acceptedAt: new Date().toISOString(),
        ipAddress: '192.0.2.1',
        termsVersion,
        acceptanceMethod: 'CHECKBOX',
      },
    })
  expectError(await accept('V0'), 400, 'END_USER_TERMS_VERSION_NOT_FOUND')
  const accepted = expectStatus(await accept(terms.version), 200)
  assert.equal(accepted.endUserTermsConsent?.termsVersion, 'V1')
})

test('scenario 14: a transfer under way keeps a customer from being deleted, whatever its balance', async () => {
  const platform = await kit.platform()
  const { customerId, account } = await payer(platform, { funded: 100 })
  const to = await payee(platform, 'USD_ACCOUNT', { suffix: '005' })
  const transfer = { source: { accountId: account }, destination: { accountId: to }, amount: 100 }
  expectStatus(await platform.api.post('/transfer-out', transfer), 201)
  const refused = await platform.api.delete(`/customers/${customerId}`)
  assert.equal(expectError(refused, 409, 'CONFLICT')['reason'], 'PAYMENT_UNDER_WAY')
})

test('scenario 14: money keeps a customer from being deleted, without it all is over', async () => {
  const p = await kit.platform({ kind: 'UNREGULATED', currencies: ['USD'] })
  const receiver = await openReceiver()
  const rich = await createCustomer(p)
  const [account] = await listAccounts(p, rich)
  const fund = `/sandbox/internal-accounts/${account?.id}/fund`
  expectStatus(await p.api.post(fund, { amount: 100 }), 200)
  const kept = expectError(await p.api.delete(`/customers/${rich.id}`), 409, 'CONFLICT')
  assert.equal(kept['reason'], 'BALANCE')
  const poor = await createCustomer(p)
  const wallet = await payee(p, 'USD_ACCOUNT', { customerId: poor.id })
  await connect(p, receiver)
  const path = `/customers/${poor.id}` as const
  assert.equal(expectStatus(await p.api.delete(path), 200).isDeleted, true)
  expectError(await p.api.delete(path), 410, 'CUSTOMER_DELETED')
  assert.equal(expectStatus(await p.api.get(path), 200).isDeleted, true)
  const ids = async (query: Record<string, boolean>): Promise<unknown[]> =>
    expectStatus(await p.api.get('/customers', { query }), 200).data.map(({ id }) => id)
  assert.deepEqual(await ids({}), [rich.id])
  assert.deepEqual(await ids({ isIncludingDeleted: true }), [poor.id, rich.id])
  const body = { customerType: 'INDIVIDUAL', fullName: 'Nobody' }
  expectError(await p.api.patch(path, body), 404, 'USER_NOT_FOUND')
  const from = await platformAccount(p, 'USD')
  expectError(await quote(p, { from, to: wallet, amount: 100 }), 404, 'USER_NOT_FOUND')
  expectStatus(await p.api.get(`/customers/external-accounts/${wallet}`), 200)
  await eventually(() => assert.deepEqual(receiver.types(), ['INTERNAL_ACCOUNT.STATUS_UPDATED']))
  assert.deepEqual(await listEvents(p, 'CUSTOMER.KYC_APPROVED'), [])
})
