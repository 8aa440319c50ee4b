/** The client against the real service: answers, refusals, lists, uploads. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startKit } from '../../server/test/kit/florin.ts'
import { goodPng } from '../../server/test/kit/onboarding/document-files.ts'
import {
  createFlorin,
  FlorinConnectionError,
  FlorinError,
  type Exchange,
  type FlorinOptions,
} from '../src/index.ts'

const kit = await startKit()

async function newClient(options: Partial<FlorinOptions> = {}) {
  const { clientId, clientSecret } = await kit.platform()
  return createFlorin({ baseUrl: kit.baseUrl, clientId, clientSecret, ...options })
}
const florin = await newClient()

test('a resource is created, read, changed and deleted', async () => {
  const created = await florin.customers.create({
    customerType: 'INDIVIDUAL',
    fullName: 'Ana Example',
  })
  assert.equal(created.customerType, 'INDIVIDUAL')
  assert.deepEqual(await florin.customers.get(created.id), created)
  const changed = await florin.customers.update(created.id, {
    customerType: 'INDIVIDUAL',
    fullName: 'Ana Maria Example',
  })
  assert.ok(changed.customerType === 'INDIVIDUAL')
  assert.equal(changed.fullName, 'Ana Maria Example')
  assert.equal((await florin.customers.delete(created.id)).isDeleted, true)
})

test('an answer without a body is undefined', async () => {
  const { id } = await florin.tokens.create({ name: 'short-lived', permissions: ['VIEW'] })
  assert.equal(await florin.tokens.delete(id), undefined)
})

test('a refusal tells status, code, details, request and whether to repeat it', async () => {
  await assert.rejects(florin.quotes.get('Quote:00000000-0000-7000-8000-000000000000'), (error) => {
    assert.ok(error instanceof FlorinError)
    assert.equal(error.name, 'FlorinError')
    assert.equal(error.status, 404)
    assert.equal(error.code, 'QUOTE_NOT_FOUND')
    assert.equal(error.retryable, false)
    assert.deepEqual(error.fields, [])
    assert.match(error.requestId ?? '', /./)
    assert.match(error.message, /^QUOTE_NOT_FOUND \(404\): /)
    return true
  })
})

test('ERR-2 all invalid fields are there at once', async () => {
  const body = { customerType: 'INDIVIDUAL', birthDate: 'soon', email: 'nobody' } as const
  await assert.rejects(florin.customers.create(body), (error) => {
    assert.ok(error instanceof FlorinError)
    assert.equal(error.code, 'INVALID_INPUT')
    assert.deepEqual(error.fields.map(({ field }) => field).toSorted(), ['birthDate', 'email'])
    assert.match(error.message, /\n {2}birthDate: .+/)
    return true
  })
})

async function withMoney(): Promise<string> {
  const { id } = await florin.customers.create({ customerType: 'INDIVIDUAL', fullName: 'Ann Able' })
  const [account] = await florin.customers.internalAccounts
    .list({ customerId: id, currency: 'USD' })
    .toArray()
  await florin.sandbox.fund(account?.id ?? '', { amount: 100 })
  return id
}

test('ERR-1 the message of a refusal holds what its sentence refers to', async () => {
  const { id } = await florin.customers.create({ customerType: 'INDIVIDUAL', fullName: 'Ben 002' })
  await assert.rejects(florin.verifications.create({ customerId: id }), (error) => {
    assert.ok(error instanceof FlorinError)
    assert.match(error.message, /\n {2}reason: VERIFICATION_FINAL\n {2}status: REJECTED$/)
    return true
  })
  await assert.rejects(florin.customers.delete(await withMoney()), (error) => {
    assert.ok(error instanceof FlorinError)
    assert.match(error.message, /\n {2}reasons: BALANCE\n/)
    return true
  })
})

test('wrong credentials are refused', async () => {
  const stranger = await newClient({ clientSecret: 'wrong' })
  const isUnauthorized = { name: 'FlorinError', status: 401, code: 'UNAUTHORIZED' }
  await assert.rejects(stranger.config.get(), isUnauthorized)
})

test('what is missing is said before anything is sent', () => {
  const given = { baseUrl: kit.baseUrl, clientId: 'id', clientSecret: 'secret' }
  assert.throws(() => createFlorin({ ...given, clientSecret: '' }), /^TypeError: clientSecret is/)
  assert.throws(
    () => createFlorin({ ...given, baseUrl: 'localhost:8080' }),
    /^TypeError: baseUrl is no/,
  )
})

test('the address may end in a slash or in the version', async () => {
  const { origin } = new URL(kit.baseUrl)
  for (const baseUrl of [origin, `${origin}/`, `${origin}/2025-10-13`]) {
    const client = await newClient({ baseUrl })
    assert.ok((await client.config.get()).id)
  }
})

test('what answers but is not the service is called that', async () => {
  const page = async () => new Response('<h1>It works</h1>', { status: 200 })
  const elsewhere = await newClient({ fetch: page })
  await assert.rejects(elsewhere.config.get(), { code: 'UNEXPECTED_ANSWER', status: 200 })
})

test('a list is its first page, or every item of every page', async () => {
  const own = await newClient()
  const names = Array.from({ length: 7 }, (_, index) => `list-${index}`)
  for (const platformCustomerId of names) {
    await own.customers.create({ customerType: 'INDIVIDUAL', platformCustomerId })
  }
  const first = await own.customers.list({ limit: 3 })
  assert.equal(first.data.length, 3)
  assert.equal(first.hasMore, true)
  assert.equal(first.totalCount, 7)

  const found: string[] = []
  for await (const { platformCustomerId } of own.customers.list({ limit: 3 })) {
    found.push(platformCustomerId)
  }
  assert.deepEqual(found.toSorted(), names)

  const sizes: number[] = []
  for await (const { data } of own.customers.list({ limit: 3 }).pages()) sizes.push(data.length)
  assert.deepEqual(sizes, [3, 3, 1])

  assert.equal((await own.customers.list({ limit: 2 }).toArray()).length, 7)
  assert.deepEqual(await own.customers.list().toArray({ max: 0 }), [])
})

test('no more pages are asked for than are wanted', async () => {
  const exchanges: Exchange[] = []
  const own = await newClient({ onExchange: (exchange) => exchanges.push(exchange) })
  for (let index = 0; index < 5; index += 1) {
    await own.customers.create({ customerType: 'INDIVIDUAL' })
  }
  exchanges.length = 0
  const list = own.customers.list({ limit: 2 })
  assert.equal(exchanges.length, 0, 'a list that nobody looks at costs nothing')
  assert.equal((await list.toArray({ max: 2 })).length, 2)
  assert.equal(exchanges.length, 1)
  assert.equal(await list, await list)
  assert.equal(exchanges.length, 2, 'awaited twice, asked once')
})

test('a list without pages is one too', async () => {
  const accounts = await florin.platform.internalAccounts.list({ currency: 'USD' }).toArray()
  assert.deepEqual(
    accounts.map(({ balance }) => balance.currency.code),
    ['USD'],
  )
})

test('a query may hold a list, and leaves out what is undefined', async () => {
  const rates = await florin.exchangeRates.list({
    sourceCurrency: 'USD',
    destinationCurrency: ['EUR', 'MXN'],
  })
  const currencies = new Set(rates.data.map((rate) => rate.destinationCurrency.code))
  assert.deepEqual([...currencies].toSorted(), ['EUR', 'MXN'])
})

test('a file is uploaded, as bytes or with its name', async () => {
  const { id } = await florin.customers.create({ customerType: 'INDIVIDUAL' })
  const { bytes } = await goodPng()
  const about = {
    documentHolder: id,
    documentType: 'PASSPORT',
    country: 'US',
    documentNumber: 'X1234567',
    issuingAuthority: 'Department of State',
  } as const
  const uploaded = await florin.documents.upload({ ...about, file: new Uint8Array(bytes) })
  const file = new File([new Uint8Array(bytes)], 'passport.png', { type: 'image/png' })
  const replaced = await florin.documents.replace(uploaded.id, { ...about, file })
  assert.equal(replaced.id, uploaded.id)
})

test('a CSV is uploaded as text', async () => {
  const job = await florin.customers.bulk.uploadCsv({
    file: 'customerType,fullName\nINDIVIDUAL,Ana Example\n',
  })
  assert.equal((await florin.customers.bulk.getJob(job.jobId)).id, job.jobId)
})

test('a call ends in time, or when it is told to', async () => {
  const never = () => new Promise<never>(() => undefined)
  const hanging: typeof globalThis.fetch = (_input, init) =>
    Promise.race([
      never(),
      new Promise<never>((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
      }),
    ])
  const client = await newClient({ fetch: hanging, retries: 0, timeoutMs: 30 })
  await assert.rejects(client.config.get(), (error) => {
    assert.ok(error instanceof FlorinConnectionError)
    assert.equal(error.isTimeout, true)
    assert.match(error.message, /^no answer from 127\.0\.0\.1:\d+ in time/)
    return true
  })
  const controller = new AbortController()
  const call = client.config.get({ signal: controller.signal, timeoutMs: 60_000 })
  controller.abort(new Error('the user left'))
  await assert.rejects(call, /the user left/)
})

test('every attempt is told of, with what the sandbox says about it', async () => {
  const exchanges: Exchange[] = []
  const client = await newClient({ onExchange: (exchange) => exchanges.push(exchange) })
  const typo = { customerType: 'INDIVIDUAL', fullname: 'Ana' } as { customerType: 'INDIVIDUAL' }
  await client.customers.create(typo)
  const [exchange] = exchanges
  assert.ok(exchange)
  const { method, path, status, attempt } = exchange
  assert.deepEqual(
    { method, path, status, attempt },
    { method: 'POST', path: '/customers', status: 201, attempt: 1 },
  )
  assert.equal(exchange.headers.get('ignored-fields'), 'fullname')
})
