/** The acceptance scenarios of chapter 11, with the webhooks as a platform receives them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Customer } from '../../../sdk/src/index.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  text,
  type HasId,
  type Shown,
} from '../kit/api.ts'
import { ABROAD, createOwner, ownerBody } from '../kit/onboarding/beneficial-owners.ts'
import { advance, connect, openReceiver } from '../kit/outside/connect-receiver.ts'
import { BUSINESS, createCustomer, readCustomer } from '../kit/customers.ts'
import {
  blurredPhoto,
  croppedPhoto,
  goodPhoto,
  goodPng,
  greyPhoto,
  pdf,
  type DocumentFile,
} from '../kit/onboarding/document-files.ts'
import { LICENSE, PASSPORT, sendForm, uploadDocument } from '../kit/onboarding/documents.ts'
import { eventually } from '../kit/eventually.ts'
import { startKit, type TestPlatform } from '../kit/florin.ts'
import { createKycLink } from '../kit/onboarding/kyc-links.ts'
import { operate } from '../kit/operator.ts'
import type { Receiver } from '../kit/outside/receiver.ts'
import {
  BUSINESS_PAPERS,
  businessData,
  completeBusiness,
  completePerson,
  CONTROLLING,
  currentVerification,
  errorsOf,
  ownerStatuses,
  PERSON_DATA,
  submit,
  submitted,
  uploadPaper,
} from '../kit/onboarding/verification.ts'

const kit = await startKit()

const open = (kind: 'REGULATED' | 'UNREGULATED' = 'UNREGULATED') => kit.platform({ kind })

async function listening(): Promise<Readonly<{ platform: TestPlatform; receiver: Receiver }>> {
  const [platform, receiver] = [await open(), await openReceiver()]
  await connect(platform, receiver)
  return { platform, receiver }
}

/** Events of different resources may overtake each other on their way; in which order they were written is VER-32. */
const emitted = (receiver: Receiver, types: readonly string[]): Promise<void> =>
  eventually(() => assert.deepEqual(receiver.types().toSorted(), types.toSorted()))

const patch = async ({ api }: TestPlatform, { id, customerType }: Shown<Customer>, body: object) =>
  expectStatus(await api.patch(`/customers/${id}`, { customerType, ...body }), 200)

const documentsOf = async ({ api }: TestPlatform, { id }: HasId) => {
  const answer = await api.get('/documents', { query: { documentHolder: id } })
  return expectStatus(answer, 200).data
}

test('scenario 1: FULL, ordinary name', async () => {
  const { platform, receiver } = await listening()
  const customer = await createCustomer(platform, { fullName: 'Maria Lopez' })
  assert.equal(customer.kycStatus, 'UNVERIFIED')
  const first = await submitted(platform, customer)
  assert.equal(first.verificationStatus, 'RESOLVE_ERRORS')
  assert.equal(errorsOf(first).filter((error) => error.startsWith('MISSING_FIELD')).length, 5)
  assert.ok(errorsOf(first).includes('MISSING_IDENTITY_DOCUMENT'))
  await patch(platform, customer, PERSON_DATA)
  await uploadDocument(platform, { documentHolder: customer.id })
  const second = await submitted(platform, customer)
  assert.equal(second.id, first.id)
  assert.equal(second.verificationStatus, 'APPROVED')
  assert.deepEqual(second.errors, [])
  assert.equal((await readCustomer(platform, customer)).kycStatus, 'APPROVED')
  await emitted(receiver, [
    'VERIFICATION.RESOLVE_ERRORS',
    'VERIFICATION.IN_PROGRESS',
    'CUSTOMER.KYC_PENDING',
    'VERIFICATION.APPROVED',
    'CUSTOMER.KYC_APPROVED',
  ])
  expectError(await submit(platform, customer), 400, 'INVALID_INPUT')
  assert.ok(!receiver.deliveries.some(({ raw }) => raw.includes(PERSON_DATA.identifier)))
})

test('scenario 2: FULL 001, decided by the operator', async () => {
  const { platform, receiver } = await listening()
  const customer = await completePerson(platform, { fullName: 'Maria 001' })
  const verification = await submitted(platform, customer)
  assert.equal(verification.verificationStatus, 'PENDING_MANUAL_REVIEW')
  assert.deepEqual(await submitted(platform, customer), verification)
  await operate(kit, `review approve ${verification.id}`)
  assert.equal((await readCustomer(platform, customer)).kycStatus, 'APPROVED')
  await emitted(receiver, [
    'VERIFICATION.IN_PROGRESS',
    'CUSTOMER.KYC_PENDING',
    'VERIFICATION.PENDING_MANUAL_REVIEW',
    'VERIFICATION.APPROVED',
    'CUSTOMER.KYC_APPROVED',
  ])
})

test('scenarios 3 and 4: FULL 002 is rejected for good, 003 is asked again', async () => {
  const platform = await open()
  const rejected = await completePerson(platform, { fullName: 'Sam 002' })
  assert.deepEqual(errorsOf(await submitted(platform, rejected)), ['APPLICANT_REJECTED'])
  expectError(await submit(platform, rejected), 400, 'INVALID_INPUT')
  const renamed = await patch(platform, rejected, { fullName: 'Sam Poe' })
  assert.equal(renamed.kycStatus, 'REJECTED')
  const poor = await completePerson(platform, { fullName: 'Sam 003' })
  const [error] = (await submitted(platform, poor)).errors
  assert.equal(error?.type, 'POOR_QUALITY_DOCUMENT')
  assert.equal(error.resourceId, (await documentsOf(platform, poor))[0]?.id)
  await patch(platform, poor, { fullName: 'Sam Poe' })
  assert.equal((await submitted(platform, poor)).verificationStatus, 'APPROVED')
})

test('scenario 5: LIGHT', async () => {
  const platform = await open('REGULATED')
  for (const [fullName, status, answer] of [
    ['A B 001', 'PENDING', 200],
    ['A B 002', 'REJECTED', 400],
    ['A B 003', 'UNVERIFIED', 200],
    ['A B', 'APPROVED', 400],
  ] as const) {
    const customer = await createCustomer(platform, { fullName })
    assert.equal(customer.kycStatus, status)
    const body = expectStatus(await submit(platform, customer), answer)
    if (answer === 200) assert.equal(body.verificationStatus, 'RESOLVE_ERRORS')
  }
})

test('scenario 6: a driving licence has two sides', async () => {
  const platform = await open()
  const customer = await createCustomer(platform, PERSON_DATA)
  const fields = { ...LICENSE, documentHolder: customer.id }
  expectFields(
    await sendForm(platform.api, { fields: { ...fields, side: undefined }, file: pdf() }),
    ['side'],
  )
  const front = await uploadDocument(platform, fields)
  const [error] = (await submitted(platform, customer)).errors
  assert.equal(error?.type, 'INCOMPLETE_DOCUMENT')
  assert.equal(error.resourceId, front.id)
  await uploadDocument(platform, { ...fields, side: 'BACK' })
  assert.equal((await submitted(platform, customer)).verificationStatus, 'APPROVED')
})

test('scenarios 7 and 8: photo checks and upload limits', async () => {
  const platform = await open()
  const customer = await createCustomer(platform)
  const passport = { ...PASSPORT, documentHolder: customer.id }
  const upload = (file: DocumentFile, fields: object = passport) =>
    sendForm(platform.api, { fields: fields as Record<string, unknown>, file })
  for (const [file, reason] of [
    [await blurredPhoto(), 'OUT_OF_FOCUS'],
    [await greyPhoto(), 'NOT_IN_COLOR'],
    [await croppedPhoto(), 'CORNERS_NOT_VISIBLE'],
    [{ ...(await goodPng()), name: 'id-low-quality.png' }, 'RESOLUTION_TOO_LOW'],
  ] as const) {
    const details = expectError(await upload(file), 422, 'DOCUMENT_REJECTED')
    assert.deepEqual(details['reasons'], [reason])
  }
  assert.deepEqual(await documentsOf(platform, customer), [])
  expectStatus(await upload(pdf({ bytes: 10_485_760 })), 201)
  expectError(await upload(pdf({ bytes: 10_485_761 })), 413, 'PAYLOAD_TOO_LARGE')
  const gif = { bytes: Buffer.from('GIF89a……'), type: 'image/gif', name: 'x.gif' }
  expectFields(await upload(gif), ['file'])
  const bare = { documentHolder: customer.id, documentType: 'PASSPORT', country: 'US' }
  expectFields(await upload(await goodPhoto(), bare), ['documentNumber', 'issuingAuthority'])
})

test('scenario 9: KYB LIGHT', async () => {
  const platform = await open('REGULATED')
  for (const [number, status] of [
    ['5523041', 'APPROVED'],
    ['5523002', 'REJECTED'],
    ['5523003', 'RESOLVE_ERRORS'],
  ] as const) {
    const { businessInfo } = businessData(number)
    const customer = await createCustomer(platform, { customerType: 'BUSINESS', businessInfo })
    assert.equal((await submitted(platform, customer)).verificationStatus, status)
  }
})

test('scenario 10: KYB FULL', async () => {
  const platform = await open()
  const businessInfo = { ...BUSINESS.businessInfo, registrationNumber: '5523041' }
  const customer = await createCustomer(platform, { ...BUSINESS, businessInfo })
  assert.deepEqual(errorsOf(await submitted(platform, customer)), [
    'MISSING_FIELD businessInfo.entityType',
    'MISSING_FIELD businessInfo.countriesOfOperation',
    'MISSING_FIELD address',
    'MISSING_LEGAL_PRESENCE_DOCUMENT',
    'MISSING_CONTROL_STRUCTURE_DOCUMENT',
    'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT',
    'MISSING_PROOF_OF_ADDRESS_DOCUMENT',
    'MISSING_BENEFICIAL_OWNER',
    'MISSING_CONTROL_PERSON',
  ])
  const { address, businessInfo: complete } = businessData()
  await patch(platform, customer, { address, businessInfo: complete })
  for (const documentType of BUSINESS_PAPERS)
    await uploadPaper(platform, customer, { documentType })
  await createOwner(platform, customer.id, CONTROLLING)
  for (const lastName of ['Poe001', 'Poe002']) {
    await createOwner(platform, customer.id, { personalInfo: { lastName } })
  }
  assert.equal((await submitted(platform, customer)).verificationStatus, 'APPROVED')
  assert.deepEqual(await ownerStatuses(platform, customer), ['APPROVED', 'PENDING', 'REJECTED'])
})

test('scenario 11: KYB 003, returned, replaced and approved by the operator', async () => {
  const { platform, receiver } = await listening()
  const customer = await completeBusiness(platform, '5523003')
  const verification = await submitted(platform, customer)
  assert.equal(verification.verificationStatus, 'IN_PROGRESS')
  assert.equal((await readCustomer(platform, customer)).kybStatus, 'PENDING')
  assert.deepEqual(await ownerStatuses(platform, customer), ['PENDING'])
  await emitted(receiver, ['VERIFICATION.IN_PROGRESS', 'CUSTOMER.KYB_PENDING'])
  const document = (await documentsOf(platform, customer)).at(-1)
  const entry = { type: 'INVALID_DOCUMENT', resourceId: document?.id }
  await operate(kit, `review return ${verification.id}`, '--error', JSON.stringify(entry))
  assert.equal((await readCustomer(platform, customer)).kybStatus, 'UNVERIFIED')
  assert.deepEqual(errorsOf(await submitted(platform, customer)), ['INVALID_DOCUMENT'])
  const fields = { documentType: document?.documentType, country: 'US' }
  const path = `/documents/${document?.id}` as const
  expectStatus(await sendForm(platform.api, { method: 'PUT', path, fields, file: pdf() }), 200)
  assert.equal((await submitted(platform, customer)).verificationStatus, 'IN_PROGRESS')
  await operate(kit, `review approve ${customer.id}`)
  assert.equal((await readCustomer(platform, customer)).kybStatus, 'APPROVED')
  await emitted(receiver, [
    'VERIFICATION.IN_PROGRESS',
    'CUSTOMER.KYB_PENDING',
    'VERIFICATION.RESOLVE_ERRORS',
    'VERIFICATION.RESOLVE_ERRORS',
    'VERIFICATION.IN_PROGRESS',
    'CUSTOMER.KYB_PENDING',
    'VERIFICATION.APPROVED',
    'CUSTOMER.KYB_APPROVED',
  ])
})

test('scenarios 12 and 13: owners, and an owner from abroad', async () => {
  const platform = await open()
  const customer = await completeBusiness(platform)
  const register = (overrides: Parameters<typeof ownerBody>[1]) =>
    platform.api.post('/beneficial-owners', ownerBody(customer.id, overrides))
  expectFields(await register({ ownershipPercentage: 50 }), ['ownershipPercentage'])
  expectFields(await register({ roles: ['CONTROL_PERSON'] }), ['roles'])
  const abroad = await createOwner(platform, customer.id, {
    ownershipPercentage: 30,
    personalInfo: ABROAD,
  })
  const email = { personalInfo: { email: 'a@example.com' } }
  const changed = await platform.api.patch(`/beneficial-owners/${abroad.id}`, email)
  const { personalInfo } = expectStatus(changed, 200)
  assert.deepEqual(personalInfo, { ...abroad.personalInfo, ...email.personalInfo })
  const errors = (await submitted(platform, customer)).errors
  assert.deepEqual(
    errors.map(({ resourceId, acceptedDocumentTypes }) => [resourceId, acceptedDocumentTypes]),
    [
      [abroad.id, ['PASSPORT']],
      [abroad.id, ['DRIVERS_LICENSE', 'NATIONAL_ID']],
    ],
  )
  for (const fields of [PASSPORT, LICENSE, { ...LICENSE, side: 'BACK' }]) {
    await uploadPaper(platform, abroad, fields)
  }
  assert.equal((await submitted(platform, customer)).verificationStatus, 'APPROVED')
})

test('scenario 14: the hosted flow', async () => {
  const { platform, receiver } = await listening()
  const customer = await createCustomer(platform, { fullName: 'Maria Lopez' })
  const earlier = await createKycLink(kit, platform, customer)
  const redirectUri = 'https://example.com/done'
  const link = await createKycLink(kit, platform, customer, { redirectUri })
  assert.equal((await fetch(link.url)).status, 200)
  const state = expectStatus(await link.api.get('/state'), 200)
  assert.equal(items(state['requirements']).length, 6)
  const { fullName: _known, ...missing } = PERSON_DATA
  const filled = expectStatus(await link.api.patch('/customer', missing), 200)
  assert.equal(items(filled['requirements']).length, 1)
  expectStatus(await sendForm(link.api, { fields: PASSPORT, file: await goodPhoto() }), 201)
  const sent = expectStatus(await link.api.post('/submit'), 200)
  assert.deepEqual(sent, { verificationStatus: 'APPROVED', errors: [], redirectUri })
  assert.equal((await readCustomer(platform, customer)).kycStatus, 'APPROVED')
  assert.equal((await fetch(link.url)).status, 410)
  const page = await fetch(earlier.url)
  assert.equal(page.status, 200)
  assert.doesNotMatch(await page.text(), /<input|<select/)
  const nothing = expectStatus(await earlier.api.get('/state'), 200)
  assert.deepEqual(nothing['requirements'], [])
  await emitted(receiver, [
    'VERIFICATION.IN_PROGRESS',
    'CUSTOMER.KYC_PENDING',
    'VERIFICATION.APPROVED',
    'CUSTOMER.KYC_APPROVED',
  ])
})

test('scenario 15: a link expires', async () => {
  const platform = await open()
  const customer = await createCustomer(platform, { fullName: 'Maria Lopez' })
  const link = await createKycLink(kit, platform, customer)
  await advance(platform, 86_401)
  expectError(await link.api.get('/state'), 410, 'KYC_LINK_EXPIRED')
  assert.equal((await fetch(link.url)).status, 410)
  const next = await createKycLink(kit, platform, customer)
  expectStatus(await next.api.get('/state'), 200)
})

test('scenario 16: an approved customer on hold', async () => {
  const { platform, receiver } = await listening()
  const customer = await completePerson(platform)
  await submitted(platform, customer)
  const entry = JSON.stringify({ type: 'INVALID_FIELD', field: 'address' })
  const held = await operate(kit, `review hold ${customer.id}`, '--error', entry)
  assert.equal(held['customer']?.['kycStatus'], 'HOLD')
  assert.equal(held['verification']?.['verificationStatus'], 'RESOLVE_ERRORS')
  await patch(platform, customer, { address: { ...PERSON_DATA.address, line1: '9 Elm St' } })
  const again = await submitted(platform, customer)
  assert.equal(again.id, held['verification']?.['id'])
  assert.equal(again.verificationStatus, 'PENDING_MANUAL_REVIEW')
  assert.equal((await readCustomer(platform, customer)).kycStatus, 'PENDING')
  await operate(kit, `review approve ${again.id}`)
  assert.equal((await readCustomer(platform, customer)).kycStatus, 'APPROVED')
  await eventually(() => assert.equal(receiver.ofType('CUSTOMER.KYC_APPROVED').length, 2))
  const last = receiver.ofType('CUSTOMER.KYC_APPROVED').at(-1)?.event.data
  assert.equal(last?.['kycStatus'], 'APPROVED')
})

test('scenario 17: what was decided upon stays', async () => {
  const platform = await open()
  const customer = await createCustomer(platform, PERSON_DATA)
  const passport = await uploadPaper(platform, customer)
  await submitted(platform, customer)
  expectError(await platform.api.delete(`/documents/${passport.id}`), 409, 'CONFLICT')
  const other = await uploadPaper(platform, customer, { documentType: 'OTHER' })
  expectStatus(await platform.api.delete(`/documents/${other.id}`), 204)
})

test('scenario 18: another platform sees nothing of it', async () => {
  const [platform, other] = [await open(), await open()]
  const customer = await completeBusiness(platform)
  const verification = await submitted(platform, customer)
  const [owner] = items((await readCustomer(platform, customer)).beneficialOwners)
  const [document] = await documentsOf(platform, customer)
  for (const path of [
    `/verifications/${verification.id}`,
    `/beneficial-owners/${owner?.id}`,
    `/documents/${document?.id}`,
  ]) {
    expectError(await other.api.get(path), 404, 'REFERENCE_NOT_FOUND')
  }
  expectError(await submit(other, customer), 404, 'USER_NOT_FOUND')
  const registered = await other.api.post('/beneficial-owners', ownerBody(customer.id))
  expectError(registered, 404, 'USER_NOT_FOUND')
  for (const [holder, code] of [
    [customer, 'USER_NOT_FOUND'],
    [owner, 'REFERENCE_NOT_FOUND'],
  ] as const) {
    const fields = { ...PASSPORT, documentHolder: text(holder?.id) }
    expectError(await sendForm(other.api, { fields, file: pdf() }), 404, code)
  }
})

test('scenario 19: only a US person gives a US number', async () => {
  const platform = await open()
  const { idType: _type, identifier: _number, ...person } = PERSON_DATA
  const apply = async (data: object) => {
    const customer = await createCustomer(platform, { ...person, nationality: 'DE', ...data })
    await uploadPaper(platform, customer)
    return submitted(platform, customer)
  }
  const address = { line1: 'Unter den Linden 1', postalCode: '10117', country: 'DE' }
  assert.equal((await apply({ address })).verificationStatus, 'APPROVED')
  assert.deepEqual(errorsOf(await apply({})), ['MISSING_FIELD idType', 'MISSING_FIELD identifier'])
})

test('scenario 20: an owner after the approval, from the platform to the reviewer and back', async () => {
  const { platform, receiver } = await listening()
  const business = await completeBusiness(platform)
  await submitted(platform, business)
  const before = [
    'VERIFICATION.IN_PROGRESS',
    'CUSTOMER.KYB_PENDING',
    'VERIFICATION.APPROVED',
    'CUSTOMER.KYB_APPROVED',
  ]
  await emitted(receiver, before)
  const overrides = { ownershipPercentage: 40, personalInfo: ABROAD }
  const owner = await createOwner(platform, business.id, overrides)
  assert.equal(owner.kycStatus, 'UNVERIFIED')
  const opened = await currentVerification(platform, business)
  assert.equal(opened.verificationStatus, 'RESOLVE_ERRORS')
  assert.deepEqual(
    opened.errors.map(({ type, resourceId }) => [type, resourceId]),
    Array.from({ length: 2 }, () => ['MISSING_IDENTITY_DOCUMENT', owner.id]),
  )
  await emitted(receiver, [...before, 'VERIFICATION.RESOLVE_ERRORS'])
  const [event] = receiver.ofType('VERIFICATION.RESOLVE_ERRORS')
  assert.deepEqual(event?.event.data, opened)
  assert.equal((await readCustomer(platform, business)).kybStatus, 'APPROVED')
  expectError(await submit(platform, business), 400, 'INVALID_INPUT')
  const card = { ...PASSPORT, documentType: 'NATIONAL_ID', side: 'FRONT' }
  for (const fields of [PASSPORT, card, { ...card, side: 'BACK' }]) {
    await uploadPaper(platform, owner, fields)
  }
  const complete = await currentVerification(platform, business)
  assert.equal(complete.id, opened.id)
  assert.equal(complete.verificationStatus, 'PENDING_MANUAL_REVIEW')
  const [line] = items(await operate(kit, 'review list', '--platform', platform.platformId))
  assert.deepEqual(line?.['ownerIds'], [owner.id])
  await operate(kit, `review approve ${complete.id}`)
  assert.deepEqual(await ownerStatuses(platform, business), ['APPROVED', 'APPROVED'])
  await emitted(receiver, [
    ...before,
    'VERIFICATION.RESOLVE_ERRORS',
    'VERIFICATION.RESOLVE_ERRORS',
    'VERIFICATION.RESOLVE_ERRORS',
    'VERIFICATION.PENDING_MANUAL_REVIEW',
    'VERIFICATION.APPROVED',
  ])
})

test('scenario 21: an owner during the review', async () => {
  const platform = await open()
  const business = await completeBusiness(platform, '5523003')
  const packet = await submitted(platform, business)
  const owner = await createOwner(platform, business.id, { ownershipPercentage: 30 })
  assert.equal(owner.kycStatus, 'UNVERIFIED')
  const [line] = items(await operate(kit, 'review list', '--platform', platform.platformId))
  assert.deepEqual(line?.['ownerIds'], [owner.id])
  await operate(kit, `review approve ${business.id}`)
  assert.equal((await readCustomer(platform, business)).kybStatus, 'APPROVED')
  assert.deepEqual(await ownerStatuses(platform, business), ['APPROVED', 'UNVERIFIED'])
  const opened = await currentVerification(platform, business)
  assert.notEqual(opened.id, packet.id)
  assert.equal(opened.verificationStatus, 'PENDING_MANUAL_REVIEW')
})
