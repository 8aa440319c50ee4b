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
import { createOwner } from '../../../test/kit/onboarding/beneficial-owners.ts'
import { advance } from '../../../test/kit/outside/connect-receiver.ts'
import { createCustomer, listEvents, readCustomer } from '../../../test/kit/customers.ts'
import { LICENSE, sendForm } from '../../../test/kit/onboarding/documents.ts'
import { pdf } from '../../../test/kit/onboarding/document-files.ts'
import { startKit, type TestPlatform } from '../../../test/kit/florin.ts'
import {
  businessData,
  completeBusiness,
  completePerson,
  errorsOf,
  ownerStatuses,
  PERSON_DATA,
  submit,
  submitted,
  eventTypes,
  uploadPaper,
} from '../../../test/kit/onboarding/verification.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { newUuid } from '../../kernel/ids.ts'

const kit = await startKit()
const full = await kit.platform({ kind: 'UNREGULATED' })
const light = await kit.platform({ kind: 'REGULATED' })

const newFull = (): Promise<TestPlatform> => kit.platform({ kind: 'UNREGULATED' })
const newLight = (): Promise<TestPlatform> => kit.platform({ kind: 'REGULATED' })

async function statusOf(platform: TestPlatform, customer: HasId): Promise<unknown> {
  const { kycStatus, kybStatus } = await readCustomer(platform, customer)
  return kycStatus ?? kybStatus
}

const FINAL = 400

type Outcome = readonly [status: string | number, customer: string]

/** Mode, ending, status at creation, what an incomplete and a complete submission lead to, and one more (4.1). */
const INDIVIDUALS: readonly (readonly [string, string, string, Outcome, Outcome, Outcome])[] = [
  [
    'FULL',
    '001',
    'UNVERIFIED',
    ['RESOLVE_ERRORS', 'UNVERIFIED'],
    ['PENDING_MANUAL_REVIEW', 'PENDING'],
    ['PENDING_MANUAL_REVIEW', 'PENDING'],
  ],
  [
    'FULL',
    '002',
    'UNVERIFIED',
    ['RESOLVE_ERRORS', 'UNVERIFIED'],
    ['REJECTED', 'REJECTED'],
    [FINAL, 'REJECTED'],
  ],
  [
    'FULL',
    '003',
    'UNVERIFIED',
    ['RESOLVE_ERRORS', 'UNVERIFIED'],
    ['RESOLVE_ERRORS', 'UNVERIFIED'],
    ['RESOLVE_ERRORS', 'UNVERIFIED'],
  ],
  [
    'FULL',
    'Lopez',
    'UNVERIFIED',
    ['RESOLVE_ERRORS', 'UNVERIFIED'],
    ['APPROVED', 'APPROVED'],
    [FINAL, 'APPROVED'],
  ],
  [
    'LIGHT',
    '001',
    'PENDING',
    ['RESOLVE_ERRORS', 'PENDING'],
    ['PENDING_MANUAL_REVIEW', 'PENDING'],
    ['PENDING_MANUAL_REVIEW', 'PENDING'],
  ],
  ['LIGHT', '002', 'REJECTED', [FINAL, 'REJECTED'], [FINAL, 'REJECTED'], [FINAL, 'REJECTED']],
  [
    'LIGHT',
    '003',
    'UNVERIFIED',
    ['RESOLVE_ERRORS', 'UNVERIFIED'],
    ['RESOLVE_ERRORS', 'UNVERIFIED'],
    ['RESOLVE_ERRORS', 'UNVERIFIED'],
  ],
  ['LIGHT', 'Lopez', 'APPROVED', [FINAL, 'APPROVED'], [FINAL, 'APPROVED'], [FINAL, 'APPROVED']],
]

async function outcomeOf(platform: TestPlatform, customer: HasId): Promise<Outcome> {
  const answer = await submit(platform, customer)
  const status = answer.status === 200 ? text(answer.body.verificationStatus) : answer.status
  return [status, text(await statusOf(platform, customer))]
}

for (const [mode, ending, born, incomplete, complete, again] of INDIVIDUALS) {
  test(`KYC-1 KYC-2 KYC-3 KYC-4 ${mode} ${ending}: born ${born}, then ${complete.join(' / ')}`, async () => {
    const platform = mode === 'FULL' ? full : light
    const fullName = `Maria ${ending}`
    const customer = await createCustomer(platform, { fullName })
    assert.equal(customer.kycStatus, born)
    const listed = await platform.api.get('/verifications', {
      query: { customerId: customer.id },
    })
    assert.deepEqual(expectStatus(listed, 200).data, [])
    assert.deepEqual(await outcomeOf(platform, customer), incomplete)
    const data = { customerType: 'INDIVIDUAL', ...PERSON_DATA, fullName }
    expectStatus(await platform.api.patch(`/customers/${customer.id}`, data), 200)
    await uploadPaper(platform, customer)
    assert.deepEqual(await outcomeOf(platform, customer), complete)
    assert.deepEqual(await outcomeOf(platform, customer), again)
  })
}

/** Mode, ending of the registration number, bare, and with everything (4.2). */
const BUSINESSES: readonly (readonly [string, string, Outcome, Outcome])[] = [
  ['FULL', '001', ['RESOLVE_ERRORS', 'UNVERIFIED'], ['IN_PROGRESS', 'PENDING']],
  ['FULL', '003', ['RESOLVE_ERRORS', 'UNVERIFIED'], ['IN_PROGRESS', 'PENDING']],
  ['FULL', '002', ['RESOLVE_ERRORS', 'UNVERIFIED'], ['REJECTED', 'REJECTED']],
  ['FULL', '041', ['RESOLVE_ERRORS', 'UNVERIFIED'], ['APPROVED', 'APPROVED']],
  ['LIGHT', '001', ['RESOLVE_ERRORS', 'UNVERIFIED'], ['IN_PROGRESS', 'PENDING']],
  ['LIGHT', '003', ['RESOLVE_ERRORS', 'UNVERIFIED'], ['IN_PROGRESS', 'PENDING']],
  ['LIGHT', '002', ['REJECTED', 'REJECTED'], ['REJECTED', 'REJECTED']],
  ['LIGHT', '041', ['APPROVED', 'APPROVED'], ['APPROVED', 'APPROVED']],
]

for (const [mode, ending, bare, complete] of BUSINESSES) {
  test(`KYB-1 KYB-2 KYB-3 KYB-4 ${mode} ${ending}: ${bare.join(' / ')}, complete ${complete.join(' / ')}`, async () => {
    const platform = mode === 'FULL' ? full : light
    const registrationNumber = `5523${ending}`
    const info = { ...businessData().businessInfo, registrationNumber }
    const { address: _address, ...rest } = businessData()
    const customer = await createCustomer(platform, { ...rest, businessInfo: info })
    assert.equal(customer.kybStatus, 'UNVERIFIED')
    assert.deepEqual(await outcomeOf(platform, customer), bare)
    const whole = await completeBusiness(platform, registrationNumber)
    assert.deepEqual(await outcomeOf(platform, whole), complete)
  })
}

test('KYB-2 a business without a registration number is treated as any other', async () => {
  const { businessInfo: info } = businessData()
  const { registrationNumber: _number, ...businessInfo } = info
  const customer = await createCustomer(light, { customerType: 'BUSINESS', businessInfo })
  assert.deepEqual(await outcomeOf(light, customer), ['APPROVED', 'APPROVED'])
})

test('KYC-3 skipping the paperwork makes an unregulated sandbox platform LIGHT', async () => {
  const platform = await kit.platform({ kind: 'UNREGULATED', skipVerificationPaperwork: true })
  const customer = await createCustomer(platform, { fullName: 'A B 002' })
  assert.equal(customer.kycStatus, 'REJECTED')
  assert.equal((await createCustomer(platform)).kycStatus, 'APPROVED')
})

test('VER-1 VER-2 the customer id is checked, and every outcome is a 200', async () => {
  for (const body of [
    {},
    { customerId: 5 },
    { customerId: 'x' },
    { customerId: `Quote:${newUuid()}` },
  ]) {
    expectFields(await full.api.post('/verifications', body), ['customerId'])
  }
  const unknown = { customerId: `Customer:${newUuid()}` }
  expectError(await full.api.post('/verifications', unknown), 404, 'USER_NOT_FOUND')
  const foreign = await createCustomer(light)
  expectError(await submit(full, foreign), 404, 'USER_NOT_FOUND')
  const deleted = await createCustomer(full)
  expectStatus(await full.api.delete(`/customers/${deleted.id}`), 200)
  expectError(await submit(full, deleted), 404, 'USER_NOT_FOUND')
})

test('VER-3 a decided customer is refused, and nothing is written', async () => {
  const platform = await newFull()
  const customer = await completePerson(platform, { fullName: 'Maria 002' })
  await submitted(platform, customer)
  const before = await eventTypes(platform)
  const details = expectError(await submit(platform, customer), 400, 'INVALID_INPUT')
  assert.deepEqual(details, { reason: 'VERIFICATION_FINAL', status: 'REJECTED' })
  assert.deepEqual(await eventTypes(platform), before)
})

test('VER-4 CONT-11 nothing is submitted before the contact channels are verified, unless it is final anyway', async () => {
  const contact = { region: 'DE', email: 'a@example.com', phoneNumber: '+491701234567' }
  const customer = await createCustomer(full, { ...PERSON_DATA, ...contact })
  const details = expectError(await submit(full, customer), 409, 'CONFLICT')
  assert.deepEqual(details, { reason: 'CONTACT_NOT_VERIFIED', channels: ['email', 'phone'] })
  const skipping = await kit.platform({ kind: 'UNREGULATED', skipVerificationPaperwork: true })
  const final = await createCustomer(skipping, { ...PERSON_DATA, ...contact })
  expectError(await submit(skipping, final), 400, 'INVALID_INPUT')
})

test('VER-5 KYC-5 every missing item comes in one answer, with what to do', async () => {
  const customer = await createCustomer(full, { fullName: 'Maria Lopez' })
  const verification = await submitted(full, customer)
  assert.deepEqual(errorsOf(verification), [
    'MISSING_FIELD birthDate',
    'MISSING_FIELD nationality',
    'MISSING_FIELD idType',
    'MISSING_FIELD identifier',
    'MISSING_FIELD address',
    'MISSING_IDENTITY_DOCUMENT',
  ])
  for (const error of verification.errors) {
    assert.equal(error.resourceId, customer.id)
    assert.ok(error.reason.length > 10)
  }
  const last = verification.errors.at(-1)
  assert.deepEqual(last?.acceptedDocumentTypes, ['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID'])
})

test('VER-6 a resubmission keeps id and creation', async () => {
  const customer = await createCustomer(full, PERSON_DATA)
  const first = await submitted(full, customer)
  await uploadPaper(full, customer)
  const second = await submitted(full, customer)
  assert.equal(second.id, first.id)
  assert.equal(second.createdAt, first.createdAt)
  assert.ok(text(second.updatedAt) > text(first.updatedAt))
  assert.equal(second.verificationStatus, 'APPROVED')
  assert.deepEqual(second.errors, [])
  const read = await full.api.get(`/verifications/${second.id}`)
  assert.deepEqual(expectStatus(read, 200), second)
})

test('VER-7 VER-33 under review a submission changes nothing and emits no event', async () => {
  const platform = await newFull()
  const customer = await completePerson(platform, { fullName: 'Maria 001' })
  const first = await submitted(platform, customer)
  const emitted = await eventTypes(platform)
  await advance(platform, 60)
  assert.deepEqual(await submitted(platform, customer), first)
  assert.deepEqual(await eventTypes(platform), emitted)
})

test('VER-8 racing submissions make one verification and one set of events', async () => {
  const platform = await newFull()
  for (const [name, outcome] of [
    ['Maria 001', 'PENDING_MANUAL_REVIEW'],
    ['Maria Lopez', 'APPROVED'],
  ] as const) {
    const customer = await completePerson(platform, { fullName: name })
    const before = (await eventTypes(platform)).length
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit(platform, customer)))
    const taken = answers.filter(({ status }) => status === 200)
    assert.equal(taken.length, outcome === 'APPROVED' ? 1 : 20)
    const ids = new Set(taken.map(({ body }) => body.id))
    assert.equal(ids.size, 1)
    const types = (await eventTypes(platform)).slice(before)
    assert.equal(types.length, new Set(types).size)
    assert.ok(types.includes(`VERIFICATION.${outcome}`))
  }
})

test('VER-8 racing submissions that lack something are one verification too', async () => {
  const customer = await createCustomer(full)
  const answers = await Promise.all(Array.from({ length: 20 }, () => submit(full, customer)))
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  for (const { body } of answers) assert.equal(body.verificationStatus, 'RESOLVE_ERRORS')
})

test('VER-10 CUST-55 no change of data changes a status', async () => {
  const rename = async (platform: TestPlatform, { id }: HasId, fullName: string) =>
    expectStatus(
      await platform.api.patch(`/customers/${id}`, { customerType: 'INDIVIDUAL', fullName }),
      200,
    ).kycStatus
  const rejected = await completePerson(full, { fullName: 'Sam 002' })
  await submitted(full, rejected)
  assert.equal(await rename(full, rejected, 'Sam Poe'), 'REJECTED')
  expectError(await submit(full, rejected), 400, 'INVALID_INPUT')
  const pending = await createCustomer(light, { fullName: 'Sam 001' })
  assert.equal(await rename(light, pending, 'Sam Poe'), 'PENDING')
})

test('VER-12 VER-14 the list is newest first, filtered, and shows the current verification of a customer', async () => {
  const platform = await newFull()
  const [first, second] = [await createCustomer(platform), await completePerson(platform)]
  const one = await submitted(platform, first)
  const two = await submitted(platform, second)
  const list = async (query: Record<string, string | number>) =>
    expectStatus(await platform.api.get('/verifications', { query }), 200)
  const ids = async (query: Record<string, string | number>) =>
    (await list(query)).data.map(({ id }) => id)
  assert.deepEqual(await ids({}), [two.id, one.id])
  assert.deepEqual(await ids({ verificationStatus: 'APPROVED' }), [two.id])
  assert.deepEqual(await ids({ verificationStatus: 'READY_FOR_VERIFICATION' }), [])
  const customerId = first.id
  assert.deepEqual(await ids({ customerId, verificationStatus: 'APPROVED' }), [])
  const { data, hasMore, totalCount, ...current } = await list({ customerId })
  assert.deepEqual(current, one)
  assert.deepEqual([data.length, hasMore, totalCount], [1, false, 1])
  const never = await createCustomer(platform)
  assert.deepEqual(await list({ customerId: never.id }), {
    data: [],
    hasMore: false,
    totalCount: 0,
  })
  const page = await list({ limit: 1 })
  const cursor = text(page.nextCursor)
  assert.deepEqual(await ids({ limit: 1, cursor }), [one.id])
  assert.equal((await list({})).verificationStatus, undefined)
  const query = (given: object) => ({ query: given as Record<string, string> })
  const get = (given: object) => platform.api.get('/verifications', query(given))
  expectFields(await get({ verificationStatus: 'DONE', customerId: 'x' }), [
    'verificationStatus',
    'customerId',
  ])
  expectError(await get({ customerId: `Customer:${newUuid()}` }), 404, 'USER_NOT_FOUND')
})

test('VER-13 in production the end of a name means nothing, and the operator decides', async () => {
  const platform = await kit.platform({ kind: 'UNREGULATED', environment: 'PRODUCTION' })
  const customer = await completePerson(platform, { fullName: 'Jane Doe 002' })
  assert.equal(customer.kycStatus, 'UNVERIFIED')
  assert.deepEqual(await outcomeOf(platform, customer), ['IN_PROGRESS', 'PENDING'])
  const business = await completeBusiness(platform, '5523002')
  assert.deepEqual(await outcomeOf(platform, business), ['IN_PROGRESS', 'PENDING'])
  const [owner] = items((await readCustomer(platform, business)).beneficialOwners)
  assert.equal(owner?.kycStatus, 'PENDING')
})

test('KYC-1 a regulated production platform verifies its customers itself', async () => {
  const platform = await kit.platform({ kind: 'REGULATED', environment: 'PRODUCTION' })
  const person = await createCustomer(platform, { fullName: 'Jane Doe 002' })
  assert.equal(person.kycStatus, 'APPROVED')
  const business = await createCustomer(platform, businessData())
  assert.equal(business.kybStatus, 'APPROVED')
  expectError(await submit(platform, person), 400, 'INVALID_INPUT')
  const owner = await createOwner(platform, business.id, {
    personalInfo: { lastName: 'Poe002' },
  })
  assert.equal(owner.kycStatus, 'APPROVED')
})

test('KYC-7 003 asks for a better copy of the newest identity document, again and again', async () => {
  const customer = await completePerson(full, { fullName: 'Maria 003' })
  const newest = await uploadPaper(full, customer, LICENSE)
  for (let n = 0; n < 2; n += 1) {
    const [error, ...rest] = (await submitted(full, customer)).errors
    assert.deepEqual(rest, [])
    assert.equal(error?.type, 'POOR_QUALITY_DOCUMENT')
    assert.equal(error.resourceId, newest.id)
    assert.deepEqual(error.acceptedDocumentTypes, ['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID'])
  }
  const named = { customerType: 'INDIVIDUAL', fullName: 'Maria Lopez' }
  expectStatus(await full.api.patch(`/customers/${customer.id}`, named), 200)
  assert.equal((await submitted(full, customer)).verificationStatus, 'APPROVED')
})

test('KYC-8 002 is rejected with one APPLICANT_REJECTED on the customer', async () => {
  const customer = await completePerson(full, { fullName: 'Maria 002' })
  const verification = await submitted(full, customer)
  const [error, ...rest] = verification.errors
  assert.equal(error?.type, 'APPLICANT_REJECTED')
  assert.equal(error.resourceId, customer.id)
  assert.deepEqual(rest, [])
})

test('KYB-5 the owners covered by the packet move with their business', async () => {
  const withOwners = async (registrationNumber: string) => {
    const business = await completeBusiness(full, registrationNumber)
    for (const lastName of ['Poe001', 'Poe002']) {
      await createOwner(full, business.id, { personalInfo: { lastName } })
    }
    return business
  }
  const waiting = await withOwners('1003')
  assert.deepEqual(await ownerStatuses(full, waiting), ['UNVERIFIED', 'UNVERIFIED', 'UNVERIFIED'])
  await submitted(full, waiting)
  assert.deepEqual(await ownerStatuses(full, waiting), ['PENDING', 'PENDING', 'PENDING'])
  for (const ending of ['041', '002']) {
    const decided = await withOwners(`1${ending}`)
    await submitted(full, decided)
    assert.deepEqual(await ownerStatuses(full, decided), ['APPROVED', 'PENDING', 'REJECTED'])
  }
})

test('KYB-5 VER-30 the event of a business shows its owners as they are then', async () => {
  const platform = await newFull()
  const business = await completeBusiness(platform)
  await submitted(platform, business)
  for (const [type, status] of [
    ['CUSTOMER.KYB_PENDING', 'PENDING'],
    ['CUSTOMER.KYB_APPROVED', 'APPROVED'],
  ] as const) {
    const [event] = await listEvents(platform, type)
    const data = event?.data
    assert.equal(data?.kybStatus, status)
    assert.equal(data.beneficialOwners[0]?.kycStatus, status)
    assert.equal(data.beneficialOwners[0].personalInfo.identifier, '***-**-6789')
  }
})

test('KYB-8 a proof of address older than three calendar months has expired', async () => {
  const platform = await newFull()
  const business = await completeBusiness(platform)
  await advance(platform, 93 * 86_400)
  const verification = await submitted(platform, business)
  const [error, ...rest] = verification.errors
  assert.deepEqual(rest, [])
  assert.equal(error?.type, 'EXPIRED_DOCUMENT')
  const path = `/documents/${error.resourceId}` as const
  const fields = { documentType: 'UTILITY_BILL', country: 'US' }
  expectStatus(await sendForm(platform.api, { method: 'PUT', path, fields, file: pdf() }), 200)
  assert.equal((await submitted(platform, business)).verificationStatus, 'APPROVED')
})

test('VER-31 VER-32 an approval at submission emits four events in order', async () => {
  for (const [platform, make, word] of [
    [await newFull(), completePerson, 'KYC'],
    [await newFull(), completeBusiness, 'KYB'],
    [await newLight(), completeBusiness, 'KYB'],
  ] as const) {
    const customer = await make(platform)
    await submitted(platform, customer)
    assert.deepEqual(await eventTypes(platform), [
      'VERIFICATION.IN_PROGRESS',
      `CUSTOMER.${word}_PENDING`,
      'VERIFICATION.APPROVED',
      `CUSTOMER.${word}_APPROVED`,
    ])
    const [approved] = await listEvents(platform, 'VERIFICATION.APPROVED')
    const [first] = await listEvents(platform, 'VERIFICATION.IN_PROGRESS')
    assert.equal(approved?.data.customerId, customer.id)
    assert.equal(first?.data.verificationStatus, 'IN_PROGRESS')
    assert.deepEqual(first.data.errors, [])
  }
})

test('VER-32 a pending customer emits no second pending event', async () => {
  const platform = await newLight()
  const customer = await completePerson(platform, { fullName: 'Maria 001' })
  await submitted(platform, customer)
  assert.deepEqual(await eventTypes(platform), [
    'CUSTOMER.KYC_PENDING',
    'VERIFICATION.IN_PROGRESS',
    'VERIFICATION.PENDING_MANUAL_REVIEW',
  ])
})

test('VER-31 each incomplete submission emits one event', async () => {
  const platform = await newFull()
  const customer = await createCustomer(platform)
  await submitted(platform, customer)
  await submitted(platform, customer)
  assert.deepEqual(await eventTypes(platform), [
    'VERIFICATION.RESOLVE_ERRORS',
    'VERIFICATION.RESOLVE_ERRORS',
  ])
})

test('CORE-41 a submission under a key is made once', async () => {
  const platform = await newFull()
  const customer = await completePerson(platform)
  const headers = { 'idempotency-key': newUuid() }
  const body = { customerId: customer.id }
  const first = expectStatus(await platform.api.post('/verifications', body, { headers }), 200)
  const again = await platform.api.post('/verifications', body, { headers })
  assert.deepEqual(expectStatus(again, 200), first)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
})

test('DOC-12 a document under review or decided on can be neither replaced nor deleted', async () => {
  const path = (document: HasId) => `/documents/${document.id}` as const
  for (const fullName of ['Maria 001', 'Maria 002', 'Maria Lopez']) {
    const customer = await createCustomer(full, { ...PERSON_DATA, fullName })
    const passport = await uploadPaper(full, customer)
    const { id: verificationId } = await submitted(full, customer)
    const replaced = await sendForm(full.api, {
      method: 'PUT',
      path: path(passport),
      fields: { documentType: 'OTHER', country: 'US' },
      file: pdf(),
    })
    assert.deepEqual(expectError(replaced, 409, 'CONFLICT'), { verificationId })
    const deleted = await full.api.delete(path(passport))
    assert.deepEqual(expectError(deleted, 409, 'CONFLICT'), { verificationId })
    const later = await uploadPaper(full, customer, { documentType: 'OTHER' })
    expectStatus(await full.api.delete(path(later)), 204)
  }
  const asked = await completePerson(full, { fullName: 'Maria 003' })
  const [error] = (await submitted(full, asked)).errors
  expectStatus(await full.api.delete(`/documents/${error?.resourceId}`), 204)
})

test('CORE-90 a snapshot is sealed', async () => {
  const customer = await completePerson(full, { identifier: '555-66-7777' })
  await submitted(full, customer)
  const rows = await kit.florin.deps.db.read.many(
    sql`select s::text from verification_snapshots s union all select v::text from verifications v
        union all select e::text from events e`,
  )
  const stored = JSON.stringify(rows)
  for (const form of ['555-66-7777', Buffer.from('555-66-7777').toString('hex')]) {
    assert.ok(!stored.includes(form))
  }
})
