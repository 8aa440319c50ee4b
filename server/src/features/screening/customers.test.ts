import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Customer } from '../../../../sdk/src/index.ts'
import { expectStatus, items, text, type HasId, type Shown } from '../../../test/kit/api.ts'
import {
  BUSINESS,
  createCustomer,
  listAccounts,
  readCustomer,
} from '../../../test/kit/customers.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { createOwner } from '../../../test/kit/onboarding/beneficial-owners.ts'
import {
  completePerson,
  currentVerification,
  submitted,
} from '../../../test/kit/onboarding/verification.ts'
import { operate } from '../../../test/kit/operator.ts'
import { eventTypesOf } from '../../../test/kit/payments.ts'
import {
  MATCH,
  screeningProvider,
  type Screener,
} from '../../../test/kit/setups/screening-provider.ts'

const kit = await startOwnKit()

type Setup = Screener & Readonly<{ platform: TestPlatform }>

async function setup(
  kind: 'REGULATED' | 'UNREGULATED' = 'REGULATED',
  ports = 'screening',
): Promise<Setup> {
  const platform = await kit.platform({ kind })
  return { platform, ...(await screeningProvider(kit, platform, { ports })) }
}

const statusesOf = async (platform: TestPlatform, customer: HasId): Promise<string[]> => {
  const accounts = await listAccounts(platform, customer)
  assert.ok(accounts.length > 0)
  return [...new Set(accounts.map(({ status }) => status))]
}

const reasonsOf = async ({ platformId }: TestPlatform, customer: HasId): Promise<string[]> => {
  const lines = items(await operate(kit, `review list --platform ${platformId}`))
  const line = lines.find(({ customerId }) => text(customerId) === customer.id)
  return line ? items(line['reasons']).map(text) : []
}

const patch = async ({ api }: TestPlatform, { id, customerType }: Shown<Customer>, body: object) =>
  expectStatus(await api.patch(`/customers/${id}`, { customerType, ...body }), 200)

test('PROV-100 a new customer is asked about, and nothing waits for the verdict', async () => {
  const { platform, ...screener } = await setup()
  const person = { fullName: 'Jane Doe', birthDate: '1980-05-06', nationality: 'FR' }
  const customer = await createCustomer(platform, person)
  assert.equal(customer.kycStatus, 'APPROVED')
  const order = await screener.orderOf(customer.id)
  assert.deepEqual([order['type'], order['subjectType']], ['SCREENING', 'PERSON'])
  const party = { type: 'INDIVIDUAL', name: 'Jane Doe', birthDate: '1980-05-06', nationality: 'FR' }
  assert.deepEqual(order['parties'], [party])
  assert.equal((await screener.decide(order, 'CLEAR'))['result'], 'APPLIED')
  assert.equal((await readCustomer(platform, customer)).kycStatus, 'APPROVED')
  assert.deepEqual(await reasonsOf(platform, customer), [])
})

test('PROV-100 another name, birth date, nationality or country is asked about, other fields are not', async () => {
  const { platform, ...screener } = await setup()
  const customer = await createCustomer(platform)
  const business = await createCustomer(platform, BUSINESS)
  await screener.orderOf(business.id)
  assert.equal(screener.countOf(customer.id), 0, 'nobody has no name')
  let count = 0
  for (const change of [
    { fullName: 'Jane Doe' },
    { birthDate: '1980-05-06' },
    { nationality: 'FR' },
    { address: { line1: '1 Rue', postalCode: '75001', country: 'FR' } },
  ]) {
    await patch(platform, customer, change)
    count += 1
    await eventually(() => assert.equal(screener.countOf(customer.id), count))
  }
  await patch(platform, customer, {
    address: { line1: '2 Rue', postalCode: '75001', country: 'FR' },
  })
  await patch(platform, business, { businessInfo: { registrationNumber: '4711' } })
  await eventually(() => assert.equal(screener.countOf(business.id), 2))
  const order = await screener.orderOf(business.id)
  assert.deepEqual(
    [order['subjectType'], order['parties']?.[0]?.['registrationNumber']],
    ['BUSINESS', '4711'],
  )
  assert.equal(screener.countOf(customer.id), count)
})

test('PROV-100 a changed name ends the question about the former one', async () => {
  const { platform, ...screener } = await setup()
  const customer = await createCustomer(platform, { fullName: 'Jane Doe' })
  const former = await screener.orderOf(customer.id)
  await patch(platform, customer, { fullName: 'Jane Roe' })
  await eventually(() => assert.equal(screener.countOf(customer.id), 2))
  await screener.decide(former, 'BLOCK', [MATCH])
  assert.equal((await readCustomer(platform, customer)).kycStatus, 'APPROVED')
  await screener.decide(customer.id, 'REVIEW', [MATCH])
  assert.equal((await readCustomer(platform, customer)).kycStatus, 'HOLD')
})

test('PROV-100 VER-24 REVIEW holds an approved customer, BLOCK freezes its accounts as well', async () => {
  const { platform, ...screener } = await setup()
  for (const [verdict, status] of [
    ['REVIEW', 'ACTIVE'],
    ['BLOCK', 'FROZEN'],
  ] as const) {
    const customer = await createCustomer(platform, { fullName: 'Jane Doe' })
    await screener.decide(customer.id, verdict, [MATCH])
    assert.equal((await readCustomer(platform, customer)).kycStatus, 'HOLD')
    assert.deepEqual(await statusesOf(platform, customer), [status])
    assert.deepEqual(await reasonsOf(platform, customer), ['SUBMITTED', `SCREENING_${verdict}`])
    const shown = JSON.stringify(await readCustomer(platform, customer))
    assert.ok(!shown.includes('OFAC'), 'PROV-107 platforms never see a match')
    const [account] = await listAccounts(platform, customer)
    const events = await eventTypesOf(platform, text(account?.id))
    assert.equal(events.includes('INTERNAL_ACCOUNT.STATUS_UPDATED'), verdict === 'BLOCK')
  }
})

test('PROV-100 what is under review is left to a person, whatever the identity check says', async () => {
  const { platform, ...screener } = await setup('UNREGULATED', 'screening,identity')
  const customer = await completePerson(platform)
  const verification = await submitted(platform, customer)
  assert.equal(verification.verificationStatus, 'IN_PROGRESS')
  const check = await eventually(() => {
    const { provider } = screener
    const found = provider.orders().find((one) => String(one['verificationId']) === verification.id)
    return found ?? assert.fail('the identity is checked')
  })
  await screener.decide(customer.id, 'REVIEW', [MATCH])
  const statusNow = async () => (await currentVerification(platform, customer)).verificationStatus
  assert.equal(await statusNow(), 'PENDING_MANUAL_REVIEW')
  await screener.provider.report(check, 1, { state: 'DECIDED', decision: 'APPROVED' })
  assert.equal(await statusNow(), 'PENDING_MANUAL_REVIEW')
  assert.equal((await readCustomer(platform, customer)).kycStatus, 'PENDING')
  await operate(kit, `review approve ${customer.id}`)
  assert.equal((await readCustomer(platform, customer)).kycStatus, 'APPROVED')
  assert.deepEqual(await reasonsOf(platform, customer), [])
})

test('PROV-100 an unverified customer is on the review list, and a submission is not approved by itself', async () => {
  const { platform, ...screener } = await setup('UNREGULATED')
  const customer = await completePerson(platform)
  await screener.decide(customer.id, 'BLOCK', [MATCH])
  assert.equal((await readCustomer(platform, customer)).kycStatus, 'UNVERIFIED')
  assert.deepEqual(await reasonsOf(platform, customer), ['SCREENING_BLOCK'])
  assert.deepEqual(await statusesOf(platform, customer), ['FROZEN'])
  const { verificationStatus } = await submitted(platform, customer)
  assert.equal(verificationStatus, 'PENDING_MANUAL_REVIEW')
})

test('PROV-101 what is found about an owner holds its business', async () => {
  const { platform, ...screener } = await setup()
  const business = await createCustomer(platform, BUSINESS)
  const owner = await createOwner(platform, business.id)
  const order = await screener.orderOf(owner.id)
  assert.equal(order['subjectType'], 'PERSON')
  assert.ok(!JSON.stringify(order).includes('identifier'))
  await screener.decide(order, 'BLOCK', [MATCH])
  assert.deepEqual(await statusesOf(platform, business), ['FROZEN'])
  assert.ok((await reasonsOf(platform, business)).includes('SCREENING_BLOCK'))
  const before = screener.countOf(owner.id)
  const path = `/beneficial-owners/${owner.id}`
  expectStatus(await platform.api.patch(path, { personalInfo: { lastName: 'Roe' } }), 200)
  await eventually(() => assert.equal(screener.countOf(owner.id), before + 1))
  const email = { personalInfo: { email: 'roe@example.com' } }
  expectStatus(await platform.api.patch(path, email), 200)
  const file = await operate(kit, `review show ${business.id}`)
  assert.deepEqual(file['screenings']?.[0]?.['matches'], [MATCH])
  assert.equal(file['flags']?.[0]?.['subject'], owner.id)
  assert.equal(screener.countOf(owner.id), before + 1)
})

test('PROV-107 a block is undone only with a note, and a later CLEAR says so on the review list', async () => {
  const { platform, ...screener } = await setup()
  const customer = await createCustomer(platform, { fullName: 'Jane Doe' })
  await screener.decide(customer.id, 'BLOCK', [MATCH])
  await patch(platform, customer, { fullName: 'Jane A. Doe' })
  await eventually(() => assert.equal(screener.countOf(customer.id), 2))
  await screener.decide(customer.id, 'CLEAR')
  assert.equal((await readCustomer(platform, customer)).kycStatus, 'HOLD')
  const reasons = ['SUBMITTED', 'SCREENING_BLOCK', 'SCREENING_CLEAR']
  assert.deepEqual(await reasonsOf(platform, customer), reasons)
  const noNote = { code: 'INVALID_INPUT' }
  await assert.rejects(operate(kit, `review release ${customer.id}`), noNote)
  await assert.rejects(operate(kit, `review approve ${customer.id}`), noNote)
  const [account] = await listAccounts(platform, customer)
  await assert.rejects(operate(kit, `accounts unfreeze ${account?.id}`), noNote)
  const note = ['--note', 'another person'] as const
  await operate(kit, `review release ${customer.id}`, ...note)
  assert.equal((await readCustomer(platform, customer)).kycStatus, 'APPROVED')
  assert.deepEqual(await reasonsOf(platform, customer), [])
  await assert.rejects(operate(kit, `accounts unfreeze ${account?.id}`), noNote)
  await operate(kit, `accounts unfreeze ${account?.id}`, ...note)
  const [entry] = items(await operate(kit, 'audit list --limit 1'))
  assert.equal(entry?.['note'], 'another person')
  const found = items(await operate(kit, `screening show ${customer.id}`))
  assert.deepEqual(
    found.map(({ verdict }) => verdict),
    ['CLEAR', 'BLOCK'],
  )
})

test('PROV-100 a verdict about a deleted customer changes nothing', async () => {
  const { platform, ...screener } = await setup()
  const customer = await createCustomer(platform, { fullName: 'Jane Doe' })
  const order = await screener.orderOf(customer.id)
  expectStatus(await platform.api.delete(`/customers/${customer.id}`), 200)
  assert.equal((await screener.decide(order, 'BLOCK', [MATCH]))['result'], 'APPLIED')
  assert.deepEqual(await reasonsOf(platform, customer), [])
})
