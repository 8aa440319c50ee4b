import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VerificationError } from '../../../../sdk/src/index.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  type Answer,
  type Body,
  type HasId,
  type Shown,
} from '../../../test/kit/api.ts'
import { createOwner, ownerBody } from '../../../test/kit/onboarding/beneficial-owners.ts'
import { advance } from '../../../test/kit/outside/connect-receiver.ts'
import { BUSINESS, createCustomer, readCustomer } from '../../../test/kit/customers.ts'
import { blurredPhoto, goodPhoto, pdf } from '../../../test/kit/onboarding/document-files.ts'
import { PASSPORT, sendForm } from '../../../test/kit/onboarding/documents.ts'
import { queueAtRow } from '../../../test/kit/database/meet-at-row.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { createKycLink, type KycLink } from '../../../test/kit/onboarding/kyc-links.ts'
import {
  businessData,
  completePerson,
  errorsOf,
  PERSON_DATA,
  eventTypes,
} from '../../../test/kit/onboarding/verification.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { mustParseId } from '../../kernel/ids.ts'

let lateMs = 0
const kit = await startOwnKit({}, { clock: { now: () => new Date(Date.now() + lateMs) } })
const platform = await kit.platform({ kind: 'UNREGULATED' })

const linkOf = (customer: HasId, body?: unknown) => createKycLink(kit, platform, customer, body)

const stateOf = async ({ api }: KycLink) => expectStatus(await api.get('/state'), 200)

const requirementsOf = (state: Body): string[] =>
  errorsOf({ errors: items<Shown<VerificationError>>(state['requirements']) })

test('KYC-27 KYC-28 the state shows what is known but the number, and asks for exactly what is missing', async () => {
  const { address, birthDate, ...given } = PERSON_DATA
  const customer = await createCustomer(platform, given)
  const link = await linkOf(customer, { redirectUri: 'https://example.com/done' })
  const state = await stateOf(link)
  assert.equal(state['customerType'], 'INDIVIDUAL')
  assert.equal(state['status'], 'UNVERIFIED')
  assert.equal(state['expiresAt'], link.answer.expiresAt)
  assert.equal(state['redirectUri'], 'https://example.com/done')
  assert.equal(state['hasIdentifier'], true)
  assert.equal(state['prefill']?.['fullName'], given.fullName)
  assert.ok(!JSON.stringify(state).includes(given.identifier))
  assert.deepEqual(requirementsOf(state), [
    'MISSING_FIELD birthDate',
    'MISSING_FIELD address',
    'MISSING_IDENTITY_DOCUMENT',
  ])
  const changed = expectStatus(await link.api.patch('/customer', { address, birthDate }), 200)
  assert.deepEqual(requirementsOf(changed), ['MISSING_IDENTITY_DOCUMENT'])
})

test('KYC-29 a change is limited to identity fields, and checked like any other', async () => {
  const customer = await createCustomer(platform, { fullName: 'Maria Lopez' })
  const { api } = await linkOf(customer)
  const outside = { email: 'new@example.com', currencies: ['EUR'], umaAddress: '$new@example.com' }
  expectStatus(await api.patch('/customer', { nationality: 'US', ...outside }), 200)
  const { nationality, email, currencies } = await readCustomer(platform, customer)
  assert.deepEqual([nationality, email, currencies], ['US', undefined, customer.currencies])
  const wrong = { birthDate: '2999-01-01', address: { line1: 'x' }, nationality: 'XX' }
  expectFields(await api.patch('/customer', wrong), [
    ...['birthDate', 'address.postalCode', 'address.country', 'nationality'],
  ])
  for (const type of ['text/plain', 'application/json; charset=latin1']) {
    const sent = { body: '{}', headers: { 'content-type': type } }
    expectError(await api.send('PATCH', '/customer', sent), 415, 'UNSUPPORTED_MEDIA_TYPE')
  }
  const broken = { body: '{', headers: { 'content-type': 'application/json' } }
  expectError(await api.send('PATCH', '/customer', broken), 400, 'INVALID_REQUEST_FORMAT')
})

test('CUST-5 KYC-29 what is written is kept without blanks around it and in one Unicode form', async () => {
  const customer = await createCustomer(platform)
  const { api } = await linkOf(customer)
  const number = { idType: 'SSN', identifier: ' 111-22-3333 ', idCountryOfIssuance: 'US' }
  const address = { line1: ' 1 Main St ', postalCode: '94105', country: 'US' }
  const fullName = ' Jose\u0301 Lopez '
  expectStatus(await api.patch('/customer', { fullName, address, ...number }), 200)
  const after = await readCustomer(platform, customer)
  assert.equal(after.fullName, 'Jos\u00e9 Lopez')
  assert.equal(after.address?.line1, '1 Main St')
})

test('CUST-5 BO-4 BO-5 an owner’s number is judged without the blanks around it', async () => {
  const { api } = await linkOf(await createCustomer(platform, BUSINESS))
  const personalInfo = { identifier: ' 123-45-6789 ' }
  const { customerId: _itself, ...body } = ownerBody(undefined, { personalInfo })
  const owner = expectStatus(await api.post('/beneficial-owners', body), 201)
  assert.equal(owner.personalInfo.identifier, '***-**-6789')
})

test('CORE-30 BO-6 everything wrong with an owner is named at once, of this business only', async () => {
  const business = await createCustomer(platform, BUSINESS)
  const { api } = await linkOf(business)
  await createOwner(platform, business.id, { ownershipPercentage: 60 })
  const second = await createOwner(platform, business.id)
  const wrong = { ownershipPercentage: 50, personalInfo: { email: 'nowhere' } }
  const { customerId: _itself, ...body } = ownerBody(undefined, wrong)
  const both = ['ownershipPercentage', 'personalInfo.email']
  expectFields(await api.post('/beneficial-owners', body), both)
  expectFields(await api.patch(`/beneficial-owners/${second.id}`, wrong), both)
  const other = await createCustomer(platform, BUSINESS)
  await createOwner(platform, other.id, { ownershipPercentage: 60 })
  const stranger = await createOwner(platform, other.id)
  const answer = await api.patch(`/beneficial-owners/${stranger.id}`, wrong)
  expectFields(answer, ['personalInfo.email'])
})

test('BO-10 BO-11 owners are added and changed, only those of this business, their number masked', async () => {
  const business = await createCustomer(platform, BUSINESS)
  const { api } = await linkOf(business)
  const { customerId: _itself, ...body } = ownerBody(undefined)
  const owner = expectStatus(await api.post('/beneficial-owners', body), 201)
  assert.equal(owner.customerId, business.id)
  assert.equal(owner.personalInfo.identifier, '***-**-6789')
  const change = { ownershipPercentage: 30 }
  const changed = expectStatus(await api.patch(`/beneficial-owners/${owner.id}`, change), 200)
  assert.equal(changed.ownershipPercentage, 30)
  expectFields(await api.post('/beneficial-owners', { ...body, ownershipPercentage: 71 }), [
    'ownershipPercentage',
  ])
  const other = await createCustomer(platform, BUSINESS)
  const stranger = await createOwner(platform, other.id)
  const answer = await api.patch(`/beneficial-owners/${stranger.id}`, change)
  expectError(answer, 404, 'REFERENCE_NOT_FOUND')
  expectError(await api.patch('/beneficial-owners/x', change), 404, 'REFERENCE_NOT_FOUND')
})

test('DOC-2 DOC-9 DOC-10 a document is the customer’s or an owner’s, and refused like any other', async () => {
  const business = await createCustomer(platform, BUSINESS)
  const link = await linkOf(business)
  const owner = await createOwner(platform, business.id)
  const paper = { documentType: 'UTILITY_BILL', country: 'US' }
  const send = (fields: object, file = pdf()) =>
    sendForm(link.api, { fields: fields as Record<string, unknown>, file })
  const own = expectStatus(await send(paper), 201)
  assert.equal(own.documentHolder, business.id)
  const documentHolder = owner.id
  expectStatus(await send({ ...PASSPORT, documentHolder }, await goodPhoto()), 201)
  const other = await createCustomer(platform, BUSINESS)
  const stranger = await createOwner(platform, other.id)
  const foreign = await send({ ...paper, documentHolder: other.id })
  expectError(foreign, 404, 'USER_NOT_FOUND')
  const foreignOwner = await send({ ...PASSPORT, documentHolder: stranger.id })
  expectError(foreignOwner, 404, 'REFERENCE_NOT_FOUND')
  const blurred = await send({ ...PASSPORT, documentHolder }, await blurredPhoto())
  expectError(blurred, 422, 'DOCUMENT_REJECTED')
  expectFields(await send({ documentHolder, documentType: 'PASSPORT', country: 'US' }), [
    ...['documentNumber', 'issuingAuthority'],
  ])
  expectError(await link.api.post('/documents', {}), 415, 'UNSUPPORTED_MEDIA_TYPE')
  assert.equal(items((await stateOf(link))['documents']).length, 2)
})

test('DOC-10 a photo is inspected before its upload, and not stored', async () => {
  const link = await linkOf(await createCustomer(platform))
  const check = async (file: Awaited<ReturnType<typeof goodPhoto>>) =>
    items(
      expectStatus(
        await sendForm(link.api, { path: '/check', fields: { documentType: 'PASSPORT' }, file }),
        200,
      )['advice'],
    ).map(String)
  assert.deepEqual(await check(await goodPhoto()), [])
  assert.deepEqual(await check(pdf()), [])
  assert.match((await check(await blurredPhoto())).join(), /blurred/)
  const words = { bytes: Buffer.from('hello'), type: 'text/plain', name: 'a.txt' }
  assert.match((await check(words)).join(), /must be a PDF, a JPEG or a PNG/)
  assert.deepEqual(items((await stateOf(link))['documents']), [])
})

test('KYC-24 KYC-29 a submission answers what is missing, and spends the link once nothing is', async () => {
  const own = await kit.platform({ kind: 'UNREGULATED' })
  const customer = await createCustomer(own, PERSON_DATA)
  const redirectUri = 'https://example.com/back'
  const { api } = await createKycLink(kit, own, customer, { redirectUri })
  const first = expectStatus(await api.post('/submit'), 200)
  assert.equal(first['verificationStatus'], 'RESOLVE_ERRORS')
  assert.deepEqual(requirementsOf({ requirements: first['errors']! }), [
    'MISSING_IDENTITY_DOCUMENT',
  ])
  expectStatus(await sendForm(api, { fields: PASSPORT, file: pdf() }), 201)
  const second = expectStatus(await api.post('/submit'), 200)
  assert.deepEqual(second, { verificationStatus: 'APPROVED', errors: [], redirectUri })
  expectError(await api.post('/submit'), 410, 'KYC_LINK_USED')
  expectError(await api.get('/state'), 410, 'KYC_LINK_USED')
  assert.deepEqual(await eventTypes(own), [
    'VERIFICATION.RESOLVE_ERRORS',
    'VERIFICATION.IN_PROGRESS',
    'CUSTOMER.KYC_PENDING',
    'VERIFICATION.APPROVED',
    'CUSTOMER.KYC_APPROVED',
  ])
})

test('KYC-28 KYC-29 of a decided customer nothing is required, and a link changes nothing', async () => {
  const customer = await completePerson(platform)
  const [one, other] = [await linkOf(customer), await linkOf(customer)]
  expectStatus(await one.api.post('/submit'), 200)
  const state = await stateOf(other)
  assert.deepEqual([state['status'], state['requirements']], ['APPROVED', []])
  const answers: Answer[] = [
    await other.api.patch('/customer', { fullName: 'Somebody Else' }),
    await sendForm(other.api, { fields: PASSPORT, file: pdf() }),
  ]
  for (const answer of answers) {
    assert.deepEqual(expectError(answer, 409, 'CONFLICT'), { reason: 'DECIDED' })
  }
  assert.equal((await readCustomer(platform, customer)).fullName, PERSON_DATA.fullName)
  const closed = expectStatus(await other.api.post('/submit'), 200)
  assert.deepEqual(closed, { verificationStatus: 'APPROVED', errors: [] })
  expectError(await other.api.get('/state'), 410, 'KYC_LINK_USED')
})

test('KYC-28 in LIGHT mode nothing is required of a business', async () => {
  const own = await kit.platform()
  const link = await createKycLink(kit, own, await createCustomer(own, BUSINESS))
  assert.deepEqual((await stateOf(link))['requirements'], [])
  assert.equal((await link.api.post('/submit')).body['verificationStatus'], 'APPROVED')
})

test('KYC-25 an unknown link answers 404, an expired one 410, as page and JSON', async () => {
  const own = await kit.platform({ kind: 'UNREGULATED' })
  const [late, gone] = [await createCustomer(own), await createCustomer(own)]
  const expired = await createKycLink(kit, own, late)
  expectStatus(await own.api.delete(`/customers/${gone.id}`), 200)
  const next = await createKycLink(kit, own, late)
  const nowhere = next.url.replace(/[^/]*$/, 'nothing')
  assert.equal((await fetch(nowhere)).status, 404)
  const refused = (await (await fetch(`${nowhere}/state`)).json()) as Body
  assert.equal(refused['code'], 'KYC_LINK_NOT_FOUND')
  await advance(own, 86_401)
  const page = await fetch(expired.url)
  assert.equal(page.status, 410)
  assert.match(await page.text(), /This link has expired/)
  for (const [method, path] of [
    ...[['GET', '/state'] as const, ['POST', '/submit'] as const],
    ...[['PATCH', '/customer'] as const, ['POST', '/beneficial-owners'] as const],
  ]) {
    expectError(await expired.api.send(method, path), 410, 'KYC_LINK_EXPIRED')
  }
  const form = await sendForm(expired.api, { fields: PASSPORT, file: pdf() })
  expectError(form, 410, 'KYC_LINK_EXPIRED')
})

test('KYC-25 a deleted customer’s link is expired', async () => {
  const customer = await createCustomer(platform)
  const link = await linkOf(customer)
  expectStatus(await platform.api.delete(`/customers/${customer.id}`), 200)
  expectError(await link.api.get('/state'), 410, 'KYC_LINK_EXPIRED')
  assert.equal((await fetch(link.url)).status, 410)
})

type HostedAction = (api: KycLink['api'], ownerId: string) => Promise<Answer>
const { customerId: _none, ...newOwner } = ownerBody(undefined)
const hostedActions: Readonly<Record<string, HostedAction>> = {
  'a submission': (api) => api.post('/submit'),
  'a change of the customer': (api) => api.patch('/customer', { legalName: 'Acme GmbH' }),
  'a new owner': (api) => api.post('/beneficial-owners', newOwner),
  'a change of an owner': (api, id) =>
    api.patch(`/beneficial-owners/${id}`, { ownershipPercentage: 30 }),
  'a document': (api) => sendForm(api, { fields: PASSPORT, file: pdf() }),
}

for (const [name, act] of Object.entries(hostedActions)) {
  test(`KYC-25 ${name} that waits for the deletion of the customer finds the link expired`, async () => {
    const customer = await createCustomer(platform, BUSINESS)
    const owner = await createOwner(platform, customer.id)
    const { api } = await linkOf(customer)
    const id = mustParseId('customer', customer.id)
    const row = sql`select from customers where id = ${id} for update`
    const [deletion, answer] = await queueAtRow(kit, row, [
      () => platform.api.delete(`/customers/${customer.id}`),
      () => act(api, owner.id),
    ])
    expectStatus(deletion, 200)
    expectError(answer, 410, 'KYC_LINK_EXPIRED')
  })
}

test('CORE-93 nothing of a link is cached, passed on, framed or indexed', async () => {
  const customer = await createCustomer(platform)
  const { url, api } = await linkOf(customer)
  const wanted = `MISSING_IDENTITY_DOCUMENT ${customer.id} PASSPORT`
  const papers = `/papers?for=${encodeURIComponent(wanted)}`
  const [page, state] = [await fetch(url), await api.get('/state')]
  const send = (method: string, path: string, type: string, body = '{}') =>
    fetch(`${url}${path}`, { method, headers: { 'content-type': type }, body })
  const answers = [
    [200, page],
    [200, state],
    [404, await fetch(`${url}x`)],
    [404, await fetch(`${url}/nothing`)],
    [405, await fetch(url, { method: 'DELETE' })],
    [415, await send('PATCH', '/customer', 'text/plain')],
    [415, await send('POST', papers, 'text/plain')],
    [400, await send('POST', papers, 'multipart/form-data; boundary=x')],
    [413, await send('POST', '/details', 'text/plain', 'x'.repeat(2_000_000))],
  ] as const
  for (const [status, answer] of answers) {
    const { headers } = answer
    assert.equal(answer.status, status)
    assert.equal(headers.get('cache-control'), 'no-store', String(status))
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('x-robots-tag'), 'noindex')
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  }
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; script-src 'sha256-/)
  assert.doesNotMatch(policy, /unsafe|https?:|\*/)
  assert.doesNotMatch(await page.text(), /(?:src|href)="(?:https?:)?\/\//)
})

test('CORE-93 a form on another site is refused', async () => {
  const { url, api } = await linkOf(await createCustomer(platform))
  const headers = { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' }
  const change = { method: 'PATCH', headers, body: '{"fullName":"Eve Mallory"}' }
  expectError(await api.send('PATCH', '/customer', change), 403, 'FORBIDDEN')
  const page = url.split('?')[0] ?? ''
  for (const step of ['details', 'owners', 'finish', 'papers']) {
    const body = step === 'papers' ? new FormData() : 'fullName=Eve'
    const posted = await fetch(`${page}/${step}`, {
      ...{ method: 'POST', body },
      headers: { 'sec-fetch-site': 'same-site' },
    })
    assert.equal(posted.status, 403, step)
    assert.match(await posted.text(), /came from another website/)
  }
  assert.equal((await fetch(url, { headers: { 'sec-fetch-site': 'cross-site' } })).status, 200)
})

test('KYC-21 a link takes sixty requests in any minute, then 429', async () => {
  const { url, api } = await linkOf(await createCustomer(platform))
  const ask = async (times: number) => {
    const [states, pages] = await Promise.all([
      Promise.all(Array.from({ length: times }, () => api.get('/state'))),
      Promise.all(Array.from({ length: times }, () => fetch(url))),
    ])
    const taken = [...states, ...pages].filter(({ status }) => status === 200).length
    return { taken }
  }
  assert.equal((await ask(10)).taken, 20)
  lateMs += 30_000
  assert.equal((await ask(40)).taken, 40, 'what is left of the sixty')
  expectError(await api.get('/state'), 429, 'RATE_LIMITED')
  const page = await fetch(url)
  const waitSeconds = Number(page.headers.get('retry-after'))
  assert.ok(waitSeconds > 0 && waitSeconds <= 30, 'until the first ones are a minute old')
  assert.match(await page.text(), /One moment/)
  lateMs += 30_000
  assert.equal((await ask(40)).taken, 20)
  const other = await linkOf(await createCustomer(platform))
  assert.equal((await other.api.get('/state')).status, 200, 'another link has its own')
})

test('KYC-21 DOC-10 a link has ten inspections in any minute, then 429', async () => {
  const customer = await createCustomer(platform)
  const { url, api } = await linkOf(customer)
  const file = pdf()
  const check = (bytes: number) =>
    sendForm(api, { path: '/check', fields: {}, file: pdf({ bytes }) })
  const racing = await Promise.all(Array.from({ length: 12 }, (_, n) => check(1_000 + n)))
  assert.equal(racing.filter(({ status }) => status === 200).length, 10)
  const refused = await sendForm(api, { fields: PASSPORT, file })
  expectError(refused, 429, 'RATE_LIMITED')
  const waitSeconds = Number(refused.headers.get('retry-after'))
  assert.ok(waitSeconds > 0 && waitSeconds <= 60, 'until the first ones are a minute old')
  const paper = new FormData()
  for (const [name, value] of Object.entries(PASSPORT)) paper.append(name, value)
  paper.append('file', new Blob([new Uint8Array(file.bytes)], { type: file.type }), file.name)
  const wanted = `MISSING_IDENTITY_DOCUMENT ${customer.id} PASSPORT`
  const papers = `${url}/papers?for=${encodeURIComponent(wanted)}`
  const page = await fetch(papers, { method: 'POST', body: paper })
  assert.equal(page.status, 429)
  assert.ok(Number(page.headers.get('retry-after')) > 0)
  assert.match(await page.text(), /One moment/)
  assert.equal((await api.get('/state')).status, 200, 'all else goes on')
  const other = await linkOf(customer)
  expectStatus(await sendForm(other.api, { fields: PASSPORT, file }), 201)
  lateMs += 60_000
  expectStatus(await check(2_000), 200)
})

test('KYC-21 DOC-10 a document that is inspected before it is sent counts once', async () => {
  const { api } = await linkOf(await createCustomer(platform))
  const { documentType } = PASSPORT
  for (let n = 0; n < 10; n += 1) {
    const file = pdf({ bytes: 1_000 + n })
    expectStatus(await sendForm(api, { path: '/check', fields: { documentType }, file }), 200)
    expectStatus(await sendForm(api, { fields: PASSPORT, file }), 201)
  }
  expectError(await sendForm(api, { fields: PASSPORT, file: pdf() }), 429, 'RATE_LIMITED')
})

test('VER-4 while a contact has to be confirmed again nothing can be submitted, and the page says why', async () => {
  const email = 'maria@example.com'
  const given = { ...PERSON_DATA, region: 'NO', email }
  const customer = await createCustomer(platform, given)
  const confirm = `/customers/${customer.id}/verify-email`
  expectStatus(await platform.api.post(confirm), 204)
  expectStatus(await platform.api.post(`${confirm}/confirm`, { code: '123456' }), 200)
  const { url, api } = await linkOf(customer)
  expectStatus(await sendForm(api, { fields: PASSPORT, file: pdf() }), 201)
  const change = { customerType: 'INDIVIDUAL', email: 'other@example.com' }
  expectStatus(await platform.api.patch(`/customers/${customer.id}`, change), 200)
  expectError(await api.post('/submit'), 409, 'CONFLICT')
  const page = await fetch(`${url}/finish`, { method: 'POST' })
  assert.equal(page.status, 409)
  assert.match(await page.text(), /e-mail address or phone number has to be confirmed first/)
  assert.equal((await fetch(url)).status, 200, 'the link is not used up')
})

test('CORE-92 what an applicant does leaves an audit entry', async () => {
  const own = await kit.platform({ kind: 'UNREGULATED' })
  const customer = await createCustomer(own, businessData())
  const { api } = await createKycLink(kit, own, customer)
  expectStatus(await api.patch('/customer', { businessInfo: { entityType: 'TRUST' } }), 200)
  const { customerId: _itself, ...owner } = ownerBody(undefined)
  expectStatus(await api.post('/beneficial-owners', owner), 201)
  const paper = { documentType: 'UTILITY_BILL', country: 'US' }
  expectStatus(await sendForm(api, { fields: paper, file: pdf() }), 201)
  expectStatus(await api.post('/submit'), 200)
  const entries = await kit.florin.deps.db.read.many<{ actor: string; action: string }>(
    sql`select actor, action from audit_entries
        where platform_id = ${mustParseId('platform', own.platformId)} and actor like 'page:%' order by at, action`,
  )
  const actor = `page:verification:${customer.id}`
  assert.deepEqual(entries.map(({ action }) => action).toSorted(), [
    'verification details',
    'verification document',
    'verification owner',
    'verification submit',
  ])
  assert.ok(entries.every((entry) => entry.actor === actor))
})

test('DOC-17 in sandbox the name of a file is refused in the hosted flow too, and said before it is sent', async () => {
  const customer = await createCustomer(platform, PERSON_DATA)
  const { api } = await linkOf(customer)
  const file = { ...(await goodPhoto()), name: 'id-low-quality.jpg' }
  const details = expectError(
    await sendForm(api, { fields: PASSPORT, file }),
    422,
    'DOCUMENT_REJECTED',
  )
  assert.deepEqual(details['reasons'], ['RESOLUTION_TOO_LOW'])
  const checked = { path: '/check', fields: { documentType: 'PASSPORT' }, file }
  const { advice } = expectStatus(await sendForm(api, checked), 200)
  assert.deepEqual(advice, details['advice'])
})
