import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Customer, Verification } from '../../../../../sdk/src/index.ts'
import {
  expectError,
  expectStatus,
  items,
  text,
  type Body,
  type HasId,
  type Shown,
} from '../../../../test/kit/api.ts'
import {
  ABROAD,
  createOwner,
  type OwnerOverrides,
} from '../../../../test/kit/onboarding/beneficial-owners.ts'
import { createCustomer, listEvents, readCustomer } from '../../../../test/kit/customers.ts'
import { pdf } from '../../../../test/kit/onboarding/document-files.ts'
import { LICENSE, PASSPORT, sendForm } from '../../../../test/kit/onboarding/documents.ts'
import { startKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  businessData,
  completeBusiness,
  currentVerification,
  errorsOf,
  ownerStatuses,
  submit,
  submitted,
  eventTypes,
  uploadPaper,
} from '../../../../test/kit/onboarding/verification.ts'

const kit = await startKit()
const newPlatform = (): Promise<TestPlatform> => kit.platform({ kind: 'UNREGULATED' })
const platform = await newPlatform()

/** What a decision prints. */
type Reviewed = Shown<{ customer: Customer; verification: Verification }>

const review = <T = Body>(what: string, { id }: HasId, ...rest: string[]) =>
  operate<T>(kit, `review ${what} ${id}`, ...rest)

const error = (entry: object): string[] => ['--error', JSON.stringify(entry)]
const refused = { code: 'INVALID_STATE_TRANSITION' }

async function approvedBusiness(on = platform) {
  const business = await completeBusiness(on)
  assert.equal((await submitted(on, business)).verificationStatus, 'APPROVED')
  return business
}

/** A business whose packet waits for the operator. */
async function businessUnderReview(on = platform) {
  const business = await completeBusiness(on, '5523003')
  return { business, packet: await submitted(on, business) }
}

const firstOwner = async (business: HasId, on = platform) => {
  const [owner] = items((await readCustomer(on, business)).beneficialOwners)
  assert.ok(owner)
  return owner
}

const change = async ({ id }: HasId, body: object, on = platform) =>
  expectStatus(await on.api.patch(`/beneficial-owners/${id}`, body), 200)

const MAJOR: OwnerOverrides = { ownershipPercentage: 30 }
const FROM_ABROAD: OwnerOverrides = { ownershipPercentage: 40, personalInfo: ABROAD }
const CARD = { ...LICENSE, documentType: 'NATIONAL_ID' }

const kybStatus = async (business: HasId, on = platform): Promise<unknown> =>
  (await readCustomer(on, business)).kybStatus

/** An approved business with a complete owner who was added later, and the owner's review. */
async function underOwnerReview(on = platform, overrides: OwnerOverrides = {}) {
  const business = await approvedBusiness(on)
  const owner = await createOwner(on, business.id, { ...MAJOR, ...overrides })
  return { business, owner, verification: await currentVerification(on, business) }
}

test('KYB-10 KYB-11 a child with 30 % who is added after the approval is reported to the platform and the reviewer', async () => {
  const on = await newPlatform()
  const business = await approvedBusiness(on)
  const sentBefore = (await eventTypes(on)).length
  const decided = await currentVerification(on, business)
  const birthDate = `${new Date().getUTCFullYear() - 11}-01-01`
  const child = await createOwner(on, business.id, { ...MAJOR, personalInfo: { birthDate } })
  assert.equal(child.kycStatus, 'UNVERIFIED')
  const opened = await currentVerification(on, business)
  assert.notEqual(opened.id, decided.id)
  assert.equal(opened.verificationStatus, 'RESOLVE_ERRORS')
  assert.deepEqual(errorsOf(opened), ['INVALID_FIELD personalInfo.birthDate'])
  assert.equal(opened.errors[0]?.resourceId, child.id)
  assert.deepEqual((await eventTypes(on)).slice(sentBefore), ['VERIFICATION.RESOLVE_ERRORS'])
  const [event] = await listEvents(on, 'VERIFICATION.RESOLVE_ERRORS')
  assert.deepEqual(event?.data, opened)
  assert.equal(await kybStatus(business, on), 'APPROVED')
  expectError(await submit(on, business), 400, 'INVALID_INPUT')
  await assert.rejects(review('approve', opened), refused)
  assert.deepEqual(await ownerStatuses(on, business), ['APPROVED', 'UNVERIFIED'])
})

test('KYB-11 VER-31 each write to the owner and his papers evaluates the review again, and emits changes', async () => {
  const on = await newPlatform()
  const business = await approvedBusiness(on)
  const owner = await createOwner(on, business.id, FROM_ABROAD)
  const opened = await currentVerification(on, business)
  assert.deepEqual(errorsOf(opened), ['MISSING_IDENTITY_DOCUMENT', 'MISSING_IDENTITY_DOCUMENT'])
  const sentBefore = (await eventTypes(on)).length
  const outcomes: string[] = []
  const note = async (): Promise<void> => {
    const now = await currentVerification(on, business)
    assert.equal(now.id, opened.id)
    outcomes.push([now.verificationStatus, ...errorsOf(now)].join(' '))
  }
  await change(owner, { personalInfo: { email: 'o@example.com' } }, on)
  await note()
  await uploadPaper(on, owner, PASSPORT)
  await note()
  await uploadPaper(on, owner, CARD)
  await note()
  const back = await uploadPaper(on, owner, { ...CARD, side: 'BACK' })
  await note()
  expectStatus(await on.api.delete(`/documents/${back.id}`), 204)
  await note()
  const path = `/documents/${(await documentsOf(on, owner)).data[0]?.id}` as const
  const replaced = { method: 'PUT', path, fields: { ...PASSPORT, documentType: 'SELFIE' } }
  expectStatus(await sendForm(on.api, { ...replaced, file: pdf() }), 200)
  await note()
  assert.deepEqual(outcomes, [
    'RESOLVE_ERRORS MISSING_IDENTITY_DOCUMENT MISSING_IDENTITY_DOCUMENT',
    'RESOLVE_ERRORS MISSING_IDENTITY_DOCUMENT',
    'RESOLVE_ERRORS INCOMPLETE_DOCUMENT',
    'PENDING_MANUAL_REVIEW',
    'RESOLVE_ERRORS INCOMPLETE_DOCUMENT',
    'RESOLVE_ERRORS MISSING_IDENTITY_DOCUMENT',
  ])
  assert.deepEqual((await eventTypes(on)).slice(sentBefore), [
    'VERIFICATION.RESOLVE_ERRORS',
    'VERIFICATION.RESOLVE_ERRORS',
    'VERIFICATION.PENDING_MANUAL_REVIEW',
    'VERIFICATION.RESOLVE_ERRORS',
    'VERIFICATION.RESOLVE_ERRORS',
  ])
})

const documentsOf = async ({ api }: TestPlatform, { id }: HasId) =>
  expectStatus(await api.get('/documents', { query: { documentHolder: id } }), 200)

test('KYB-10 KYB-11 VER-10 a covered owner who is materially changed is set back, the business is not', async () => {
  const on = await newPlatform()
  for (const changed of [
    { personalInfo: { lastName: 'Poe' } },
    { ownershipPercentage: 5 },
    { roles: ['UBO'] },
  ]) {
    const business = await approvedBusiness(on)
    const owner = await firstOwner(business, on)
    const sentBefore = (await eventTypes(on)).length
    assert.equal((await change(owner, changed, on)).kycStatus, 'UNVERIFIED')
    assert.deepEqual(await ownerStatuses(on, business), ['UNVERIFIED'])
    const opened = await currentVerification(on, business)
    assert.equal(opened.verificationStatus, 'PENDING_MANUAL_REVIEW')
    assert.deepEqual(opened.errors, [])
    assert.deepEqual((await eventTypes(on)).slice(sentBefore), [
      'VERIFICATION.PENDING_MANUAL_REVIEW',
    ])
    assert.equal(await kybStatus(business, on), 'APPROVED')
    await review('approve', business)
    assert.deepEqual(await ownerStatuses(on, business), ['APPROVED'])
  }
})

test('KYB-9 BO-8 an immaterial change moves no status and opens no review', async () => {
  const business = await approvedBusiness()
  const decided = await currentVerification(platform, business)
  const owner = await firstOwner(business)
  const personalInfo = { email: 'a@example.com', idType: 'ITIN', identifier: '912-34-5678' }
  const changes = [{ personalInfo }, { roles: ['CONTROL_PERSON', 'UBO'] }, {}]
  for (const body of changes) assert.equal((await change(owner, body)).kycStatus, 'APPROVED')
  assert.deepEqual(await currentVerification(platform, business), decided)
})

test('KYB-10 a rejected owner stays rejected whatever changes', async () => {
  const business = await completeBusiness(platform)
  const rejected = await createOwner(platform, business.id, {
    personalInfo: { lastName: 'Poe002' },
  })
  await submitted(platform, business)
  assert.equal((await change(rejected, { ownershipPercentage: 30 })).kycStatus, 'REJECTED')
  const opened = await currentVerification(platform, business)
  assert.equal(opened.verificationStatus, 'PENDING_MANUAL_REVIEW')
  await change(rejected, { personalInfo: { lastName: 'Poe' } })
  await review('approve', opened)
  assert.deepEqual(await ownerStatuses(platform, business), ['APPROVED', 'REJECTED'])
})

test('KYB-14 a small share opens no review, and is decided with the next one', async () => {
  const business = await approvedBusiness()
  const decided = await currentVerification(platform, business)
  const small = await createOwner(platform, business.id, { ownershipPercentage: 24 })
  assert.equal(small.kycStatus, 'UNVERIFIED')
  assert.deepEqual(await currentVerification(platform, business), decided)
  await change(small, { ownershipPercentage: 10 })
  assert.deepEqual(await currentVerification(platform, business), decided)
  await createOwner(platform, business.id, { ...MAJOR, personalInfo: { lastName: 'Poe001' } })
  await review('approve', business)
  assert.deepEqual(await ownerStatuses(platform, business), ['APPROVED', 'APPROVED', 'PENDING'])
})

test('KYB-12 VER-9 an approval decides the packet, and owners outside it are reviewed next', async () => {
  const on = await newPlatform()
  const { business, packet } = await businessUnderReview(on)
  const late = await createOwner(on, business.id, MAJOR)
  const small = await createOwner(on, business.id, { ownershipPercentage: 1 })
  assert.deepEqual(await ownerStatuses(on, business), ['PENDING', 'UNVERIFIED', 'UNVERIFIED'])
  assert.deepEqual(await currentVerification(on, business), packet)
  assert.deepEqual(await submitted(on, business), packet)
  const [line] = items(await operate(kit, 'review list', '--platform', on.platformId))
  assert.deepEqual(line?.['reasons'], ['SUBMITTED', 'OWNERS_NOT_COVERED'])
  assert.deepEqual(line['ownerIds'], [late.id, small.id])
  assert.equal(line['verificationId'], packet.id)
  const shown = items((await review('show', business))['beneficialOwners'])
  assert.deepEqual(
    shown.map(({ covered }) => covered),
    [true, false, false],
  )
  const sentBefore = (await eventTypes(on)).length
  const decided = await review<Reviewed>('approve', business)
  assert.equal(decided.verification.id, packet.id, 'VER-27')
  assert.deepEqual(await ownerStatuses(on, business), ['APPROVED', 'UNVERIFIED', 'UNVERIFIED'])
  assert.deepEqual((await eventTypes(on)).slice(sentBefore), [
    'VERIFICATION.APPROVED',
    'CUSTOMER.KYB_APPROVED',
    'VERIFICATION.PENDING_MANUAL_REVIEW',
  ])
  const opened = await currentVerification(on, business)
  assert.notEqual(opened.id, packet.id)
  const [next] = items(await operate(kit, 'review list', '--platform', on.platformId))
  assert.deepEqual(
    [next?.['verificationId'], next?.['status'], next?.['reasons'], next?.['ownerIds']],
    [opened.id, 'APPROVED', ['OWNERS_NOT_COVERED'], [late.id, small.id]],
  )
})

test('KYB-12 a share that shrinks, or control that ends, during the review is reviewed after it', async () => {
  for (const changed of [{ ownershipPercentage: 5 }, { roles: ['UBO'], ownershipPercentage: 5 }]) {
    const { business, packet } = await businessUnderReview()
    await change(await firstOwner(business), changed)
    assert.deepEqual(await ownerStatuses(platform, business), ['UNVERIFIED'])
    await review('approve', packet)
    assert.deepEqual(await ownerStatuses(platform, business), ['UNVERIFIED'])
    const opened = await currentVerification(platform, business)
    assert.equal(opened.verificationStatus, 'PENDING_MANUAL_REVIEW')
  }
})

test('KYB-12 a rejection leaves owners outside coverage unverified, and opens no review', async () => {
  const { business, packet } = await businessUnderReview()
  await createOwner(platform, business.id, MAJOR)
  await review('reject', packet)
  assert.deepEqual(await ownerStatuses(platform, business), ['APPROVED', 'UNVERIFIED'])
  assert.equal((await currentVerification(platform, business)).id, packet.id)
  const later = await createOwner(platform, business.id, { ownershipPercentage: 5 })
  assert.equal(later.kycStatus, 'UNVERIFIED')
  await change(await firstOwner(business), { ownershipPercentage: 50 })
  assert.equal((await currentVerification(platform, business)).id, packet.id)
})

test('KYB-12 a returned packet covers no owner, and the next submission covers all', async () => {
  const { business, packet } = await businessUnderReview()
  const late = await createOwner(platform, business.id, MAJOR)
  await review('return', packet, ...error({ type: 'MISSING_GOOD_STANDING_DOCUMENT' }))
  assert.deepEqual(await ownerStatuses(platform, business), ['UNVERIFIED', 'UNVERIFIED'])
  await change(late, { personalInfo: { firstName: 'Eva' } })
  await uploadPaper(platform, business, { documentType: 'GOOD_STANDING_CERTIFICATE' })
  const again = await submitted(platform, business)
  assert.equal(again.verificationStatus, 'IN_PROGRESS')
  assert.deepEqual(await ownerStatuses(platform, business), ['PENDING', 'PENDING'])
  await review('approve', again)
  assert.deepEqual(await ownerStatuses(platform, business), ['APPROVED', 'APPROVED'])
  assert.equal((await currentVerification(platform, business)).id, packet.id)
})

test('KYB-13 an approval decides the owners by their names, and leaves the business as it is', async () => {
  const on = await newPlatform()
  const { business, verification } = await underOwnerReview(on)
  for (const lastName of ['Poe001', 'Poe002']) {
    await createOwner(on, business.id, { ownershipPercentage: 5, personalInfo: { lastName } })
  }
  const sentBefore = (await eventTypes(on)).length
  const decided = await review<Reviewed>('approve', verification, '--note', 'seen')
  assert.equal(decided.verification.verificationStatus, 'APPROVED')
  assert.equal(decided.customer.kybStatus, 'APPROVED')
  assert.deepEqual(await ownerStatuses(on, business), [
    'APPROVED',
    'APPROVED',
    'PENDING',
    'REJECTED',
  ])
  assert.deepEqual((await eventTypes(on)).slice(sentBefore), ['VERIFICATION.APPROVED'])
  assert.deepEqual(items(await operate(kit, 'review list', '--platform', on.platformId)), [])
  const shown = items((await review('show', business))['beneficialOwners'])
  assert.ok(shown.every(({ covered }) => covered === (true as unknown)))
  await assert.rejects(review('reject', verification), refused)
  const resource = verification.id
  const [entry] = items(await operate(kit, 'audit list', '--resource', resource))
  assert.match(text(entry?.['note']), /^snapshot [0-9a-f-]{36}: seen$/)
})

for (const isLacking of [false, true]) {
  test(`KYB-13 VER-24 a rejection of owners ${isLacking ? 'who lack something ' : ''}puts the business on hold`, async () => {
    const on = await newPlatform()
    const { business, owner, verification } = await underOwnerReview(
      on,
      isLacking ? FROM_ABROAD : {},
    )
    const sentBefore = (await eventTypes(on)).length
    const decided = await review<Reviewed>('reject', business)
    assert.equal(decided.customer.kybStatus, 'HOLD')
    const { id, errors } = decided.verification
    assert.equal(id, verification.id)
    assert.deepEqual(
      errors.map(({ type, resourceId }) => [type, resourceId]),
      [['APPLICANT_REJECTED', owner.id]],
    )
    assert.deepEqual(await ownerStatuses(on, business), ['APPROVED', 'REJECTED'])
    assert.deepEqual((await eventTypes(on)).slice(sentBefore), ['VERIFICATION.REJECTED'])
    const released = await review<Reviewed>('release', business)
    assert.equal(released.customer.kybStatus, 'APPROVED')
    assert.deepEqual(await ownerStatuses(on, business), ['APPROVED', 'REJECTED'])
    assert.equal((await currentVerification(on, business)).id, id, 'nothing is opened again')
  })
}

test('KYB-13 a rejected owner stays rejected when the business is approved out of its hold', async () => {
  const { business } = await underOwnerReview()
  await review('reject', business, ...error({ type: 'APPLICANT_SANCTIONED' }))
  await review('approve', business)
  assert.equal(await kybStatus(business), 'APPROVED')
  assert.deepEqual(await ownerStatuses(platform, business), ['APPROVED', 'REJECTED'])
})

test('KYB-13 VER-11 returned entries stay outstanding until resolved, and the business keeps its status', async () => {
  const { business, owner, verification } = await underOwnerReview()
  const wrong = [
    ...error({ type: 'INVALID_FIELD', field: 'personalInfo.address', resourceId: owner.id }),
    ...error({ type: 'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT' }),
  ]
  const returned = await review<Reviewed>('return', verification, ...wrong)
  assert.equal(returned.customer.kybStatus, 'APPROVED')
  const asked = ['INVALID_FIELD personalInfo.address', 'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT']
  assert.deepEqual(errorsOf(returned.verification), asked)
  const outstanding = async () => errorsOf(await currentVerification(platform, business))
  await change(owner, { personalInfo: { email: 'o@example.com' } })
  assert.deepEqual(await outstanding(), asked)
  const address = { line1: '2 Main St', postalCode: '94105', country: 'US' }
  await change(owner, { personalInfo: { address } })
  assert.deepEqual(await outstanding(), asked.slice(1))
  await uploadPaper(platform, business, { documentType: 'SHAREHOLDER_REGISTER' })
  const again = await currentVerification(platform, business)
  assert.equal(again.verificationStatus, 'PENDING_MANUAL_REVIEW')
  await assert.rejects(
    review('return', again, ...error({ type: 'INVALID_FIELD', field: 'address' })),
    { code: 'INVALID_INPUT' },
  )
  await assert.rejects(review('escalate', again), refused)
})

test('KYB-13 VER-23 hold and release leave an owner review open', async () => {
  const on = await newPlatform()
  const { business, verification } = await underOwnerReview(on)
  const held = await review<Reviewed>('hold', business)
  assert.equal(held.customer.kybStatus, 'HOLD')
  assert.deepEqual(await currentVerification(on, business), verification)
  assert.deepEqual(await submitted(on, business), verification, 'VER-7: under review')
  const [line] = items(await operate(kit, 'review list', '--platform', on.platformId))
  assert.deepEqual(line?.['reasons'], ['SUBMITTED', 'OWNERS_NOT_COVERED'])
  const released = await review<Reviewed>('release', business)
  assert.equal(released.customer.kybStatus, 'APPROVED')
  const { updatedAt: _moved, ...open } = await currentVerification(on, business)
  assert.deepEqual({ ...open, updatedAt: verification.updatedAt }, verification)
  await review('approve', verification)
  assert.deepEqual(await ownerStatuses(on, business), ['APPROVED', 'APPROVED'])
})

test('KYB-13 VER-22 entries of a hold join the owner review, and those on the business end with the hold', async () => {
  const { business, verification } = await underOwnerReview(platform, FROM_ABROAD)
  const lacking = errorsOf(verification)
  const held = await review<Reviewed>(
    'hold',
    business,
    ...error({ type: 'INVALID_FIELD', field: 'address' }),
  )
  assert.equal(held.verification.id, verification.id)
  assert.deepEqual(errorsOf(held.verification), ['INVALID_FIELD address', ...lacking])
  await assert.rejects(review('approve', business), refused)
  const released = await review<Reviewed>('release', business)
  assert.deepEqual(errorsOf(released.verification), lacking)
  assert.equal(released.verification.verificationStatus, 'RESOLVE_ERRORS')
})

test('KYB-13 a submission during a hold replaces the owner review and covers every owner', async () => {
  const on = await newPlatform()
  const { business, owner, verification } = await underOwnerReview(on, FROM_ABROAD)
  await review('hold', business, ...error({ type: 'INVALID_FIELD', field: 'address' }))
  const asked = ['INVALID_FIELD address', ...errorsOf(verification)]
  assert.deepEqual(errorsOf(await submitted(on, business)), asked)
  assert.equal(await kybStatus(business, on), 'HOLD')
  for (const fields of [PASSPORT, CARD, { ...CARD, side: 'BACK' }]) {
    await uploadPaper(on, owner, fields)
  }
  assert.deepEqual(errorsOf(await currentVerification(on, business)), asked.slice(0, 1))
  const address = { line1: '2 Main St', postalCode: '94105', country: 'US' }
  const moved = { customerType: 'BUSINESS', address }
  expectStatus(await on.api.patch(`/customers/${business.id}`, moved), 200)
  const taken = await submitted(on, business)
  assert.equal(taken.id, verification.id)
  assert.equal(taken.verificationStatus, 'PENDING_MANUAL_REVIEW')
  assert.equal(await kybStatus(business, on), 'PENDING')
  assert.deepEqual(await ownerStatuses(on, business), ['PENDING', 'PENDING'])
  const [line] = items(await operate(kit, 'review list', '--platform', on.platformId))
  assert.deepEqual([line?.['reasons'], line?.['ownerIds']], [['SUBMITTED'], undefined])
  await review('approve', business)
  assert.equal(await kybStatus(business, on), 'APPROVED')
  assert.deepEqual(await ownerStatuses(on, business), ['APPROVED', 'APPROVED'])
  assert.equal((await currentVerification(on, business)).id, verification.id)
})

test('KYB-11 a business whose packet is not validated has its owners decided by their names, also later', async () => {
  const on = await kit.platform({ kind: 'REGULATED' })
  const business = await createCustomer(on, businessData())
  await submitted(on, business)
  for (const [lastName, status] of [
    ['Poe001', 'PENDING'],
    ['Poe002', 'REJECTED'],
    ['Poe', 'APPROVED'],
  ] as const) {
    const overrides = { ...MAJOR, personalInfo: { lastName } }
    const owner = await createOwner(on, business.id, overrides)
    assert.equal(owner.kycStatus, status)
    const renamed = await change(owner, { personalInfo: { firstName: 'Eva' } }, on)
    assert.equal(renamed.kycStatus, status)
  }
  const listed = await on.api.get('/verifications', {
    query: { customerId: business.id },
  })
  assert.equal(expectStatus(listed, 200).data.length, 1)
})

test('KYB-11 a LIGHT business that the operator decided is checked, whatever its number becomes', async () => {
  const on = await kit.platform({ kind: 'REGULATED' })
  const { business, packet } = await businessUnderReview(on)
  await review('approve', packet)
  const renumbered = { customerType: 'BUSINESS', businessInfo: { registrationNumber: '77' } }
  expectStatus(await on.api.patch(`/customers/${business.id}`, renumbered), 200)
  assert.equal((await createOwner(on, business.id, MAJOR)).kycStatus, 'UNVERIFIED')
  const opened = await currentVerification(on, business)
  assert.equal(opened.verificationStatus, 'PENDING_MANUAL_REVIEW')
})

test('KYB-11 VER-13 in production the operator decides later owners, whatever their names', async () => {
  const on = await kit.platform({ kind: 'UNREGULATED', environment: 'PRODUCTION' })
  const business = await completeBusiness(on)
  await review('approve', await submitted(on, business))
  const late = { ...MAJOR, personalInfo: { lastName: 'Poe002' } }
  assert.equal((await createOwner(on, business.id, late)).kycStatus, 'UNVERIFIED')
  await review('approve', business)
  assert.deepEqual(await ownerStatuses(on, business), ['APPROVED', 'APPROVED'])
})

test('KYB-11 an owner added during a hold is reviewed once the business is approved again', async () => {
  const on = await newPlatform()
  for (const what of ['release', 'approve']) {
    const business = await approvedBusiness(on)
    await review('hold', business)
    assert.equal((await createOwner(on, business.id, MAJOR)).kycStatus, 'UNVERIFIED')
    const decided = await currentVerification(on, business)
    assert.equal(decided.verificationStatus, 'APPROVED')
    await review(what, business)
    assert.equal(await kybStatus(business, on), 'APPROVED')
    const opened = await currentVerification(on, business)
    assert.equal(opened.verificationStatus, 'PENDING_MANUAL_REVIEW', what)
    assert.deepEqual(await ownerStatuses(on, business), ['APPROVED', 'UNVERIFIED'])
  }
})

test('VER-20 an owner review is decided only in the state that the operator names', async () => {
  const { business, verification } = await underOwnerReview()
  const { state } = await review('show', business)
  assert.match(text(state), /^APPROVED\/PENDING_MANUAL_REVIEW\//)
  await createOwner(platform, business.id, { ownershipPercentage: 1 })
  await assert.rejects(review('approve', verification, '--expect', text(state)), {
    code: 'CONFLICT',
  })
  assert.deepEqual(await ownerStatuses(platform, business), [
    'APPROVED',
    'UNVERIFIED',
    'UNVERIFIED',
  ])
})

test('DOC-12 papers of the packet stay locked in an owner review, those of its owners until they are decided', async () => {
  const { business, owner } = await underOwnerReview(platform, FROM_ABROAD)
  const [paper] = (await documentsOf(platform, business)).data
  expectError(await platform.api.delete(`/documents/${paper?.id}`), 409, 'CONFLICT')
  const other = await uploadPaper(platform, owner, { documentType: 'OTHER' })
  expectStatus(await platform.api.delete(`/documents/${other.id}`), 204)
  const papers = []
  for (const fields of [PASSPORT, CARD, { ...CARD, side: 'BACK' }]) {
    papers.push(await uploadPaper(platform, owner, fields))
  }
  const [passport] = papers
  const open = await currentVerification(platform, business)
  const entry = { type: 'UNREADABLE_DOCUMENT', resourceId: passport?.id }
  await review('return', open, ...error(entry))
  const put = { method: 'PUT', path: `/documents/${passport?.id}`, fields: PASSPORT }
  expectStatus(await sendForm(platform.api, { ...put, file: pdf() }), 200)
  await review('approve', business)
  const refusal = await sendForm(platform.api, { ...put, file: pdf() })
  assert.deepEqual(expectError(refusal, 409, 'CONFLICT'), { verificationId: open.id })
  await change(owner, { personalInfo: { nationality: 'PT' } })
  const again = await currentVerification(platform, business)
  assert.equal(again.verificationStatus, 'PENDING_MANUAL_REVIEW')
  expectError(await sendForm(platform.api, { ...put, file: pdf() }), 409, 'CONFLICT')
  await review('return', again, ...error(entry))
  expectStatus(await sendForm(platform.api, { ...put, file: pdf() }), 200)
})
