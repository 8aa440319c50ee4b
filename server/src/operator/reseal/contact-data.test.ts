import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  client,
  expectError,
  expectStatus,
  items,
  text,
  type HasId,
} from '../../../test/kit/api.ts'
import {
  createCustomer,
  listAccounts,
  listEvents,
  readCustomer,
} from '../../../test/kit/customers.ts'
import { findWords } from '../../../test/kit/database/find-words.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { createOwner, PERSON } from '../../../test/kit/onboarding/beneficial-owners.ts'
import { businessData, CONTROLLING, submitted } from '../../../test/kit/onboarding/verification.ts'
import { operate } from '../../../test/kit/operator.ts'
import { connect, openReceiver } from '../../../test/kit/outside/connect-receiver.ts'
import { openDashboard } from '../../../test/kit/pages/dashboard.ts'
import { verifyWebhook } from '../../../test/kit/outside/verify-webhook.ts'
import {
  customerAccount,
  execute,
  fund,
  payee,
  quote,
  quoteBody,
} from '../../../test/kit/payments.ts'
import {
  listCredentials,
  listSessions,
  logIn,
  walletOn,
} from '../../../test/kit/wallets/wallets.ts'
import { createFlorin, type Florin } from '../../app/florin.ts'
import { sql } from '../../infra/db/statement/sql.ts'

const kit = await startOwnKit({ SEAL_CONTACT_DATA: 'on' })
const { db, settings, log } = kit.florin.deps

const started: Florin[] = []
after(() => Promise.all(started.map((one) => one.stop())))

/** The same installation with the setting off. */
const plain = await (async () => {
  const florin = await createFlorin({
    settings: {
      ...settings,
      databaseUrl: kit.databaseUrl,
      masterKey: settings.masterKey ?? '',
      sealContactData: 'off',
    },
    log,
    checkReplies: true,
    worker: false,
  })
  started.push(florin)
  const origin = await florin.http.listen({ host: '127.0.0.1', port: 0 })
  const inPlain = (platform: TestPlatform): TestPlatform => ({
    ...platform,
    api: client(`${origin}/2025-10-13`, platform),
  })
  return { florin, inPlain }
})()

const PERSONAL = {
  platformCustomerId: 'shop-4711',
  fullName: 'Zephyrina Quillfeather',
  email: 'Zephyrina@quill.example',
  phoneNumber: '+15550123987',
  birthDate: '1987-04-19',
  nationality: 'US',
  address: { line1: '77 Peppercorn Way', postalCode: '94105', country: 'US' },
} as const

const WORDS = [
  'Zephyrina',
  'zephyrina',
  'Quillfeather',
  '5550123987',
  '1987-04-19',
  'Peppercorn',
  'Quixotic Zebra',
  'Balthazar',
  'Ottoline',
  '1961-11-30',
  'Hazelnut',
]

const OWNER = {
  ...CONTROLLING,
  personalInfo: {
    ...PERSON,
    firstName: 'Balthazar',
    lastName: 'Ottoline',
    birthDate: '1961-11-30',
    address: { ...PERSON.address, line1: '5 Hazelnut Row' },
  },
}

const KEYED = { headers: { 'Idempotency-Key': 'quote-1' } }

/** A person with a wallet and a payment, and a business with an owner under review. */
async function fill(platform: TestPlatform) {
  const { api } = platform
  const wallet = await walletOn(platform, PERSONAL)
  const { customer, accountId: walletId } = wallet
  const { device } = await logIn(wallet)
  const account = await customerAccount(platform, customer.id, 'USD')
  await fund(platform, account, 30_000)
  const to = await payee(platform, 'USD_ACCOUNT', { customerId: customer.id })
  const body = quoteBody({ from: account, to, amount: 10_000 })
  const priced = expectStatus(await api.post('/quotes', body, KEYED), 201)
  expectStatus(await execute(platform, priced), 200)
  const business = await createCustomer(
    platform,
    businessData('7723001', { legalName: 'Quixotic Zebra' }),
  )
  await createOwner(platform, business.id, OWNER)
  await submitted(platform, business)
  return { platform, api, wallet, device, customer, walletId, account, body, business, priced }
}

const readAccount = async (platform: TestPlatform, customer: HasId, account: string) =>
  (await listAccounts(platform, customer)).find(({ id }) => id === account)

type Filled = Awaited<ReturnType<typeof fill>>

/** Everything that shows contact data. */
async function readAll(
  { customer, business, walletId, body, priced }: Filled,
  platform: TestPlatform,
) {
  const { api } = platform
  const read = async (path: string, query = {}) => expectStatus(await api.get(path, { query }), 200)
  return [
    await readCustomer(platform, customer),
    await readCustomer(platform, business),
    expectStatus(await api.post('/quotes', body, KEYED), 201),
    await read('/customers', { platformCustomerId: PERSONAL.platformCustomerId }),
    await read('/beneficial-owners', { customerId: business.id }),
    await listCredentials(api, walletId),
    await listSessions(api, walletId),
    await read(`/transactions/${priced.id.replace('Quote', 'Transaction')}`),
    items((await read('/events', { limit: 100 }))['data']).map(({ id, type, data }) => [
      id,
      type,
      data,
    ]),
  ]
}

const openPlatform = () => kit.platform({ currencies: ['USD', 'USDB', 'MXN'] })

test('OPER-78 with SEAL_CONTACT_DATA on everything answers as without, and no table shows contact data', async () => {
  const platform = await openPlatform()
  const { api } = platform
  const receiver = await openReceiver()
  await connect(platform, receiver)
  const made = await fill(platform)
  const { customer, business, wallet, account } = made
  assert.deepEqual(await findWords(db.read, WORDS), [])

  assert.deepEqual({ ...customer, ...PERSONAL }, customer)
  assert.deepEqual(await readCustomer(platform, customer), customer)
  const query = { platformCustomerId: PERSONAL.platformCustomerId }
  const listed = expectStatus(await api.get('/customers', { query }), 200).data
  assert.deepEqual(listed, [customer])
  for (const name of [PERSONAL.email.toUpperCase(), PERSONAL.phoneNumber, 'shop-4711']) {
    const [found] = items(await operate(kit, 'look-up', name))
    assert.equal(found?.['id'], customer.id, `an operator finds ${name}`)
  }
  const [owner] = (await readCustomer(platform, business)).beneficialOwners ?? []
  assert.equal(owner?.personalInfo.lastName, 'Ottoline')
  const [credential] = await listCredentials(api, wallet.accountId)
  const [session] = await listSessions(api, wallet.accountId)
  assert.deepEqual([credential?.nickname, session?.nickname], [PERSONAL.email, PERSONAL.email])

  const [instructions] =
    (await readAccount(platform, customer, account))?.fundingPaymentInstructions ?? []
  assert.match(text(instructions?.accountOrWalletInfo['accountHolderName']), /Zephyrina/)

  await eventually(() => {
    const sent = receiver.deliveries.filter(({ raw }) => raw.includes(PERSONAL.fullName))
    assert.ok(sent.length > 0)
    for (const { headers, raw } of receiver.deliveries)
      assert.ok(verifyWebhook(platform.webhookPublicKey, text(headers['x-service-signature']), raw))
  })

  const keyed = { headers: { 'Idempotency-Key': 'quill-1' } }
  const change = { customerType: 'INDIVIDUAL', fullName: 'Zephyrina Quillfeather-Peppercorn' }
  const first = await api.patch(`/customers/${customer.id}`, change, keyed)
  assert.equal(expectStatus(first, 200).fullName, change.fullName)
  const replay = await api.patch(`/customers/${customer.id}`, change, keyed)
  assert.deepEqual(expectStatus(replay, 200), expectStatus(first, 200))
  assert.equal(replay.headers.get('idempotent-replayed'), 'true')

  await operate(kit, `review hold ${customer.id}`, '--note', 'a closer look')
  const reviews = items(await operate(kit, `review list --platform ${platform.platformId}`))
  assert.deepEqual(
    reviews.map((one) => one['customerName']),
    [change.fullName],
  )
  assert.deepEqual(await findWords(db.read, WORDS), [])
})

test('OPER-78 CORE-83 the pages of the dashboard show sealed customers as others', async () => {
  const platform = await openPlatform()
  const { customer, business, priced, account } = await fill(platform)
  const { id } = await submitted(platform, business)
  const anna = await (await openDashboard(kit)).signIn('anna')
  const pageOf = async (path: string, ...ids: readonly string[]): Promise<string> => {
    const { status, text: page } = await anna.get([path, ...ids.map(encodeURIComponent)].join('/'))
    assert.equal(status, 200, path)
    assert.doesNotMatch(page, /sealed/i, path)
    return page
  }
  const own = `?platform=${platform.platformId}`
  const shown = [
    await pageOf(`/customers${own}`),
    await pageOf('/customers', customer.id),
    await pageOf('/accounts', account),
  ]
  for (const page of shown) assert.ok(page.includes('Zephyrina'))
  const reviews = [await pageOf('/customers', business.id), await pageOf('/reviews', id)]
  for (const page of reviews) assert.ok(page.includes(business.businessInfo?.legalName ?? '?'))
  await pageOf('/transactions', priced.id.replace('Quote', 'Transaction'))
  for (const list of ['quotes', 'transactions', 'events', 'requests', 'cards', 'agents'])
    await pageOf(`/${list}${own}`)
})

test('OPER-78 CUST-66 fields that a currency requires are found and missed in sealed customers', async () => {
  const platform = await openPlatform()
  const complete = await createCustomer(platform, { ...PERSONAL, platformCustomerId: 'a' })
  const lacking = await createCustomer(platform, { fullName: 'Ana', platformCustomerId: 'b' })
  const to = await payee(platform, 'MXN_ACCOUNT')
  for (const { id } of [complete, lacking])
    await fund(platform, await customerAccount(platform, id, 'USD'), 10_000)
  const quoteFor = async (id: string) =>
    quote(platform, { from: await customerAccount(platform, id, 'USD'), to, amount: 1_000 })
  const [sealed, missing] = [await quoteFor(complete.id), await quoteFor(lacking.id)]
  const inPlain = plain.inPlain(platform)
  const twin = await createCustomer(inPlain, { fullName: 'Ana', platformCustomerId: 'c' })
  await fund(platform, await customerAccount(platform, twin.id, 'USD'), 10_000)
  const asPlain = await quoteFor(twin.id)
  assert.deepEqual([sealed.status, missing.status], [201, asPlain.status])
})

test('OPER-78 keys reseal seals rows written before; with the setting off again both forms are read', async () => {
  const platform = await openPlatform()
  const inPlain = plain.inPlain(platform)
  const made = await fill(inPlain)
  const before = await readAll(made, platform)
  const shown = await findWords(db.read, WORDS)
  const tables = new Set(shown.map((one) => one.split(':')[0]))
  for (const name of [
    'beneficial_owners',
    'customers',
    'event_rows',
    'internal_accounts',
    'wallet_credentials',
    'wallet_sessions',
  ])
    assert.ok(tables.has(name), `${name} holds contact data in plain`)
  assert.equal((await operate(plain, 'keys reseal'))['resealed'], 0, 'the setting is off')
  const ofOthersData = sql`select id from event_rows where base_id is not null`
  assert.ok((await db.read.many(ofOthersData)).length > 0)

  const done = await operate(kit, 'keys reseal --batch 3')
  assert.deepEqual([done['ok'], done['unopened']], [true, 0])
  assert.deepEqual(await findWords(db.read, WORDS), [])
  assert.equal((await operate(kit, 'keys reseal'))['resealed'], 0)
  const open = await db.read.many(sql`select key from idempotency_keys where not sealed`)
  assert.deepEqual(open, [], 'answers are sealed too')
  assert.deepEqual(await db.read.many(ofOthersData), [], 'each event is sealed by itself')
  assert.deepEqual(await readAll(made, platform), before)
  assert.deepEqual(await readAll(made, inPlain), before)
  await logIn(made.wallet)

  const renamed = expectStatus(
    await inPlain.api.patch(`/customers/${made.customer.id}`, {
      customerType: 'INDIVIDUAL',
      fullName: 'Zephyrina Plain',
    }),
    200,
  )
  assert.deepEqual(await readCustomer(platform, made.customer), renamed)
  const rows = await findWords(db.read, ['Zephyrina Plain'])
  assert.ok(rows.some((row) => row.startsWith('customers:')))
})

test('OPER-78 CUST-18 one platformCustomerId is given once, whether rows are sealed or not', async () => {
  const platform = await openPlatform()
  const inPlain = plain.inPlain(platform)
  for (const [name, one, other] of [
    ['first', platform, inPlain],
    ['second', inPlain, platform],
  ] as const) {
    const body = { platformCustomerId: name }
    const { id } = await createCustomer(one, body)
    const again = await other.api.post('/customers', { customerType: 'INDIVIDUAL', ...body })
    assert.equal(expectError(again, 409, 'CONFLICT')['customerId'], id)
  }
  const body = { customerType: 'INDIVIDUAL', platformCustomerId: 'raced' }
  const racing = Array.from({ length: 8 }, (_, at) =>
    (at % 2 ? platform : inPlain).api.post('/customers', body),
  )
  const statuses = (await Promise.all(racing)).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [201, ...Array<number>(7).fill(409)])
})

test('OPER-78 OPER-77 OPER-73 a sealed customer is exported in the open, and erased', async () => {
  const platform = await openPlatform()
  const { api } = platform
  const { customer, business } = await fill(platform)
  const path = join(kit.dataDir, 'export.json')
  await operate(kit, `customers export ${customer.id} --to ${path}`)
  const { data } = JSON.parse(await readFile(path, 'utf8')) as {
    data: Record<string, Record<string, unknown>[]>
  }
  const [row] = data['customers'] ?? []
  const { platformCustomerId, email, phoneNumber } = PERSONAL
  assert.deepEqual(
    [row?.['platform_customer_id'], row?.['email'], row?.['phone_number']],
    [platformCustomerId, email, phoneNumber],
  )
  assert.deepEqual(row?.['profile'], {
    fullName: PERSONAL.fullName,
    birthDate: PERSONAL.birthDate,
    nationality: PERSONAL.nationality,
    address: PERSONAL.address,
  })
  assert.equal(data['wallet_credentials']?.[0]?.['nickname'], email)
  assert.match(JSON.stringify(data['internal_accounts']), /Zephyrina/)

  const id = business.id.replace('Customer:', '')
  const eventsOf = async () =>
    (await listEvents(platform)).filter((one) => JSON.stringify(one).includes(id))
  assert.ok((await eventsOf()).length > 0)
  await operate(kit, `customers legal-hold ${business.id} on`, '--note', 'asked by Quixotic Zebra')
  await operate(kit, `customers legal-hold ${business.id} off`, '--note', 'over')
  expectStatus(await api.delete(`/customers/${business.id}`), 200)
  await operate(kit, `customers erase ${business.id} --override-period`, '--note', 'asked for')
  expectError(await api.get(`/customers/${business.id}`), 404, 'USER_NOT_FOUND')
  assert.deepEqual(await eventsOf(), [])
  assert.deepEqual(await findWords(db.read, ['Quixotic']), [])
  const erased = await db.read.one<{ platformCustomerId: string; sealedContact: Buffer | null }>(
    sql`select platform_customer_id, sealed_contact from customers where id = ${id}`,
  )
  assert.deepEqual(erased, {
    platformCustomerId: business.platformCustomerId,
    sealedContact: null,
  })
})
