import assert from 'node:assert/strict'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { expectError, expectStatus, text, type Body } from '../../../test/kit/api.ts'
import { newCard } from '../../../test/kit/cards.ts'
import { createCustomer } from '../../../test/kit/customers.ts'
import { findWords } from '../../../test/kit/database/find-words.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { createOwner, PERSON } from '../../../test/kit/onboarding/beneficial-owners.ts'
import { createInvitation } from '../../../test/kit/onboarding/invitations.ts'
import { createKycLink } from '../../../test/kit/onboarding/kyc-links.ts'
import {
  businessData,
  CONTROLLING,
  submitted,
  uploadPaper,
} from '../../../test/kit/onboarding/verification.ts'
import { operate } from '../../../test/kit/operator.ts'
import { advance } from '../../../test/kit/outside/connect-receiver.ts'
import { customerAccount, fund, payee, quote } from '../../../test/kit/payments.ts'
import { createAgent } from '../../../test/kit/setups/agents.ts'
import { MATCH, screeningProvider } from '../../../test/kit/setups/screening-provider.ts'
import { enrolTotp, newScaCustomer, startSmsLogin } from '../../../test/kit/sca/sca.ts'
import { quoteUma, receiveUma } from '../../../test/kit/uma.ts'
import { logIn, walletOn } from '../../../test/kit/wallets/wallets.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newUuid } from '../../kernel/ids.ts'
import { SEALED_COLUMNS } from '../reseal/sealed-columns.ts'

const kit = await startOwnKit()
const { db } = kit.florin.deps
const YEAR_SECONDS = 365 * 24 * 3600

const PERSONAL = {
  fullName: 'Zephyrina Quillfeather',
  email: 'zephyrina@quill.example',
  phoneNumber: '+15550123987',
  birthDate: '1987-04-19',
  nationality: 'US',
  idType: 'SSN',
  identifier: '423-98-7761',
  address: { line1: '77 Peppercorn Way', postalCode: '94105', country: 'US' },
} as const

const CONSENT = {
  acceptedAt: new Date().toISOString(),
  ipAddress: '203.0.113.77',
  termsVersion: 'V1',
  acceptanceMethod: 'CHECKBOX',
} as const

const NEEDLES = [
  '203.0.113.77',
  'Zephyrina',
  'Quillfeather',
  'zephyrina@quill.example',
  '5550123987',
  '1987-04-19',
  '423-98-7761',
  '423987761',
  'Peppercorn',
  'a gift for Zeph',
]

async function findInFiles(words: readonly string[]): Promise<string[]> {
  const entries = await readdir(kit.dataDir, { recursive: true })
  const found: string[] = []
  for (const entry of entries) {
    const path = join(kit.dataDir, entry)
    if (!(await stat(path)).isFile()) continue
    const content = await readFile(path, 'latin1')
    for (const word of words) if (content.includes(word)) found.push(`${entry}: ${word}`)
  }
  return found
}

/** The bodies in the request log that hold any of the words. */
async function findInRequests(platformId: string, words: readonly string[]): Promise<string[]> {
  const lines = await operate<Body[]>(kit, `requests list --platform ${platformId} --limit 100`)
  const found: string[] = []
  for (const line of lines) {
    const shown = JSON.stringify(await operate(kit, `requests show ${text(line['requestId'])}`))
    if (words.some((word) => shown.includes(word))) found.push(shown)
  }
  return found
}

const OTHERS_TOO = ['idempotency_keys', 'request_log']

/** How many values of a platform are sealed, by column; where others have some too, they are looked through. */
async function countSealed(platformId: string): Promise<Record<string, number>> {
  const id = platformId.replace('Platform:', '')
  const counts: Record<string, number> = {}
  for (const { table, column, key, where: isSealed = 'true' } of SEALED_COLUMNS) {
    if (!key.some(({ name }) => name === 'platform_id') || OTHERS_TOO.includes(table)) continue
    const from = `from ${table} where ${column} is not null and ${isSealed}`
    const where = { parts: [from], values: [] }
    const { count } = await db.read.one<{ count: number }>(
      sql`select count(*)::integer as count ${where} and platform_id = ${id}`,
    )
    if (count > 0) counts[`${table}.${column}`] = count
  }
  return counts
}

async function refusedWith(line: string, ...rest: readonly string[]) {
  const refusal = await operate(kit, line, ...rest).then(
    () => assert.fail(`${line} is refused`),
    (error: unknown) => error,
  )
  assert.ok(refusal instanceof ApiError, String(refusal))
  return { code: refusal.code, ...refusal.details } as Record<string, unknown>
}

const erase = (id: string, ...more: readonly string[]) =>
  operate(kit, `customers erase ${id}`, '--note', 'asked for', ...more)

/** A person with something in nearly every table, whose money is spent. */
async function fill(platform: TestPlatform) {
  const { api } = platform
  const wallet = await walletOn(platform, { ...PERSONAL, endUserTermsConsent: CONSENT })
  const customer = wallet.customer
  await logIn(wallet)
  await uploadPaper(platform, customer)
  await createKycLink(kit, platform, customer)
  await submitted(platform, customer)
  const account = await customerAccount(platform, customer.id, 'USD')
  await fund(platform, account, 30_000)
  const to = await payee(platform, 'USD_ACCOUNT', { customerId: customer.id })
  const words = { description: 'a gift for Zeph', remittanceInformation: 'a gift for Zeph' }
  const paid = await quote(platform, { from: account, to, amount: 10_000, ...words })
  const quoteId = text(expectStatus(paid, 201).id)
  expectStatus(await api.post(`/quotes/${quoteId}/execute`, {}), 200)
  const uma = await quoteUma(platform, { from: account, to: 'success.usd', amount: 20_000 })
  expectStatus(await api.post(`/quotes/${expectStatus(uma, 201).id}/execute`, {}), 200)
  expectStatus(await receiveUma(platform, { receiverUmaAddress: customer.umaAddress }), 200)
  await createAgent(platform, { customerId: customer.id, name: 'Zephyrina helps' })
  await createInvitation(platform, { inviterUma: customer.umaAddress, firstName: 'Quillfeather' })
  return { customer, account, quoteId, to }
}

const balancesOf = (platformId: string) =>
  db.read.many(
    sql`select account, currency, amount from ledger_balances
        where platform_id = ${platformId.replace('Platform:', '')} order by 1, 2`,
  )

test('OPER-73 OPER-74 OPER-75 an erased customer is found in no table and no file, and the books are as before', async () => {
  const platform = await kit.platform({ kind: 'UNREGULATED', currencies: ['USD', 'USDB'] })
  const { api, platformId } = platform
  const { customer, account, quoteId, to } = await fill(platform)
  const { id } = customer
  await advance(platform, 3600)
  const left = expectStatus(
    await api.get('/customers/internal-accounts', { query: { customerId: id } }),
    200,
  ).data.find((one) => one.id === account)
  const away = await payee(platform, 'USD_ACCOUNT', { customerId: id })
  const amount = left?.balance.amount ?? 0
  if (amount > 0)
    expectStatus(
      await quote(platform, { from: account, to: away, amount, immediatelyExecute: true }),
      201,
    )
  await advance(platform, 3600)
  assert.ok((await findWords(db.read, NEEDLES)).length > 10, 'the search finds what is there')
  await eventually(async () => {
    assert.ok(
      (await findInRequests(platformId, NEEDLES)).length > 0,
      'the log of requests is written',
    )
  })
  expectStatus(await api.delete(`/customers/${id}`), 200)
  const before = expectStatus(await api.get('/transactions'), 200).data
  const books = await balancesOf(platformId)

  const done = await erase(id, '--override-period')
  assert.equal(done['customerId'], id)
  assert.deepEqual(await findWords(db.read, NEEDLES), [])
  assert.deepEqual(await countSealed(platformId), {}, 'sealed values are gone, not left sealed')
  assert.deepEqual(await findInFiles(NEEDLES), [])
  await eventually(async () => assert.deepEqual(await findInRequests(platformId, NEEDLES), []))
  await eventually(async () => {
    const files = await Array.fromAsync(
      kit.florin.deps.files.listBefore(new Date(Date.now() + 1e6)),
    )
    assert.deepEqual(files, [], 'the files of documents are gone')
  })

  assert.deepEqual(await balancesOf(platformId), books)
  assert.equal((await operate(kit, 'ledger check'))['ok'], true)
  const after = expectStatus(await api.get('/transactions'), 200).data
  const kept = (list: typeof before) => list.map(({ id: one, status, type }) => [one, status, type])
  assert.deepEqual(kept(after), kept(before))
  const transaction = after.find((one) => one.id === quoteId.replace('Quote', 'Transaction'))
  assert.ok(transaction)
  assert.ok(!('description' in transaction) && !('counterpartyInformation' in transaction))
  expectStatus(await api.get(`/quotes/${quoteId}`), 200)

  expectError(await api.get(`/customers/${id}`), 404, 'USER_NOT_FOUND')
  expectError(await api.delete(`/customers/${id}`), 404, 'USER_NOT_FOUND')
  expectError(await api.post(`/customers/${id}/kyc-link`, {}), 404, 'USER_NOT_FOUND')
  for (const path of [
    '/customers/internal-accounts',
    '/customers/external-accounts',
    '/transactions',
    '/verifications',
    '/cards',
  ] as const)
    expectError(await api.get(path, { query: { customerId: id } }), 404, 'USER_NOT_FOUND')
  expectError(await api.get(`/customers/external-accounts/${to}`), 404, 'REFERENCE_NOT_FOUND')
  const listed = await api.get('/customers', { query: { isIncludingDeleted: true } })
  assert.deepEqual(expectStatus(listed, 200).data, [])
  const again = await refusedWith(`customers erase ${id}`, '--note', 'again')
  assert.deepEqual([again['code'], again['reason']], ['CONFLICT', 'ERASED'])
})

test('OPER-73 the owners and papers of a business go with it', async () => {
  const platform = await kit.platform()
  const words = ['Quixotic Zebra', '98-7654321', 'Balthazar', 'Ottoline']
  const business = await createCustomer(
    platform,
    businessData('7723041', { legalName: 'Quixotic Zebra', taxId: '98-7654321' }),
  )
  await uploadPaper(platform, business, { documentType: 'UTILITY_BILL' })
  await createOwner(platform, business.id, {
    ...CONTROLLING,
    personalInfo: { ...PERSON, firstName: 'Balthazar', lastName: 'Ottoline' },
  })
  expectStatus(await platform.api.delete(`/customers/${business.id}`), 200)
  assert.ok((await findWords(db.read, words)).length > 2)
  await erase(business.id, '--override-period')
  assert.deepEqual(await findWords(db.read, words), [])
  assert.deepEqual(await countSealed(platform.platformId), {})
})

test('OPER-73 factors, cards, orders and what screenings found go with their customer', async () => {
  const platform = await kit.platform({ currencies: ['USD', 'EUR'] })
  const screener = await screeningProvider(kit, platform)
  const card = await newCard(platform, { fullName: 'Cornelius Cardigan', funds: 0 })
  const sca = await newScaCustomer(platform, { fullName: 'Factorina Quince' })
  await enrolTotp(sca)
  await startSmsLogin(sca)
  await screener.decide(sca.customerId, 'REVIEW', [{ ...MATCH, name: 'Factorina Quince' }])
  await screener.decide(card.customerId, 'CLEAR')
  const ids = [card.customerId, sca.customerId]
  assert.ok(Object.keys(await countSealed(platform.platformId)).length > 5)
  for (const id of ids) {
    expectStatus(await platform.api.delete(`/customers/${id}`), 200)
    await erase(id, '--override-period')
  }
  assert.deepEqual(await findWords(db.read, ['Cornelius', 'Cardigan', 'Factorina', 'Quince']), [])
  assert.deepEqual(await countSealed(platform.platformId), {})
  expectStatus(await platform.api.get(`/cards/${card.card.id}`), 200)
  assert.equal((await operate(kit, 'keys reseal'))['ok'], true)
})

test('OPER-71 OPER-72 a customer is erased when its period is over, no hold is on and nothing is open', async () => {
  const platform = await kit.platform({ kind: 'UNREGULATED', currencies: ['USD'] })
  const { api } = platform
  const { id } = await createCustomer(platform, { fullName: 'Anabella Notemaker' })
  const reasonOf = async (...more: readonly string[]) =>
    (await refusedWith(`customers erase ${id}`, '--note', 'asked for', ...more))['reason']
  assert.equal(await reasonOf('--override-period'), 'NOT_DELETED')
  const { updatedAt } = expectStatus(await api.delete(`/customers/${id}`), 200)
  const early = await refusedWith(`customers erase ${id}`, '--note', 'asked for')
  assert.equal(early['reason'], 'RETENTION_PERIOD')
  const until = new Date(updatedAt)
  until.setUTCFullYear(until.getUTCFullYear() + 5)
  assert.equal(early['until'], until.toISOString())
  for (let year = 0; year < 5; year += 1) await advance(platform, YEAR_SECONDS)
  assert.equal(await reasonOf(), 'RETENTION_PERIOD', 'two leap days are missing')
  await advance(platform, 2 * 24 * 3600)

  const held = await operate(kit, `customers legal-hold ${id} on`, '--note', 'court order 7')
  assert.equal(held['legalHold'], true)
  const shown = await operate(kit, `customers show ${id}`)
  assert.equal(shown['legalHoldSince'], held['since'])
  assert.equal(await reasonOf(), 'LEGAL_HOLD')
  assert.equal(await reasonOf('--override-period'), 'LEGAL_HOLD')
  const erasable = () =>
    operate<unknown[]>(kit, `customers list --erasable --platform ${platform.platformId}`)
  assert.equal((await erasable()).length, 0)
  await operate(kit, `customers legal-hold ${id} off`, '--note', 'case closed')
  assert.equal((await erasable()).length, 1, 'OPER-70 it is listed as erasable')
  const other = await createCustomer(platform, { fullName: 'Other' })
  await operate(kit, `customers legal-hold ${other.id} on`, '--note', 'knows Anabella Notemaker')
  await operate(kit, `customers legal-hold ${other.id} on`, '--note', 'stays')
  assert.ok(!('legalHoldSince' in (await operate(kit, `customers show ${id}`))))
  await erase(id)
  const entries = await operate<{ action: string; note?: string }[]>(
    kit,
    `audit list --resource ${id}`,
  )
  const ofOther = await operate<{ note?: string }[]>(
    kit,
    `audit list --resource ${other.id} --action customers`,
  )
  assert.deepEqual(
    ofOther.map(({ note }) => note),
    ['on: stays', undefined],
    'a note that names the customer is gone, wherever it stands',
  )
  const ours = entries.filter(({ action }) => action.startsWith('customers '))
  assert.deepEqual(
    ours.map(({ action, note }) => [action, note]),
    [
      ['customers erase', 'asked for'],
      ['customers legal-hold', undefined],
      ['customers legal-hold', undefined],
    ],
  )
})

test('OPER-72 a rejected customer is deleted by its erasure, unless money of its own is left', async () => {
  const platform = await kit.platform({ currencies: ['USD'] })
  const customer = await createCustomer(platform, { ...PERSONAL, fullName: 'Rejected Rhoda' })
  const account = await customerAccount(platform, customer.id, 'USD')
  await fund(platform, account, 500)
  await uploadPaper(platform, customer)
  await db.read.run(
    sql`update customers set status = 'REJECTED', status_changed_at = now()
        where id = ${customer.id.replace('Customer:', '')}`,
  )
  const refused = await refusedWith(
    `customers erase ${customer.id} --override-period`,
    '--note',
    'x',
  )
  assert.equal(refused['reason'], 'OPEN_MATTERS')
  expectStatus(await platform.api.get(`/customers/${customer.id}`), 200)
  await operate(kit, `accounts return ${account}`, '--reason', 'rejected')
  await erase(customer.id, '--override-period')
  assert.deepEqual(await findWords(db.read, ['Rhoda']), [])
})

test('OPER-72 a customer with an open exception is not erased', async () => {
  const platform = await kit.platform({ kind: 'UNREGULATED', currencies: ['USD'] })
  const { id } = await createCustomer(platform, { fullName: 'Ana' })
  expectStatus(await platform.api.delete(`/customers/${id}`), 200)
  await db.read.run(
    sql`insert into exceptions (platform_id, id, type, subject, details, opened_at)
        values (${platform.platformId.replace('Platform:', '')}, gen_random_uuid(), 'SCREENING', ${id}, '{}', now())`,
  )
  const refused = await refusedWith(`customers erase ${id} --override-period`, '--note', 'x')
  assert.equal(refused['reason'], 'OPEN_MATTERS')
})

test('OPER-76 every erasure is a line of erasures.jsonl, and a replay repeats what is missing', async () => {
  const platform = await kit.platform({ kind: 'UNREGULATED', currencies: ['USD'] })
  const path = join(kit.dataDir, 'erasures.jsonl')
  const linesOf = async () =>
    (await readFile(path, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>)
  const [gone, kept] = [
    await createCustomer(platform, { fullName: 'Gone' }),
    await createCustomer(platform, { fullName: 'Kept Konstanze' }),
  ]
  for (const { id } of [gone, kept])
    expectStatus(await platform.api.delete(`/customers/${id}`), 200)
  const done = await erase(gone.id, '--override-period')
  const erasedAt = done['erasedAt']
  const expected = { platformId: platform.platformId, customerId: gone.id, erasedAt }
  await eventually(async () => assert.deepEqual((await linesOf()).at(-1), expected))
  const mode = (await stat(path)).mode & 0o777
  assert.equal(mode, 0o600)

  const list = join(kit.dataDir, 'list.jsonl')
  const ids = [gone.id, kept.id, kept.id, `Customer:${newUuid()}`]
  await writeFile(list, ids.map((customerId) => `${JSON.stringify({ customerId })}\n`).join(''))
  const replayed = await operate(kit, `customers erase --replay ${list}`)
  assert.deepEqual(replayed, { ok: true, erased: 1, alreadyErased: 1, unknown: 1, failed: [] })
  assert.deepEqual(await findWords(db.read, ['Konstanze']), [])
  await eventually(async () => assert.equal((await linesOf()).at(-1)?.['customerId'], kept.id))
  await writeFile(list, 'not a line\n')
  await assert.rejects(operate(kit, `customers erase --replay ${list}`), /line 1 is not JSON/)
  await rm(list)
})
