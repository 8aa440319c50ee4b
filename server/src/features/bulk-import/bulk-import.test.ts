import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { BulkCustomerImportJob } from '../../../../sdk/src/index.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  text,
  type Shown,
} from '../../../test/kit/api.ts'
import {
  business,
  csvOf,
  endOf,
  importCsv,
  individual,
  readImport,
  sendCsv,
  startImport,
  umaDomainOf,
  type Row,
} from '../../../test/kit/onboarding/bulk-import.ts'
import {
  createCustomer,
  currencyOf,
  listAccounts,
  listEvents,
} from '../../../test/kit/customers.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { ROWS_AT_ONCE } from './bulk-import.ts'

const kit = await startOwnKit()

const findBy = async ({ api }: TestPlatform, platformCustomerId: string) =>
  expectStatus(await api.get('/customers', { query: { platformCustomerId, limit: 100 } }), 200).data

const countOf = async ({ api }: TestPlatform): Promise<unknown> =>
  expectStatus(await api.get('/customers'), 200).totalCount

const errorsOf = (job: Shown<BulkCustomerImportJob>) => items(job.errors)

async function newPlatform(request: Parameters<typeof kit.platform>[0] = {}) {
  const p = await kit.platform({ currencies: ['USD', 'EUR'], ...request })
  const domain = await umaDomainOf(p)
  return { p, uma: (name: string): string => `$${name}@${domain}` }
}

test('BULK-1 BULK-5 rows become customers as POST /customers makes them', async () => {
  const { p, uma } = await newPlatform()
  const ana = { umaAddress: uma('Ana'), platformCustomerId: 'ana', addressLine2: 'Apt "7", rear' }
  const acme = {
    umaAddress: uma('acme').slice(1),
    platformCustomerId: 'acme',
    businessRegistrationNumber: 'HRB 1',
    email: 'acme@example.com',
  }
  const job = await importCsv(p, csvOf([individual(ana), business(acme)]))
  assert.equal(job.status, 'COMPLETED')
  assert.deepEqual(job.progress, { total: 2, processed: 2, successful: 2, failed: 0 })
  assert.equal(job.errors, undefined)
  assert.match(text(job.completedAt), /Z$/)
  const [person] = await findBy(p, 'ana')
  assert.equal(person?.umaAddress, uma('ana'))
  assert.equal(person.birthDate, '1990-05-17')
  assert.equal(person.address?.line2, 'Apt "7", rear')
  assert.deepEqual(person.currencies, ['USD', 'EUR'])
  assert.equal(person.kycStatus, 'APPROVED')
  assert.deepEqual((await listAccounts(p, person)).map(currencyOf).toSorted(), ['EUR', 'USD'])
  const [company] = await findBy(p, 'acme')
  assert.equal(company?.umaAddress, uma('acme'))
  const info = { legalName: 'Acme Inc.', registrationNumber: 'HRB 1', country: 'US' }
  assert.deepEqual(company.businessInfo, info)
  assert.equal(company.email, 'acme@example.com')
  const [event] = await listEvents(p, 'CUSTOMER.KYC_APPROVED')
  assert.deepEqual(event?.data, person)
})

test('BULK-2 no file, an empty one and text in its place are refused at `file`', async () => {
  const { p } = await newPlatform()
  expectFields(await sendCsv(p.api, ''), ['file'])
  const form = new FormData()
  form.append('other', 'x')
  expectFields(await p.api.send('POST', '/customers/bulk/csv', { body: form }), ['file'])
  const asText = new FormData()
  asText.append('file', 'umaAddress')
  expectFields(await p.api.send('POST', '/customers/bulk/csv', { body: asText }), ['file'])
  const json = await p.api.post('/customers/bulk/csv', {})
  expectError(json, 415, 'UNSUPPORTED_MEDIA_TYPE')
})

test('BULK-2 a file over 100 MiB is refused', async () => {
  const { p } = await newPlatform()
  const content = Buffer.alloc(100 * 1024 * 1024 + 1, 'x')
  expectError(await sendCsv(p.api, content), 413, 'PAYLOAD_TOO_LARGE')
})

test('BULK-2 the answer is an accepted job', async () => {
  const { p, uma } = await newPlatform()
  const answer = await sendCsv(p.api, csvOf([individual({ umaAddress: uma('a') })]))
  const { jobId, status, ...rest } = expectStatus(answer, 202)
  assert.match(jobId, /^Job:/)
  assert.equal(status, 'PENDING')
  assert.deepEqual(rest, {})
  await endOf(p, jobId)
})

const UNUSABLE: readonly (readonly [name: string, content: string | Buffer, details: object])[] = [
  [
    'a header without customerType',
    'umaAddress,platformCustomerId\na,b\n',
    { reason: 'missing_required_column', column: 'customerType' },
  ],
  [
    'Latin-1',
    Buffer.from('umaAddress,platformCustomerId,customerType\n\xe9,b,c\n', 'latin1'),
    { reason: 'not_utf8' },
  ],
  [
    'a quote that is never closed',
    'umaAddress,platformCustomerId,customerType\n"a,b,c\n',
    { reason: 'malformed' },
  ],
  ['a header alone', 'umaAddress,platformCustomerId,customerType\r\n', { reason: 'no_rows' }],
]

for (const [name, content, details] of UNUSABLE) {
  test(`BULK-3 an unusable file fails as a whole: ${name}`, async () => {
    const { p } = await newPlatform()
    const job = await importCsv(p, content)
    assert.equal(job.status, 'FAILED')
    assert.deepEqual(job.progress, { total: 0, processed: 0, successful: 0, failed: 0 })
    const [error, ...rest] = errorsOf(job)
    assert.deepEqual(rest, [])
    assert.equal(error?.correlationId, 'row_1')
    assert.equal(error.code, 'INVALID_CSV_FORMAT')
    assert.ok(error.message.length > 0)
    assert.deepEqual(error.details, details)
    assert.equal(await countOf(p), 0)
    const events = await listEvents(p, 'BULK_UPLOAD.FAILED')
    assert.deepEqual(
      events.map(({ data }) => data),
      [job],
    )
  })
}

test('BULK-3 a stray quote below good rows creates no customer', async () => {
  const { p, uma } = await newPlatform()
  const good = csvOf([individual({ umaAddress: uma('a'), platformCustomerId: 'a' })])
  const job = await importCsv(p, `${good}"stray`)
  assert.equal(job.status, 'FAILED')
  assert.equal(await countOf(p), 0)
})

type Wrong = readonly [because: string, row: Row, code: string, fields: readonly string[]]

const WRONG: readonly Wrong[] = [
  [
    'a date that does not exist',
    individual({ birthDate: '1990-13-01' }),
    'INVALID_INPUT',
    ['birthDate'],
  ],
  ['a date in the future', individual({ birthDate: '2990-01-01' }), 'INVALID_INPUT', ['birthDate']],
  ['no name', individual({ fullName: ' ' }), 'INVALID_INPUT', ['fullName']],
  ['no city, which a file must name', individual({ city: '' }), 'INVALID_INPUT', ['address.city']],
  ['an unknown type', individual({ customerType: 'PERSON' }), 'INVALID_INPUT', ['customerType']],
  ['no type', individual({ customerType: '' }), 'INVALID_INPUT', ['customerType']],
  ['an e-mail address that is none', individual({ email: 'a@b' }), 'INVALID_INPUT', ['email']],
  [
    'a foreign UMA domain alone',
    individual({ umaAddress: '$a@elsewhere.example' }),
    'INVALID_UMA_ADDRESS',
    ['umaAddress'],
  ],
  ['no UMA address', individual({ umaAddress: '' }), 'INVALID_INPUT', ['umaAddress']],
  [
    'a foreign UMA domain among others',
    individual({ umaAddress: '$a@elsewhere.example', birthDate: 'x' }),
    'INVALID_INPUT',
    ['birthDate', 'umaAddress'],
  ],
  [
    'no legal name',
    business({ businessLegalName: '' }),
    'INVALID_INPUT',
    ['businessInfo.legalName'],
  ],
  [
    'a tax id that its country does not know',
    business({ businessTaxId: '1' }),
    'INVALID_INPUT',
    ['businessInfo.taxId'],
  ],
  [
    'a country that is none',
    business({ country: 'usa' }),
    'INVALID_INPUT',
    ['address.country', 'businessInfo.country'],
  ],
]

test('BULK-4 BULK-6 a failed row has the error that the API would answer, and stops no other row', async () => {
  const { p, uma } = await newPlatform()
  const rows = WRONG.map(([, row], n) => ({
    umaAddress: uma(`wrong-${n}`),
    platformCustomerId: `wrong-${n}`,
    ...row,
  }))
  const good = individual({ umaAddress: uma('good'), platformCustomerId: 'good' })
  const job = await importCsv(p, csvOf([...rows, good]))
  assert.equal(job.status, 'COMPLETED')
  const total = rows.length + 1
  const failed = rows.length
  assert.deepEqual(job.progress, { total, processed: total, successful: 1, failed })
  errorsOf(job).forEach((error, n) => {
    const [because, , code, fields] = WRONG[n] as Wrong
    assert.equal(error.correlationId, `wrong-${n}`, because)
    assert.equal(error.code, code, because)
    assert.equal(error.details?.['row'], n + 2, because)
    const named = items(error.details['errors']).map(({ field }) => text(field))
    assert.deepEqual(named.toSorted(), fields, because)
  })
  assert.equal((await findBy(p, 'good')).length, 1)
  assert.equal(await countOf(p), 1)
})

test('BULK-4 BULK-6 a row with too many cells fails, one without an id is named by its number', async () => {
  const { p, uma } = await newPlatform()
  const columns = ['umaAddress', 'customerType', 'platformCustomerId'] as const
  const job = await importCsv(
    p,
    `${columns.join(',')}\n${uma('a')},INDIVIDUAL,p1,more\n\n${uma('b')},INDIVIDUAL\n`,
  )
  assert.equal(job.status, 'FAILED')
  const [tooLong, nameless] = errorsOf(job)
  assert.equal(tooLong?.correlationId, 'p1')
  assert.equal(tooLong.code, 'INVALID_CSV_FORMAT')
  assert.deepEqual(tooLong.details, { row: 2, reason: 'too_many_cells' })
  assert.equal(nameless?.correlationId, 'row_3')
  assert.equal(nameless.code, 'INVALID_INPUT')
})

test('BULK-6 ERR-5 an import with U+0000 in an id or a column name completes', async () => {
  const { p, uma } = await newPlatform()
  const good = individual({ umaAddress: uma('good'), platformCustomerId: 'good' })
  const bad = individual({ umaAddress: uma('bad'), platformCustomerId: 'b\u0000d' })
  const [header = '', ...lines] = csvOf([bad, good]).split('\r\n')
  const job = await importCsv(p, [`${header},full\u0000Name`, ...lines].join('\r\n'))
  assert.deepEqual(job.progress, { total: 2, processed: 2, successful: 1, failed: 1 })
  const [error] = errorsOf(job)
  assert.equal(error?.correlationId, 'row_2')
  assert.equal(error.details?.['row'], 2)
  assert.equal((await findBy(p, 'good')).length, 1)
})

test('BULK-6 IACC-11 a long name of rare characters stops no row', async () => {
  const { p, uma } = await newPlatform()
  const rows = ['A', 'AA'].map((first) =>
    individual({
      umaAddress: uma(first),
      platformCustomerId: first,
      fullName: first + '😀'.repeat(250),
    }),
  )
  assert.equal((await importCsv(p, csvOf(rows))).progress.successful, rows.length)
})

test('BULK-9 CUST-20 a repeated or taken UMA address fails the later row, a shared platformCustomerId does not', async () => {
  const { p, uma } = await newPlatform()
  await createCustomer(p, { umaAddress: uma('taken') })
  const rows = [
    individual({ umaAddress: uma('twin'), platformCustomerId: 'p1' }),
    individual({ umaAddress: uma('TWIN'), platformCustomerId: 'p2' }),
    individual({ umaAddress: uma('taken'), platformCustomerId: 'p3' }),
    individual({ umaAddress: uma('other'), platformCustomerId: 'p1' }),
    individual({ umaAddress: uma('retry'), platformCustomerId: 'p4', birthDate: 'x' }),
    individual({ umaAddress: uma('retry'), platformCustomerId: 'p4' }),
  ]
  const filler = Array.from({ length: ROWS_AT_ONCE }, (_, n) =>
    individual({ umaAddress: uma(`f${n}`), platformCustomerId: `f${n}` }),
  )
  const late = individual({ umaAddress: uma('twin'), platformCustomerId: 'p5' })
  const job = await importCsv(p, csvOf([...rows, ...filler, late]))
  assert.deepEqual(
    errorsOf(job).map(({ correlationId, code }) => [correlationId, code]),
    [
      ['p2', 'UMA_ADDRESS_EXISTS'],
      ['p3', 'UMA_ADDRESS_EXISTS'],
      ['p4', 'INVALID_INPUT'],
      ['p5', 'UMA_ADDRESS_EXISTS'],
    ],
  )
  assert.equal((await findBy(p, 'p1')).length, 2)
  assert.equal((await findBy(p, 'p4')).length, 1)
})

test('BULK-6 BULK-7 BULK-10 the first thousand failures are kept; an import without a success has failed', async () => {
  const { p } = await newPlatform()
  const total = 1050
  const rows = Array.from({ length: total }, (_, n) => individual({ platformCustomerId: `p${n}` }))
  const job = await importCsv(p, csvOf(rows))
  assert.equal(job.status, 'FAILED')
  assert.deepEqual(job.progress, { total, processed: total, successful: 0, failed: total })
  const errors = errorsOf(job)
  assert.equal(errors.length, 1000)
  assert.equal(errors[0]?.correlationId, 'p0')
  assert.equal(errors.at(-1)?.correlationId, 'p999')
  const events = await listEvents(p, 'BULK_UPLOAD.FAILED')
  assert.deepEqual(
    events.map(({ data }) => data),
    [job],
  )
  assert.deepEqual(await listEvents(p, 'BULK_UPLOAD.COMPLETED'), [])
})

test('BULK-11 another platform’s job is not found', async () => {
  const [{ p, uma }, { p: other }] = [await newPlatform(), await newPlatform()]
  const jobId = await startImport(p, csvOf([individual({ umaAddress: uma('a') })]))
  const answer = await other.api.get(`/customers/bulk/jobs/${jobId}`)
  expectError(answer, 404, 'BULK_UPLOAD_JOB_NOT_FOUND')
  await endOf(p, jobId)
})

test('BULK-12 DOC-15 under a key the same upload is the first job, another file is refused', async () => {
  const { p, uma } = await newPlatform()
  const content = csvOf([individual({ umaAddress: uma('a'), platformCustomerId: 'a' })])
  const headers = { 'idempotency-key': 'import once' }
  const first = expectStatus(await sendCsv(p.api, content, { headers }), 202)
  await endOf(p, first.jobId)
  const again = await sendCsv(p.api, content, { headers })
  assert.deepEqual(expectStatus(again, 202), first)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  expectError(await sendCsv(p.api, `${content}x`, { headers }), 409, 'IDEMPOTENCY_KEY_REUSED')
  assert.equal(await countOf(p), 1)
  assert.equal((await listEvents(p, 'BULK_UPLOAD.COMPLETED')).length, 1)
})

test('BULK-9 CORE-44 racing imports and creations give each address to one customer', async () => {
  const { p, uma } = await newPlatform()
  const names = Array.from({ length: 300 }, (_, n) => `r${n}`)
  const rowsFor = (prefix: string, order: readonly string[]): string =>
    csvOf(
      order.map((name) =>
        individual({ umaAddress: uma(name), platformCustomerId: `${prefix}-${name}` }),
      ),
    )
  const created = Promise.all(
    names
      .slice(0, 20)
      .map((name) =>
        p.api.post('/customers', { customerType: 'INDIVIDUAL', umaAddress: uma(name) }),
      ),
  )
  const jobs = await Promise.all([
    importCsv(p, rowsFor('one', names)),
    importCsv(p, rowsFor('two', names.toReversed())),
  ])
  const direct = (await created).filter(({ status }) => status === 201).length
  const imported = jobs.map((job) => Number(job.progress.successful))
  assert.equal(direct + (imported[0] ?? 0) + (imported[1] ?? 0), names.length)
  assert.equal(await countOf(p), names.length)
  for (const job of jobs) {
    assert.equal(job.progress.processed, 300)
    assert.ok(errorsOf(job).every(({ code }) => code === 'UMA_ADDRESS_EXISTS'))
  }
})

test('CORE-90 the uploaded file is erased when the import has ended', async () => {
  const { p, uma } = await newPlatform()
  const jobId = await startImport(p, csvOf([individual({ umaAddress: uma('a') })]))
  await endOf(p, jobId)
  await eventually(async () => {
    const entries = await readdir(join(kit.dataDir, 'files'), {
      recursive: true,
      withFileTypes: true,
    })
    assert.deepEqual(
      entries.filter((entry) => entry.isFile()),
      [],
    )
  })
  assert.equal((await readImport(p, jobId)).status, 'FAILED', 'the row lacks its own id')
})
