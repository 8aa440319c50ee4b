import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { test } from 'node:test'
import {
  basicAuth,
  expectError,
  expectFields,
  expectStatus,
  items,
  text,
  type HasId,
} from '../../../test/kit/api.ts'
import { createOwner } from '../../../test/kit/onboarding/beneficial-owners.ts'
import { BUSINESS, createCustomer } from '../../../test/kit/customers.ts'
import {
  blurredPhoto,
  croppedPhoto,
  type DocumentFile,
  encryptedPdf,
  goodPhoto,
  goodPng,
  greyPhoto,
  pdf,
  smallPhoto,
  truncatedPdf,
  truncatedPhoto,
} from '../../../test/kit/onboarding/document-files.ts'
import {
  LICENSE,
  PASSPORT,
  sendForm,
  uploadDocument,
  type Fields,
} from '../../../test/kit/onboarding/documents.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { newUuid } from '../../kernel/ids.ts'

const kit = await startOwnKit()
const platform = await kit.platform({ kind: 'UNREGULATED' })
const { api } = platform
const photo = await goodPhoto()

const person = () => createCustomer(platform)

const upload = (fields: Fields, file: DocumentFile | undefined = photo) =>
  sendForm(api, { fields, file })

const passportOf = ({ id }: HasId): Fields => ({ ...PASSPORT, documentHolder: id })

const replace = ({ id }: HasId, fields: Fields, file: DocumentFile | undefined = photo) =>
  sendForm(api, { method: 'PUT', path: `/documents/${id}`, fields, file })

async function list(query: Record<string, string | number> = {}) {
  return expectStatus(await api.get('/documents', { query }), 200).data
}

async function storedFiles(): Promise<string[]> {
  const entries = await readdir(kit.dataDir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

test('DOC-8 an upload answers the data of the document and nothing of the file', async () => {
  const customer = await person()
  const answer = await upload({ ...LICENSE, documentHolder: customer.id, country: 'BR' })
  const document = expectStatus(answer, 201)
  assert.deepEqual(document, {
    ...LICENSE,
    country: 'BR',
    id: document.id,
    documentHolder: customer.id,
    fileName: 'photo.jpg',
    createdAt: document.createdAt,
    updatedAt: document.createdAt,
  })
  assert.match(document.id, /^Document:[0-9a-f-]{36}$/)
  const read = await api.get(`/documents/${document.id}`)
  assert.deepEqual(expectStatus(read, 200), document)
})

test('DOC-1 every missing or malformed part is named at once', async () => {
  expectFields(await sendForm(api, { fields: {} }), [
    'documentHolder',
    'documentType',
    'country',
    'file',
  ])
  const wrong = { documentHolder: 'x', documentType: 'LETTER', country: 'XX', side: 'LEFT' }
  expectFields(await sendForm(api, { fields: { ...wrong, documentNumber: 'n'.repeat(65) } }), [
    'documentHolder',
    'documentType',
    'country',
    'side',
    'documentNumber',
    'file',
  ])
  expectFields(await upload({ ...PASSPORT, documentHolder: 'Quote:x' }), ['documentHolder'])
})

test('DOC-1 a file sent as text, text sent as a file, and a part sent twice are named', async () => {
  const customer = await person()
  expectFields(await sendForm(api, { fields: { ...passportOf(customer), file: 'abc' } }), ['file'])
  const form = new FormData()
  for (const [name, value] of Object.entries(passportOf(customer))) form.append(name, String(value))
  form.append('country', 'DE')
  form.set('documentType', new Blob(['PASSPORT']), 'x.txt')
  form.append('file', new Blob([new Uint8Array(photo.bytes)]), 'x.jpg')
  expectFields(await api.send('POST', '/documents', { body: form }), ['country', 'documentType'])
})

test('DOC-1 CORE-2 a body that is no form is refused', async () => {
  const json = { 'content-type': 'application/json' }
  for (const [method, path] of [
    ['POST', '/documents'],
    ['PUT', `/documents/Document:${newUuid()}`],
  ] as const) {
    const answer = await api.send(method, path, { headers: json, body: JSON.stringify(PASSPORT) })
    expectError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
    const form = { 'content-type': 'multipart/form-data; boundary=x' }
    const cut = await api.send(method, path, { headers: form, body: '--x\r\nContent-' })
    expectError(cut, 400, 'INVALID_REQUEST_FORMAT')
  }
  expectFields(await api.send('POST', '/documents'), [
    'documentHolder',
    'documentType',
    'country',
    'file',
  ])
})

test('CORE-2 a form that is not UTF-8 is refused as JSON is, and stores nothing', async () => {
  const before = await storedFiles()
  const form = new FormData()
  const fields = { ...passportOf(await person()), documentNumber: 'NUMBER' }
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append('file', new Blob([new Uint8Array(photo.bytes)]), 'x.jpg')
  const encoded = new Response(form)
  const text = Buffer.from(await encoded.arrayBuffer()).toString('latin1')
  const body = Buffer.from(text.replace('NUMBER', 'X\u00ff\u00fe7'), 'latin1')
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
  const answer = await api.send('POST', '/documents', { body, headers })
  const { reason } = expectError(answer, 400, 'INVALID_REQUEST_FORMAT')
  assert.equal(reason, 'The body is not valid UTF-8.')
  assert.deepEqual(await storedFiles(), before)
})

test('CORE-8 unknown parts are ignored and named in a warning', async () => {
  const customer = await person()
  const answer = await upload({ ...passportOf(customer), colour: 'red' })
  expectStatus(answer, 201)
  assert.equal(answer.headers.get('ignored-fields'), 'colour')
})

test('DOC-2 an unknown, foreign or deleted holder is not found', async () => {
  const unknown = { ...PASSPORT, documentHolder: `Customer:${newUuid()}` }
  expectError(await upload(unknown), 404, 'USER_NOT_FOUND')
  const owner = { ...PASSPORT, documentHolder: `BeneficialOwner:${newUuid()}` }
  expectError(await upload(owner), 404, 'REFERENCE_NOT_FOUND')
  const other = await kit.platform()
  const business = await createCustomer(other, BUSINESS)
  const stranger = await createOwner(other, business.id)
  expectError(await upload(passportOf(business)), 404, 'USER_NOT_FOUND')
  expectError(await upload(passportOf(stranger)), 404, 'REFERENCE_NOT_FOUND')
  const deleted = await person()
  const document = await uploadDocument(platform, passportOf(deleted))
  expectStatus(await api.delete(`/customers/${deleted.id}`), 200)
  expectError(await upload(passportOf(deleted)), 404, 'USER_NOT_FOUND')
  expectError(await replace(document, PASSPORT), 404, 'USER_NOT_FOUND')
  expectError(await api.delete(`/documents/${document.id}`), 404, 'USER_NOT_FOUND')
  expectStatus(await api.get(`/documents/${document.id}`), 200)
})

test('DOC-3 an identity document needs its number and its authority, another does not', async () => {
  const { id } = await person()
  const bare = { documentHolder: id, documentType: 'PASSPORT', country: 'US' }
  expectFields(await upload(bare), ['documentNumber', 'issuingAuthority'])
  expectFields(await upload({ ...bare, documentType: 'NATIONAL_ID', documentNumber: 'x' }), [
    'issuingAuthority',
    'side',
  ])
  expectFields(await upload({ ...bare, documentNumber: ' ', issuingAuthority: '' }), [
    'documentNumber',
    'issuingAuthority',
  ])
  expectStatus(await upload({ ...bare, documentType: 'UTILITY_BILL' }), 201)
})

const SIDES = [
  ['DRIVERS_LICENSE', undefined, ['FRONT', 'BACK']],
  ['NATIONAL_ID', undefined, ['FRONT', 'BACK']],
  ['NATIONAL_ID', 'BACK', undefined],
  ['PASSPORT', undefined, undefined],
  ['PASSPORT', 'FRONT', undefined],
  ['PASSPORT', 'BACK', ['FRONT']],
  ['UTILITY_BILL', 'BACK', undefined],
] as const

for (const [documentType, side, allowed] of SIDES) {
  test(`DOC-4 ${documentType} with side ${side}: ${allowed ? 'refused' : 'taken'}`, async () => {
    const { id } = await person()
    const answer = await upload({ ...PASSPORT, documentHolder: id, documentType, side })
    if (!allowed) return void expectStatus(answer, 201)
    const [error] = expectFields(answer, ['side'])
    assert.deepEqual(error?.['constraint'], { enum: allowed })
  })
}

test('DOC-5 a type that the holder cannot hold is UNSUITABLE_DOCUMENT and names those it can', async () => {
  const customer = await person()
  const business = await createCustomer(platform, BUSINESS)
  const owner = await createOwner(platform, business.id)
  for (const [holder, documentType, accepted, foreign] of [
    [customer, 'SHAREHOLDER_REGISTER', 'PASSPORT', 'BUSINESS_LICENSE'],
    [owner, 'CERTIFICATE_OF_INCORPORATION', 'SELFIE', 'DIRECTOR_REGISTRY'],
    [business, 'PASSPORT', 'TRUST_AGREEMENT', 'SELFIE'],
  ] as const) {
    const answer = await upload({ ...passportOf(holder), documentType })
    const details = expectError(answer, 400, 'UNSUITABLE_DOCUMENT')
    assert.equal(details['documentType'], documentType)
    const types = items(details['acceptedDocumentTypes']).map((type) => text(type))
    assert.ok(types.includes(accepted) && types.includes('OTHER') && !types.includes(foreign))
  }
  expectStatus(await upload({ ...passportOf(business), documentType: 'PROOF_OF_ADDRESS' }), 201)
  expectStatus(await upload(passportOf(owner)), 201)
})

const named = (file: DocumentFile, change: Partial<DocumentFile>): DocumentFile => ({
  ...file,
  ...change,
})
const gif = { bytes: Buffer.from('GIF89a-and-so-on'), type: 'image/gif', name: 'x.gif' }
const nothing = { bytes: Buffer.alloc(0), type: 'image/jpeg', name: 'x.jpg' }
const late = Buffer.concat([Buffer.alloc(1_000, ' '), pdf().bytes])

const FILES: readonly (readonly [string, DocumentFile, boolean])[] = [
  ['a JPEG', photo, true],
  ['a PNG', await goodPng(), true],
  ['a PDF', pdf(), true],
  ['a PDF that begins within the first 1024 bytes', named(pdf(), { bytes: late }), true],
  ['a JPEG of no declared type', named(photo, { type: '' }), true],
  ['a JPEG as octets', named(photo, { type: 'application/octet-stream' }), true],
  ['a JPEG called image/jpg', named(photo, { type: 'image/jpg' }), true],
  [
    'a PNG named .pdf and declared as octets',
    named(await goodPng(), { name: 'x.pdf', type: '' }),
    true,
  ],
  [
    'a PNG named .pdf and declared a PDF',
    named(await goodPng(), { name: 'x.pdf', type: 'application/pdf' }),
    false,
  ],
  ['a PDF declared a JPEG', named(pdf(), { type: 'image/jpeg' }), false],
  ['a GIF', gif, false],
  ['a GIF declared a PNG', named(gif, { type: 'image/png' }), false],
  ['an empty file', nothing, false],
]

for (const [what, file, isTaken] of FILES) {
  test(`DOC-6 ${what} is ${isTaken ? 'taken' : 'refused at file'}`, async () => {
    const answer = await upload(passportOf(await person()), file)
    if (isTaken) expectStatus(answer, 201)
    else expectFields(answer, ['file'])
  })
}

test('DOC-7 a file of exactly 10,485,760 bytes is taken, one byte more is PAYLOAD_TOO_LARGE', async () => {
  const customer = await person()
  const bill = { ...passportOf(customer), documentType: 'UTILITY_BILL' }
  const largest = pdf({ bytes: 10_485_760 })
  assert.equal(largest.bytes.length, 10_485_760)
  expectStatus(await upload(bill, largest), 201)
  const before = await storedFiles()
  expectError(await upload(bill, pdf({ bytes: 10_485_761 })), 413, 'PAYLOAD_TOO_LARGE')
  const more = { ...pdf(), bytes: Buffer.alloc(30_000_000, 'x') }
  expectError(await upload(bill, more), 413, 'PAYLOAD_TOO_LARGE')
  assert.deepEqual(await storedFiles(), before)
})

test('DOC-10 a photo that cannot be read is DOCUMENT_REJECTED, with what to do about it', async () => {
  const customer = await person()
  for (const [file, reason] of [
    [await blurredPhoto(), 'OUT_OF_FOCUS'],
    [await greyPhoto(), 'NOT_IN_COLOR'],
    [await croppedPhoto(), 'CORNERS_NOT_VISIBLE'],
    [await truncatedPhoto(), 'UNREADABLE'],
    [encryptedPdf(), 'UNREADABLE'],
  ] as const) {
    const details = expectError(await upload(passportOf(customer), file), 422, 'DOCUMENT_REJECTED')
    assert.deepEqual(details['reasons'], [reason])
    assert.equal(items(details['advice']).length, 1)
  }
  assert.deepEqual(await list({ documentHolder: customer.id }), [])
})

test('DOC-9 an upload that is cut off stores nothing', async () => {
  const before = await storedFiles()
  const { port } = new URL(kit.baseUrl)
  const socket = connect({ port: Number(port), host: '127.0.0.1' })
  await once(socket, 'connect')
  const head = [
    'POST /2025-10-13/documents HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: ${basicAuth(platform)}`,
    'Content-Type: multipart/form-data; boundary=x',
    'Content-Length: 9000000',
  ]
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-'
  socket.write(`${head.join('\r\n')}\r\n\r\n${part}${'x'.repeat(500_000)}`)
  await eventually(async () => assert.equal((await storedFiles()).length, before.length + 1))
  socket.destroy()
  await eventually(async () => assert.deepEqual(await storedFiles(), before))
})

test('DOC-10 the checks run on regulated and on production platforms too', async () => {
  for (const options of [{ kind: 'REGULATED' }, { environment: 'PRODUCTION' }] as const) {
    const other = await kit.platform(options)
    const customer = await createCustomer(other)
    const fields = passportOf(customer)
    const answer = await sendForm(other.api, { fields, file: await blurredPhoto() })
    expectError(answer, 422, 'DOCUMENT_REJECTED')
    expectStatus(await sendForm(other.api, { fields, file: photo }), 201)
  }
})

test('DOC-10 in sandbox neither the size of a picture nor the end of a PDF is checked, in production both are', async () => {
  const other = await kit.platform({ environment: 'PRODUCTION' })
  const customer = await createCustomer(other)
  for (const [file, reason] of [
    [await smallPhoto(), 'RESOLUTION_TOO_LOW'],
    [truncatedPdf(), 'UNREADABLE'],
  ] as const) {
    expectStatus(await upload(passportOf(await person()), file), 201)
    const refused = await sendForm(other.api, { fields: passportOf(customer), file })
    const details = expectError(refused, 422, 'DOCUMENT_REJECTED')
    assert.deepEqual(details['reasons'], [reason])
  }
})

const BY_NAME = [
  ['id-unreadable.jpg', ['UNREADABLE']],
  ['ID-Low-Quality.jpg', ['RESOLUTION_TOO_LOW']],
  ['my-blurred-low-quality-id.jpg', ['RESOLUTION_TOO_LOW', 'OUT_OF_FOCUS']],
] as const

for (const [name, reasons] of BY_NAME) {
  test(`DOC-17 in sandbox ${name} is refused as ${reasons.join(' and ')}, by POST and PUT`, async () => {
    const customer = await person()
    const document = await uploadDocument(platform, passportOf(customer))
    for (const file of [
      { ...photo, name },
      { ...pdf(), name },
    ]) {
      for (const answer of [
        await upload(passportOf(customer), file),
        await replace(document, PASSPORT, file),
      ]) {
        const details = expectError(answer, 422, 'DOCUMENT_REJECTED')
        assert.deepEqual(details['reasons'], reasons)
        assert.equal(items(details['advice']).length, reasons.length)
      }
    }
    assert.deepEqual(await list({ documentHolder: customer.id }), [document])
  })
}

test('DOC-17 a name adds to what is found, comes after the form of the file, and means nothing in production', async () => {
  const customer = await person()
  const grey = { ...(await greyPhoto()), name: 'x-low-quality.jpg' }
  const details = expectError(await upload(passportOf(customer), grey), 422, 'DOCUMENT_REJECTED')
  assert.deepEqual(details['reasons'], ['RESOLUTION_TOO_LOW', 'NOT_IN_COLOR'])
  const gif = { bytes: Buffer.from('GIF89a'), type: 'image/gif', name: 'x-unreadable.gif' }
  expectFields(await upload(passportOf(customer), gif), ['file'])
  const other = await kit.platform({ environment: 'PRODUCTION' })
  const fields = passportOf(await createCustomer(other))
  for (const [name] of BY_NAME) {
    expectStatus(await sendForm(other.api, { fields, file: { ...photo, name } }), 201)
  }
})

test('CORE-32 existence is checked before suitability, and both before the inspection', async () => {
  const blurred = await blurredPhoto()
  const unknown = { ...PASSPORT, documentHolder: `Customer:${newUuid()}` }
  expectError(await upload(unknown, blurred), 404, 'USER_NOT_FOUND')
  const unsuitable = { ...passportOf(await person()), documentType: 'TRUST_AGREEMENT' }
  expectError(await upload(unsuitable, blurred), 400, 'UNSUITABLE_DOCUMENT')
})

test('DOC-9 a refused upload stores nothing, neither in the list nor on disk', async () => {
  const customer = await person()
  const before = await storedFiles()
  expectFields(await upload({ ...passportOf(customer), country: 'XX' }), ['country'])
  expectError(await upload(passportOf(customer), await blurredPhoto()), 422, 'DOCUMENT_REJECTED')
  const unsuitable = { ...passportOf(customer), documentType: 'TRUST_AGREEMENT' }
  expectError(await upload(unsuitable), 400, 'UNSUITABLE_DOCUMENT')
  const headers = { 'idempotency-key': newUuid() }
  const keyed = { fields: passportOf(customer), file: await greyPhoto(), headers }
  expectError(await sendForm(api, keyed), 422, 'DOCUMENT_REJECTED')
  const again = await sendForm(api, keyed)
  expectError(again, 422, 'DOCUMENT_REJECTED')
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(await storedFiles(), before)
  assert.deepEqual(await list({ documentHolder: customer.id }), [])
})

test('DOC-11 a replacement keeps id, holder and creation, and has all checks of an upload', async () => {
  const customer = await person()
  const document = await uploadDocument(platform, passportOf(customer))
  const before = await storedFiles()
  expectFields(await replace(document, { ...PASSPORT, documentNumber: undefined }), [
    'documentNumber',
  ])
  expectError(await replace(document, PASSPORT, await blurredPhoto()), 422, 'DOCUMENT_REJECTED')
  const unsuitable = { ...PASSPORT, documentType: 'TRUST_AGREEMENT' }
  expectError(await replace(document, unsuitable), 400, 'UNSUITABLE_DOCUMENT')
  assert.deepEqual(expectStatus(await api.get(`/documents/${document.id}`), 200), document)
  assert.deepEqual(await storedFiles(), before)

  const bill = { documentType: 'UTILITY_BILL', country: 'DE' }
  const replaced = expectStatus(await replace(document, bill, pdf()), 200)
  assert.deepEqual(replaced, {
    ...bill,
    id: document.id,
    documentHolder: customer.id,
    fileName: 'paper.pdf',
    createdAt: document.createdAt,
    updatedAt: replaced.updatedAt,
  })
  assert.ok(text(replaced.updatedAt) > text(document.updatedAt))
  const after = await storedFiles()
  assert.equal(after.length, before.length)
  assert.equal(after.filter((file) => before.includes(file)).length, before.length - 1)
})

test('DOC-13 a deleted document is not found, and its bytes are erased', async () => {
  const customer = await person()
  const before = await storedFiles()
  const document = await uploadDocument(platform, passportOf(customer))
  assert.equal((await storedFiles()).length, before.length + 1)
  const path = `/documents/${document.id}` as const
  const answer = await api.delete(path)
  expectStatus(answer, 204)
  assert.equal(answer.text, '')
  expectError(await api.get(path), 404, 'REFERENCE_NOT_FOUND')
  expectError(await api.delete(path), 404, 'REFERENCE_NOT_FOUND')
  expectError(await replace(document, PASSPORT), 404, 'REFERENCE_NOT_FOUND')
  assert.deepEqual(await storedFiles(), before)
})

test('DOC-13 of twenty deletions at once one happens', async () => {
  const document = await uploadDocument(platform, passportOf(await person()))
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api.delete(`/documents/${document.id}`)),
  )
  const statuses = answers.map(({ status }) => status).toSorted()
  assert.deepEqual(statuses, [204, ...new Array<number>(19).fill(404)])
})

test('DOC-14 the list is newest first, of one holder or of the platform', async () => {
  const own = await kit.platform()
  const business = await createCustomer(own, BUSINESS)
  const owner = await createOwner(own, business.id)
  const bill = { ...PASSPORT, documentType: 'UTILITY_BILL' }
  const ids = []
  for (const { id } of [business, owner, business]) {
    ids.push((await uploadDocument(own, { ...bill, documentHolder: id }, pdf())).id)
  }
  const [first, second, third] = ids
  const listed = async (query: Record<string, string | number>) => {
    const page = expectStatus(await own.api.get('/documents', { query }), 200)
    return { ids: page.data.map(({ id }) => id), page }
  }
  assert.deepEqual((await listed({})).ids, [third, second, first])
  const ofBusiness = await listed({ documentHolder: business.id, limit: 1 })
  assert.deepEqual(ofBusiness.ids, [third])
  assert.equal(ofBusiness.page.totalCount, 2)
  const cursor = text(ofBusiness.page.nextCursor)
  const rest = await listed({ documentHolder: business.id, limit: 1, cursor })
  assert.deepEqual(rest.ids, [first])
  assert.deepEqual((await listed({ documentHolder: owner.id })).ids, [second])
  const query = (documentHolder: string) => ({ query: { documentHolder } })
  expectFields(await api.get('/documents', query('x')), ['documentHolder'])
  expectError(await api.get('/documents', query(owner.id)), 404, 'REFERENCE_NOT_FOUND')
  expectError(await api.get('/documents', query(business.id)), 404, 'USER_NOT_FOUND')
})

test('DOC-15 a repeated upload with another boundary is the same request, another file is not', async () => {
  const customer = await person()
  const headers = { 'idempotency-key': newUuid() }
  const fields = passportOf(customer)
  const first = expectStatus(await sendForm(api, { fields, file: photo, headers }), 201)
  const before = await storedFiles()
  const again = await sendForm(api, { fields, file: photo, headers })
  assert.deepEqual(expectStatus(again, 201), first)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(await storedFiles(), before)
  for (const changed of [
    { fields, file: await goodPng() },
    { fields, file: named(photo, { name: 'other.jpg' }) },
    { fields: { ...fields, country: 'DE' }, file: photo },
  ]) {
    expectError(await sendForm(api, { ...changed, headers }), 409, 'IDEMPOTENCY_KEY_REUSED')
  }
  assert.equal((await list({ documentHolder: customer.id })).length, 1)
  assert.deepEqual(await storedFiles(), before)
})

test('DOC-15 twenty uploads at once under one key are one document', async () => {
  const customer = await person()
  const headers = { 'idempotency-key': newUuid() }
  const request = { fields: passportOf(customer), file: pdf(), headers }
  const answers = await Promise.all(Array.from({ length: 20 }, () => sendForm(api, request)))
  for (const { status } of answers) assert.ok(status === 201 || status === 409)
  assert.equal((await list({ documentHolder: customer.id })).length, 1)
})

test('CORE-90 neither the number nor a byte of a document is readable at rest', async () => {
  const customer = await person()
  const fields = { ...passportOf(customer), documentNumber: 'SECRET-998877' }
  const headers = { 'idempotency-key': newUuid() }
  expectStatus(await sendForm(api, { fields, file: photo, headers }), 201)
  const rows = await kit.florin.deps.db.read.many(
    sql`select d::text from documents d union all select k::text from idempotency_keys k
        union all select a::text from audit_entries a union all select n::text from audit_notes n union all select j::text from jobs j`,
  )
  const stored = JSON.stringify(rows)
  for (const form of ['SECRET-998877', Buffer.from('SECRET-998877').toString('hex')]) {
    assert.ok(!stored.includes(form))
  }
})

test('CORE-92 uploads, replacements and deletions leave their audit entries', async () => {
  const document = await uploadDocument(platform, passportOf(await person()))
  expectStatus(await replace(document, PASSPORT), 200)
  expectStatus(await api.delete(`/documents/${document.id}`), 204)
  const rows = await kit.florin.deps.db.read.many<{ action: string }>(
    sql`select action from audit_entries where resource = ${document.id} order by id`,
  )
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['uploadDocument', 'replaceDocument', 'deleteDocument'],
  )
})
