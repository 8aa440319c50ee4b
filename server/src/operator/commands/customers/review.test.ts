import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
import { ABROAD, createOwner } from '../../../../test/kit/onboarding/beneficial-owners.ts'
import { createCustomer, readCustomer } from '../../../../test/kit/customers.ts'
import { pdf } from '../../../../test/kit/onboarding/document-files.ts'
import { LICENSE, PASSPORT, sendForm } from '../../../../test/kit/onboarding/documents.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { LOCAL_ACTOR, operate } from '../../../../test/kit/operator.ts'
import {
  completeBusiness,
  completePerson,
  errorsOf,
  ownerStatuses,
  PERSON_DATA,
  submit,
  submitted,
  eventTypes,
  uploadPaper,
} from '../../../../test/kit/onboarding/verification.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { UsageError } from '../../command.ts'

const kit = await startOwnKit()
const newPlatform = (): Promise<TestPlatform> => kit.platform({ kind: 'UNREGULATED' })
const platform = await newPlatform()

/** What a decision prints. */
type Reviewed = Shown<{ customer: Customer; verification: Verification }>

const review = <T = Body>(what: string, { id }: HasId, ...rest: string[]) =>
  operate<T>(kit, `review ${what} ${id}`, ...rest)

const error = (entry: object): string[] => ['--error', JSON.stringify(entry)]

const refused = { code: 'INVALID_STATE_TRANSITION' }
const invalid = { code: 'INVALID_INPUT' }

const statusOf = async (customer: HasId, on = platform): Promise<unknown> => {
  const { kycStatus, kybStatus } = await readCustomer(on, customer)
  return kycStatus ?? kybStatus
}

/** A person, or a business, under review. */
async function underReview(on = platform) {
  const customer = await completePerson(on, { fullName: 'Maria 001' })
  return { customer, verification: await submitted(on, customer) }
}

async function businessUnderReview(on = platform) {
  const customer = await completeBusiness(on, '5523003')
  return { customer, verification: await submitted(on, customer) }
}

const replace = (on: TestPlatform, documentId: unknown, fields: object = PASSPORT) =>
  sendForm(on.api, {
    method: 'PUT',
    path: `/documents/${documentId}`,
    fields: fields as Record<string, unknown>,
    file: pdf(),
  })

test('VER-20 review approve decides by verification or by customer, once', async () => {
  for (const byCustomer of [false, true]) {
    const { customer, verification } = await underReview()
    const decided = await review('approve', byCustomer ? customer : verification)
    assert.equal(decided['customer']?.['kycStatus'], 'APPROVED')
    assert.equal(decided['verification']?.['verificationStatus'], 'APPROVED')
    assert.equal(await statusOf(customer), 'APPROVED')
    await assert.rejects(review('approve', verification), refused)
    await assert.rejects(review('reject', customer), refused)
    await assert.rejects(
      review('return', verification, ...error({ type: 'INVALID_DOCUMENT' })),
      refused,
    )
    assert.equal(await statusOf(customer), 'APPROVED')
  }
})

test('VER-20 of racing decisions the first wins', async () => {
  const on = await newPlatform()
  const { verification } = await underReview(on)
  const attempts = await Promise.allSettled(
    Array.from({ length: 10 }, (_, n) => review(n % 2 ? 'approve' : 'reject', verification)),
  )
  const won = attempts.filter(({ status }) => status === 'fulfilled')
  assert.equal(won.length, 1)
  const emitted = (await eventTypes(on)).filter((type) => /_(APPROVED|REJECTED)$/.test(type))
  assert.equal(emitted.length, 1)
})

test('KYC-8 review reject without --error is APPLICANT_REJECTED, with --error it is what is given', async () => {
  const first = await underReview()
  const plain = await review<Reviewed>('reject', first.verification)
  assert.deepEqual(errorsOf(plain.verification), ['APPLICANT_REJECTED'])
  assert.equal(await statusOf(first.customer), 'REJECTED')
  const second = await underReview()
  const entries = [
    ...error({ type: 'APPLICANT_SANCTIONED', reason: 'On a list.' }),
    ...error({ type: 'SUSPECTED_FRAUD_DOCUMENT' }),
  ]
  const { verification } = await review('reject', second.verification, ...entries)
  const [sanctioned, fraud] = items(verification?.['errors'])
  assert.deepEqual(sanctioned, {
    resourceId: second.customer.id,
    type: 'APPLICANT_SANCTIONED',
    reason: 'On a list.',
  })
  assert.equal(fraud?.['type'], 'SUSPECTED_FRAUD_DOCUMENT')
})

test('KYC-9 a LIGHT 001 customer without verification is decided by its id', async () => {
  const on = await kit.platform({ kind: 'REGULATED' })
  const customer = await createCustomer(on, { fullName: 'Maria 001' })
  const shown = await review('approve', customer, '--note', 'known for years')
  assert.equal(shown['customer']?.['kycStatus'], 'APPROVED')
  assert.equal(shown['verification'], undefined)
  assert.deepEqual(await eventTypes(on), ['CUSTOMER.KYC_PENDING', 'CUSTOMER.KYC_APPROVED'])
  const returned = await createCustomer(on, { fullName: 'Maria 001' })
  await assert.rejects(review('return', returned, ...error({ type: 'INVALID_DOCUMENT' })), refused)
  await assert.rejects(review('escalate', returned), refused)
})

test('VER-20 what is not under review cannot be decided', async () => {
  const unverified = await createCustomer(platform)
  for (const what of ['approve', 'reject', 'escalate', 'hold', 'release']) {
    await assert.rejects(review(what, unverified), refused, what)
  }
  const lacking = await submitted(platform, unverified)
  for (const what of ['approve', 'reject', 'escalate']) {
    await assert.rejects(review(what, lacking), refused, what)
  }
  assert.equal(await statusOf(unverified), 'UNVERIFIED')
  const nobody = { id: `Customer:${newUuid()}` }
  await assert.rejects(review('approve', nobody), { code: 'REFERENCE_NOT_FOUND' })
  await assert.rejects(operate(kit, 'review approve x'), { code: 'USER_NOT_FOUND' })
})

test('VER-31 review escalate moves what is in progress', async () => {
  const { customer, verification } = await businessUnderReview()
  assert.equal(verification.verificationStatus, 'IN_PROGRESS')
  const moved = await review('escalate', verification)
  assert.equal(moved['verification']?.['verificationStatus'], 'PENDING_MANUAL_REVIEW')
  assert.equal(await statusOf(customer), 'PENDING')
  await assert.rejects(review('escalate', verification), refused)
})

test('VER-21 return needs an error and takes none that is for good; neither does hold', async () => {
  const { customer, verification } = await underReview()
  await assert.rejects(review('return', verification), UsageError)
  for (const entry of [
    { type: 'APPLICANT_FRAUD' },
    { type: 'SUSPECTED_FRAUD_DOCUMENT' },
    { type: 'NONSENSE' },
    { type: 'MISSING_FIELD' },
    { type: 'MISSING_FIELD', field: 'address', resourceId: `Document:${newUuid()}` },
    { type: 'INVALID_DOCUMENT', resourceId: `Document:${newUuid()}` },
    { type: 'INVALID_DOCUMENT', acceptedDocumentTypes: ['LETTER'] },
    { type: 'INVALID_DOCUMENT', reason: '' },
    [],
  ]) {
    await assert.rejects(review('return', verification, ...error(entry)), invalid)
    await assert.rejects(review('hold', customer, ...error(entry)), invalid)
  }
  await assert.rejects(review('return', verification, '--error', 'x'), UsageError)
  assert.equal(await statusOf(customer), 'PENDING')
  const read = await platform.api.get(`/verifications/${verification.id}`)
  assert.deepEqual(expectStatus(read, 200), verification)
})

test('VER-21 VER-11 return and hold refuse an entry that the platform could never resolve', async () => {
  const person = await underReview()
  const business = await businessUnderReview()
  const [owner] = items((await readCustomer(platform, business.customer)).beneficialOwners)
  const resourceId = owner?.id
  const field = (name: string) => ({ type: 'INVALID_FIELD', field: name })
  for (const [{ customer, verification }, entry] of [
    [person, field('adress')],
    [person, field('currencies')],
    [person, field('businessInfo.legalName')],
    [person, { type: 'MISSING_LEGAL_PRESENCE_DOCUMENT' }],
    [person, { type: 'INVALID_DOCUMENT', acceptedDocumentTypes: ['SHAREHOLDER_REGISTER'] }],
    [person, { type: 'MISSING_BENEFICIAL_OWNER' }],
    [business, field('fullName')],
    [business, field('businessInfo.countriesOfOperation.0')],
    [business, { type: 'MISSING_IDENTITY_DOCUMENT' }],
    [business, { ...field('businessInfo.taxId'), resourceId }],
    [business, { type: 'MISSING_GOOD_STANDING_DOCUMENT', resourceId }],
  ] as const) {
    await assert.rejects(review('return', verification, ...error(entry)), invalid)
    await assert.rejects(review('hold', customer, ...error(entry)), invalid)
  }
  const entries = [
    ...[field('email'), field('address.line2'), field('businessInfo.doingBusinessAs')],
    ...['personalInfo.address.city', 'roles'].map((name) => ({ ...field(name), resourceId })),
    { type: 'INVALID_DOCUMENT', resourceId },
  ]
  const options = entries.flatMap((entry) => error(entry))
  const { verification } = await review<Reviewed>('return', business.verification, ...options)
  const accepted = verification.errors.at(-1)?.acceptedDocumentTypes
  assert.deepEqual(accepted, ['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID'], 'of a person')
})

test('KYB-5 VER-31 a returned business is unverified, and so are its owners', async () => {
  const on = await newPlatform()
  const { customer, verification } = await businessUnderReview(on)
  const emitted = (await eventTypes(on)).length
  const returned = await review(
    'return',
    verification,
    ...error({ type: 'MISSING_GOOD_STANDING_DOCUMENT' }),
  )
  const [entry] = items(returned['verification']?.['errors'])
  assert.deepEqual(entry?.['acceptedDocumentTypes'], ['GOOD_STANDING_CERTIFICATE'])
  assert.equal(entry['resourceId'], customer.id)
  const business = await readCustomer(on, customer)
  assert.equal(business.kybStatus, 'UNVERIFIED')
  assert.equal(items(business.beneficialOwners)[0]?.kycStatus, 'UNVERIFIED')
  assert.deepEqual((await eventTypes(on)).slice(emitted), ['VERIFICATION.RESOLVE_ERRORS'])
})

test('VER-11 an entry on a field stays until that field has another value', async () => {
  const { customer, verification } = await underReview()
  const entries = [
    ...error({ type: 'INVALID_FIELD', field: 'address', reason: 'No such street.' }),
    ...error({ type: 'INVALID_FIELD', field: 'identifier' }),
  ]
  await review('return', verification, ...entries)
  const outstanding = async () => errorsOf(await submitted(platform, customer))
  assert.deepEqual(await outstanding(), ['INVALID_FIELD address', 'INVALID_FIELD identifier'])
  const patch = async (body: object) =>
    expectStatus(
      await platform.api.patch(`/customers/${customer.id}`, {
        customerType: 'INDIVIDUAL',
        ...body,
      }),
      200,
    )
  await patch({ address: PERSON_DATA.address, fullName: 'Maria B 001' })
  assert.deepEqual(await outstanding(), ['INVALID_FIELD address', 'INVALID_FIELD identifier'])
  await patch({ identifier: '222-33-4444' })
  assert.deepEqual(await outstanding(), ['INVALID_FIELD address'])
  await patch({ address: { ...PERSON_DATA.address, line1: '2 Main St' } })
  assert.deepEqual(await outstanding(), [])
})

test('VER-11 an entry on a document stays until it is replaced or deleted', async () => {
  const { customer, verification } = await underReview()
  const query = { documentHolder: customer.id }
  const [document] = expectStatus(await platform.api.get('/documents', { query }), 200).data
  const resourceId = document?.id
  await review('return', verification, ...error({ type: 'POOR_QUALITY_DOCUMENT', resourceId }))
  const first = await submitted(platform, customer)
  const [entry] = first.errors
  assert.deepEqual(entry?.acceptedDocumentTypes, ['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID'])
  await uploadPaper(platform, customer)
  assert.deepEqual(errorsOf(await submitted(platform, customer)), ['POOR_QUALITY_DOCUMENT'])
  expectStatus(await replace(platform, resourceId), 200)
  const accepted = await submitted(platform, customer)
  assert.equal(accepted.verificationStatus, 'PENDING_MANUAL_REVIEW')
  assert.equal(accepted.id, verification.id)
  await review('return', verification, ...error({ type: 'UNREADABLE_DOCUMENT', resourceId }))
  assert.deepEqual(errorsOf(await submitted(platform, customer)), ['UNREADABLE_DOCUMENT'])
  expectStatus(await platform.api.delete(`/documents/${resourceId}`), 204)
  assert.deepEqual(errorsOf(await submitted(platform, customer)), [])
})

test('VER-11 what another paper cures as well stays until one came or it is replaced', async () => {
  const { customer, verification } = await businessUnderReview()
  const query = { documentHolder: customer.id }
  const documents = expectStatus(await platform.api.get('/documents', { query }), 200).data
  const bill = documents.find(({ documentType }) => documentType === 'UTILITY_BILL')
  const entry = { type: 'EXPIRED_DOCUMENT', resourceId: bill?.id }
  await review('return', verification, ...error(entry))
  await uploadPaper(platform, customer, { documentType: 'BUSINESS_LICENSE' })
  assert.deepEqual(errorsOf(await submitted(platform, customer)), ['EXPIRED_DOCUMENT'])
  await uploadPaper(platform, customer, { documentType: 'TAX_RETURN' })
  assert.deepEqual(errorsOf(await submitted(platform, customer)), [])
})

test('VER-11 a missing paper stays until an accepted type was uploaded afterwards', async () => {
  const { customer, verification } = await underReview()
  await review('return', verification, ...error({ type: 'MISSING_IDENTITY_DOCUMENT' }))
  assert.deepEqual(errorsOf(await submitted(platform, customer)), ['MISSING_IDENTITY_DOCUMENT'])
  await uploadPaper(platform, customer, { documentType: 'UTILITY_BILL' })
  assert.deepEqual(errorsOf(await submitted(platform, customer)), ['MISSING_IDENTITY_DOCUMENT'])
  await uploadPaper(platform, customer, LICENSE)
  assert.deepEqual(errorsOf(await submitted(platform, customer)), [])
})

test('VER-5 VER-11 a paper that a reviewer asks for does not hide those that are missing besides', async () => {
  const { id } = await completeBusiness(platform, '5523003')
  const abroad = { ownershipPercentage: 10, personalInfo: ABROAD }
  const owner = await createOwner(platform, id, abroad)
  const verification = await submitted(platform, { id })
  const entry = { type: 'MISSING_IDENTITY_DOCUMENT', resourceId: owner.id }
  await review('return', verification, ...error(entry))
  const accepted = async () => {
    const { errors } = await submitted(platform, { id })
    return errors.map(({ acceptedDocumentTypes }) => acceptedDocumentTypes)
  }
  assert.deepEqual(await accepted(), [['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID']])
  const path = `/beneficial-owners/${owner.id}` as const
  expectStatus(await platform.api.patch(path, { ownershipPercentage: 30 }), 200)
  assert.deepEqual(await accepted(), [
    ['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID'],
    ['PASSPORT'],
    ['DRIVERS_LICENSE', 'NATIONAL_ID'],
  ])
})

test('VER-11 a missing person stays until one was registered afterwards', async () => {
  const { customer, verification } = await businessUnderReview()
  await review('return', verification, ...error({ type: 'MISSING_BENEFICIAL_OWNER' }))
  assert.deepEqual(errorsOf(await submitted(platform, customer)), ['MISSING_BENEFICIAL_OWNER'])
  await createOwner(platform, customer.id, { personalInfo: { lastName: 'Poe' } })
  assert.deepEqual(errorsOf(await submitted(platform, customer)), [])
})

test('VER-22 hold without an error changes only the status, and says nothing', async () => {
  const on = await newPlatform()
  const { customer, verification } = await underReview(on)
  const emitted = await eventTypes(on)
  const held = await review<Reviewed>('hold', customer, '--note', 'a call is due')
  assert.equal(held.customer.kycStatus, 'HOLD')
  assert.deepEqual(held.verification, verification)
  assert.deepEqual(await eventTypes(on), emitted)
  assert.deepEqual(await submitted(on, customer), verification)
  const released = await review('release', customer)
  assert.equal(released['customer']?.['kycStatus'], 'PENDING')
  assert.deepEqual((await eventTypes(on)).slice(emitted.length), ['CUSTOMER.KYC_PENDING'])
  await assert.rejects(review('release', customer), refused)
})

test('VER-22 VER-23 hold with an error asks for it; release takes it back', async () => {
  const on = await newPlatform()
  const { customer, verification } = await businessUnderReview(on)
  const entry = error({ type: 'INVALID_FIELD', field: 'businessInfo.legalName' })
  const held = await review<Reviewed>('hold', customer, ...entry)
  assert.equal(held.verification.id, verification.id)
  assert.equal(held.verification.verificationStatus, 'RESOLVE_ERRORS')
  assert.equal((await eventTypes(on)).at(-1), 'VERIFICATION.RESOLVE_ERRORS')
  await assert.rejects(review('hold', customer), refused)
  const released = await review('release', customer)
  assert.equal(released['customer']?.['kybStatus'], 'PENDING')
  assert.equal(released['verification']?.['verificationStatus'], 'PENDING_MANUAL_REVIEW')
  assert.deepEqual(released['verification']?.['errors'], [])
  assert.deepEqual((await eventTypes(on)).slice(-2), [
    'VERIFICATION.PENDING_MANUAL_REVIEW',
    'CUSTOMER.KYB_PENDING',
  ])
})

test('VER-22 VER-23 an approved customer on hold gets a verification of its own, closed on release', async () => {
  const on = await newPlatform()
  const customer = await completePerson(on)
  const approved = await submitted(on, customer)
  const held = await review<Reviewed>('hold', customer, ...error({ type: 'EXPIRED_DOCUMENT' }))
  assert.equal(held.customer.kycStatus, 'HOLD')
  const opened = held.verification
  assert.notEqual(opened.id, approved.id)
  assert.equal(opened.verificationStatus, 'RESOLVE_ERRORS')
  const released = await review('release', customer)
  assert.equal(released['customer']?.['kycStatus'], 'APPROVED')
  assert.equal(released['verification']?.['verificationStatus'], 'APPROVED')
  assert.deepEqual((await eventTypes(on)).slice(-2), [
    'VERIFICATION.APPROVED',
    'CUSTOMER.KYC_APPROVED',
  ])
})

test('VER-23 a release judges those who joined during the hold, where no packet was looked at', async () => {
  const on = await kit.platform({ kind: 'REGULATED' })
  const customer = await completeBusiness(on)
  await submitted(on, customer)
  await review('hold', customer)
  await createOwner(on, customer.id, { personalInfo: { lastName: 'Poe001' } })
  assert.deepEqual(await ownerStatuses(on, customer), ['APPROVED', 'UNVERIFIED'])
  const released = await review('release', customer)
  assert.equal(released['customer']?.['kybStatus'], 'APPROVED')
  assert.deepEqual(await ownerStatuses(on, customer), ['APPROVED', 'PENDING'])
})

test('VER-24 4.5 a customer on hold may submit, and is then reviewed by a person', async () => {
  const customer = await completePerson(platform)
  await submitted(platform, customer)
  await review('hold', customer, ...error({ type: 'MISSING_PROOF_OF_ADDRESS_DOCUMENT' }))
  const lacking = await submitted(platform, customer)
  assert.deepEqual(errorsOf(lacking), ['MISSING_PROOF_OF_ADDRESS_DOCUMENT'])
  assert.equal(await statusOf(customer), 'HOLD')
  await uploadPaper(platform, customer, { documentType: 'UTILITY_BILL' })
  const taken = await submitted(platform, customer)
  assert.equal(taken.verificationStatus, 'PENDING_MANUAL_REVIEW')
  assert.equal(await statusOf(customer), 'PENDING')
  await assert.rejects(review('release', customer), refused)
  await review('approve', customer)
  assert.equal(await statusOf(customer), 'APPROVED')
})

test('VER-20 the operator may also decide about a customer on hold', async () => {
  for (const [what, status] of [
    ['approve', 'APPROVED'],
    ['reject', 'REJECTED'],
  ] as const) {
    const customer = await completePerson(platform)
    await submitted(platform, customer)
    await review('hold', customer, ...error({ type: 'INVALID_FIELD', field: 'fullName' }))
    const decided = await review(what, customer)
    assert.equal(decided['customer']?.['kycStatus'], status)
    assert.equal(decided['verification']?.['verificationStatus'], status)
    const plain = await completePerson(platform)
    await submitted(platform, plain)
    await review('hold', plain)
    assert.equal((await review(what, plain))['customer']?.['kycStatus'], status)
  }
})

test('VER-20 a review is decided as it was seen, where that is said', async () => {
  const { customer, verification } = await underReview()
  const { state } = await review('show', customer)
  assert.equal(state, `PENDING/PENDING_MANUAL_REVIEW/${text(verification.updatedAt)}`)
  await review('hold', customer, '--expect', text(state))
  for (const seen of [text(state), 'PENDING', 'PENDING/PENDING_MANUAL_REVIEW', 'HOL']) {
    await assert.rejects(review('approve', customer, '--expect', seen), {
      code: 'CONFLICT',
      details: { state: text(state).replace('PENDING/', 'HOLD/') },
    })
  }
  await assert.rejects(review('release', customer, '--expect', 'PENDING'), { code: 'CONFLICT' })
  assert.equal(await statusOf(customer), 'HOLD')
  await review('approve', verification, '--expect', 'HOLD')
  assert.equal(await statusOf(customer), 'APPROVED')
  assert.equal((await review('show', customer))['state'], 'APPROVED')
})

test('DOC-12 after a hold with an error the papers of the former decision can be replaced', async () => {
  const customer = await createCustomer(platform, PERSON_DATA)
  const passport = await uploadPaper(platform, customer)
  await submitted(platform, customer)
  expectError(await replace(platform, passport.id), 409, 'CONFLICT')
  await review('hold', customer, ...error({ type: 'EXPIRED_DOCUMENT', resourceId: passport.id }))
  expectStatus(await replace(platform, passport.id), 200)
  assert.deepEqual(errorsOf(await submitted(platform, customer)), [])
  expectError(await replace(platform, passport.id), 409, 'CONFLICT')
})

test('DOC-12 VER-23 once a hold is released the papers of the former decision are locked again', async () => {
  const customer = await createCustomer(platform, PERSON_DATA)
  const passport = await uploadPaper(platform, customer)
  const decided = await submitted(platform, customer)
  await review('hold', customer, ...error({ type: 'EXPIRED_DOCUMENT', resourceId: passport.id }))
  await review('release', customer)
  const details = expectError(await replace(platform, passport.id), 409, 'CONFLICT')
  assert.equal(details['verificationId'], decided.id)
  expectError(await platform.api.delete(`/documents/${passport.id}`), 409, 'CONFLICT')
})

test('VER-26 review list shows undecided work, oldest first, by platform and status', async () => {
  const on = await newPlatform()
  const lines = async (...rest: string[]) =>
    items(await operate(kit, 'review list', '--platform', on.platformId, ...rest))
  assert.deepEqual(await lines(), [])
  const { customer, verification } = await underReview(on)
  const business = await businessUnderReview(on)
  await createCustomer(on)
  const decided = await completePerson(on)
  await submitted(on, decided)
  const [first, second, ...rest] = await lines()
  assert.deepEqual(rest, [])
  assert.deepEqual(first, {
    verificationId: verification.id,
    customerId: customer.id,
    platformId: on.platformId,
    customerType: 'INDIVIDUAL',
    customerName: 'Maria 001',
    verificationStatus: 'PENDING_MANUAL_REVIEW',
    status: 'PENDING',
    submittedAt: verification.updatedAt,
    reasons: ['SUBMITTED'],
  })
  assert.equal(second?.['customerId'], business.customer.id)
  assert.deepEqual(await lines('--limit', '1'), [first])
  assert.equal((await lines('--status', 'IN_PROGRESS')).length, 1)
  await assert.rejects(lines('--status', 'OPEN'), /--status is one of RESOLVE_ERRORS,/)
  assert.equal((await lines('--status', 'PENDING')).length, 2)
  await review('hold', decided)
  assert.equal((await lines('--status', 'HOLD'))[0]?.['customerId'], decided.id)
  await review('approve', customer)
  assert.equal((await lines('--status', 'PENDING')).length, 1)
  const all = items(await operate(kit, 'review list'))
  assert.ok(all.length > 2)
})

test('VER-9 review show tells what was submitted, whatever was changed since', async () => {
  const { customer, verification } = await businessUnderReview()
  const change = { customerType: 'BUSINESS', businessInfo: { legalName: 'Renamed Inc.' } }
  expectStatus(await platform.api.patch(`/customers/${customer.id}`, change), 200)
  const shown = await review('show', verification)
  assert.equal(shown['customer']?.['businessInfo']?.['legalName'], 'Renamed Inc.')
  assert.equal(shown['snapshot']?.['customer']?.['businessInfo']?.['legalName'], 'Acme Inc.')
  assert.equal(items(shown['documents']).length, 4)
  const digests = items(shown['snapshot']?.['documents']).map(({ digest }) => text(digest))
  assert.ok(digests.every((digest) => /^[0-9a-f]{64}$/.test(digest)))
  assert.equal(items(shown['beneficialOwners']).length, 1)
  assert.deepEqual(shown['verification'], verification)
})

test('CORE-90 CORE-92 OPER-56 review show has government numbers in full only when asked for, which is audited', async () => {
  const { customer } = await businessUnderReview()
  const taxIdsIn = (body: Body) =>
    [body, body['snapshot']].map((one) => one?.['customer']?.['businessInfo']?.['taxId'])
  const paperNumbersIn = (body: Body) => [
    ...new Set(
      [body, body['snapshot']].flatMap((one) =>
        items(one?.['documents']).map(({ documentNumber }) => documentNumber),
      ),
    ),
  ]
  const entries = async () =>
    items(await operate(kit, 'audit list', '--resource', customer.id)).map(({ action }) =>
      text(action),
    )
  const shown = await review('show', customer)
  assert.deepEqual(taxIdsIn(shown), ['**-***6789', '**-***6789'])
  assert.deepEqual(paperNumbersIn(shown), ['****4567'])
  assert.doesNotMatch(JSON.stringify(shown), /123-45-6789|12-3456789|X1234567/)
  assert.ok(!(await entries()).includes('review reveal'))
  const revealed = await review('show', customer, '--reveal')
  assert.deepEqual(taxIdsIn(revealed), ['12-3456789', '12-3456789'])
  assert.deepEqual(paperNumbersIn(revealed), ['X1234567'])
  const [owner] = items(revealed['snapshot']?.['beneficialOwners'])
  assert.equal(owner?.['personalInfo']?.['identifier'], '123-45-6789')
  assert.ok((await entries()).includes('review reveal'))
  const decided = await review('approve', customer)
  assert.equal(decided['customer']?.['businessInfo']?.['taxId'], '**-***6789')
})

test('VER-26 review document writes the file that was uploaded', async () => {
  const customer = await createCustomer(platform)
  const document = await uploadPaper(platform, customer)
  const folder = await mkdtemp(join(tmpdir(), 'florin-review-'))
  const to = join(folder, 'passport.pdf')
  await operate(kit, `review document ${document.id}`, '--to', to)
  assert.deepEqual(await readFile(to), pdf().bytes)
  assert.equal((await stat(to)).mode & 0o077, 0)
  await rm(folder, { recursive: true })
})

test('VER-25 every decision is audited with operator, note and snapshot', async () => {
  const { verification } = await underReview()
  await review('approve', verification, '--note', 'looks fine')
  const entry = await kit.florin.deps.db.read.one<Record<string, string>>(
    sql`select actor, action, n.note from audit_entries join audit_notes n on n.entry_id = id
        where resource = ${verification.id} and action like 'review%'`,
  )
  assert.equal(entry['actor'], LOCAL_ACTOR)
  assert.equal(entry['action'], 'review approve')
  assert.match(entry['note'] ?? '', /^snapshot [0-9a-f-]{36}: looks fine$/)
})

test('VER-33 a refused step changes and tells nothing', async () => {
  const on = await newPlatform()
  const { customer } = await underReview(on)
  const [before, emitted] = [await readCustomer(on, customer), await eventTypes(on)]
  await assert.rejects(review('return', customer, ...error({ type: 'APPLICANT_FRAUD' })), invalid)
  await assert.rejects(review('release', customer), refused)
  assert.deepEqual(await readCustomer(on, customer), before)
  assert.deepEqual(await eventTypes(on), emitted)
  expectStatus(await submit(on, customer), 200)
})
