import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KycLinkResponse } from '../../../../../sdk/src/index.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  type HasId,
  type Shown,
} from '../../../../test/kit/api.ts'
import { advance } from '../../../../test/kit/outside/connect-receiver.ts'
import { createCustomer, readCustomer } from '../../../../test/kit/customers.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import {
  businessData,
  completePerson,
  submitted,
  eventTypes,
} from '../../../../test/kit/onboarding/verification.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import { inWork } from '../../../infra/work/in-work.ts'
import { findPlatform } from '../../../infra/platforms.ts'
import type { Work } from '../../../infra/work/work.ts'
import { mustParseId, newUuid } from '../../../kernel/ids.ts'
import { findKycLink, mustBeOpenLink } from './find-kyc-link.ts'
import { readRequirements } from '../submission/read-requirements.ts'
import { submitByLink } from './submit-by-link.ts'

const kit = await startOwnKit({ PUBLIC_URL: 'https://pay.example.com/florin' })
const platform = await kit.platform({ kind: 'UNREGULATED' })
const { deps } = kit.florin

const link = ({ api }: TestPlatform, { id }: HasId, body?: unknown, headers = {}) =>
  api.post(`/customers/${id}/kyc-link`, body, { headers })

const tokenOf = (answer: Shown<KycLinkResponse>): string =>
  /\/verify\/([^?]+)/.exec(answer.kycUrl)?.[1] ?? ''

/** What the hosted page does with a link. */
async function visit<T>(
  on: TestPlatform,
  token: string,
  use: (work: Work, found: NonNullable<Awaited<ReturnType<typeof findKycLink>>>) => Promise<T>,
): Promise<T> {
  const found = await findKycLink(deps.db.read, token)
  assert.ok(found)
  const tenant = await findPlatform(deps.db.read, mustParseId('platform', on.platformId))
  assert.ok(tenant)
  const actor = { kind: 'page', name: 'verification', subjectId: 'test' } as const
  return inWork(deps, { platform: tenant, actor, requestId: newUuid() }, (work) => use(work, found))
}

const submitHosted = (on: TestPlatform, token: string) =>
  visit(on, token, (work, found) => submitByLink(work, found))

test('KYC-20 KYC-21 a link is made for both types at any status, and changes nothing', async () => {
  const own = await kit.platform({ kind: 'REGULATED' })
  for (const body of [{}, { fullName: 'A B 002' }, { fullName: 'A B 001' }, businessData()]) {
    const customer = await createCustomer(own, body)
    const emitted = await eventTypes(own)
    const answer = expectStatus(await link(own, customer), 201)
    assert.match(answer.kycUrl, /^https:\/\/pay\.example\.com\/florin\/verify\/[\w-]{22,}$/)
    assert.equal(answer.provider, 'SUMSUB')
    assert.equal(answer.token, undefined)
    assert.deepEqual(await readCustomer(own, customer), customer)
    assert.deepEqual(await eventTypes(own), emitted)
  }
})

test('KYC-21 a link expires after 24 hours and contains its redirect address', async () => {
  const customer = await createCustomer(platform)
  const redirectUri = 'https://example.com/done?a=1&b=ü'
  const before = Date.now()
  const answer = expectStatus(await link(platform, customer, { redirectUri }), 201)
  const lifetime = new Date(answer.expiresAt).getTime() - before
  assert.ok(lifetime >= 86_400_000 && lifetime < 86_410_000)
  const { searchParams } = new URL(answer.kycUrl)
  assert.equal(searchParams.get('redirect_uri'), redirectUri)
})

const URIS: readonly (readonly [unknown, boolean, string])[] = [
  ['https://example.com', true, 'https'],
  ['http://localhost:3000/x', true, 'this machine'],
  ['http://127.0.0.1/x', true, 'this machine'],
  ['http://[::1]:8/x', true, 'this machine'],
  ['http://example.com', false, 'http to others'],
  ['http://127.0.0.1.example.com', false, 'a name that only looks local'],
  ['https://user:secret@example.com', false, 'credentials'],
  ['javascript:alert(1)', false, 'no address'],
  ['/done', false, 'not absolute'],
  [`https://example.com/${'x'.repeat(2048)}`, false, 'too long'],
  [5, false, 'no text'],
]

for (const [redirectUri, isTaken, because] of URIS) {
  test(`KYC-22 redirectUri ${String(redirectUri).slice(0, 40)} is ${isTaken ? 'taken' : 'refused'}: ${because}`, async () => {
    const customer = await createCustomer(platform)
    const answer = await link(platform, customer, { redirectUri })
    if (isTaken) return void expectStatus(answer, 201)
    const [error] = expectFields(answer, ['redirectUri'])
    if (typeof redirectUri === 'string') assert.equal(error?.['constraint']?.['format'], 'url')
  })
}

test('CUST-64 CONT-11 a deleted customer has no link, and neither has one whose contact is not verified', async () => {
  const deleted = await createCustomer(platform)
  expectStatus(await platform.api.delete(`/customers/${deleted.id}`), 200)
  expectError(await link(platform, deleted), 404, 'USER_NOT_FOUND')
  const contact = { region: 'IS', email: 'a@example.com' }
  const pending = await createCustomer(platform, contact)
  const details = expectError(await link(platform, pending), 409, 'CONFLICT')
  assert.deepEqual(details, { reason: 'CONTACT_NOT_VERIFIED', channels: ['email'] })
})

test('KYC-23 every call creates another link, a replay under one key answers the same', async () => {
  const customer = await createCustomer(platform)
  const headers = { 'idempotency-key': newUuid() }
  const first = expectStatus(await link(platform, customer, {}, headers), 201)
  const again = await link(platform, customer, {}, headers)
  assert.deepEqual(expectStatus(again, 201), first)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const other = expectStatus(await link(platform, customer, {}), 201)
  assert.notEqual(other.kycUrl, first.kycUrl)
  for (const answer of [first, other]) {
    await visit(platform, tokenOf(answer), (work, found) => mustBeOpenLink(work, found))
  }
})

test('CORE-90 KYC-23 the token of a link is nowhere at rest', async () => {
  const customer = await createCustomer(platform)
  const headers = { 'idempotency-key': newUuid() }
  const token = tokenOf(expectStatus(await link(platform, customer, {}, headers), 201))
  const rows = await deps.db.read.many(
    sql`select l::text from kyc_links l union all select k::text from idempotency_keys k
        union all select a::text from audit_entries a union all select n::text from audit_notes n`,
  )
  const stored = JSON.stringify(rows)
  assert.ok(!stored.includes(token))
  assert.ok(!stored.includes(Buffer.from(token).toString('hex')))
})

test('KYC-24 KYC-29 an incomplete submission leaves the link open, a complete one spends it', async () => {
  const own = await kit.platform({ kind: 'UNREGULATED' })
  const customer = await createCustomer(own, { fullName: 'Maria Lopez' })
  const redirectUri = 'https://example.com/done'
  const token = tokenOf(expectStatus(await link(own, customer, { redirectUri }), 201))
  const lacking = await submitHosted(own, token)
  assert.equal(lacking.verificationStatus, 'RESOLVE_ERRORS')
  const whole = await completePerson(own)
  const wholeToken = tokenOf(expectStatus(await link(own, whole, { redirectUri }), 201))
  const spare = tokenOf(expectStatus(await link(own, whole), 201))
  const done = await submitHosted(own, wholeToken)
  assert.deepEqual(done, { verificationStatus: 'APPROVED', errors: [], redirectUri })
  await assert.rejects(submitHosted(own, wholeToken), { code: 'KYC_LINK_USED' })
  assert.deepEqual(await submitHosted(own, spare), { ...done, redirectUri: undefined })
  await assert.rejects(submitHosted(own, spare), { code: 'KYC_LINK_USED' })
  assert.equal((await eventTypes(own)).filter((type) => type === 'CUSTOMER.KYC_APPROVED').length, 1)
})

test('KYC-24 of racing submissions by one link one counts', async () => {
  const own = await kit.platform({ kind: 'UNREGULATED' })
  const customer = await completePerson(own, { fullName: 'Maria 001' })
  const token = tokenOf(expectStatus(await link(own, customer), 201))
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => submitHosted(own, token)),
  )
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('KYC-25 a link expires by the clock of its platform, and with its customer', async () => {
  const own = await kit.platform({ kind: 'UNREGULATED' })
  const [customer, deleted] = [await createCustomer(own), await createCustomer(own)]
  const token = tokenOf(expectStatus(await link(own, customer), 201))
  const orphan = tokenOf(expectStatus(await link(own, deleted), 201))
  expectStatus(await own.api.delete(`/customers/${deleted.id}`), 200)
  await assert.rejects(submitHosted(own, orphan), { code: 'KYC_LINK_EXPIRED' })
  await advance(own, 86_401)
  await assert.rejects(submitHosted(own, token), { code: 'KYC_LINK_EXPIRED' })
  const fresh = tokenOf(expectStatus(await link(own, customer), 201))
  assert.equal((await submitHosted(own, fresh)).verificationStatus, 'RESOLVE_ERRORS')
  assert.equal(await findKycLink(deps.db.read, 'never given out'), undefined)
})

test('KYC-28 the requirements are exactly what a submission would find missing', async () => {
  const light = await kit.platform({ kind: 'REGULATED' })
  const required = async (on: TestPlatform, customer: HasId): Promise<string[]> => {
    const token = tokenOf(expectStatus(await link(on, customer), 201))
    const entries = await visit(on, token, async (work, found) =>
      readRequirements(work, await mustBeOpenLink(work, found)),
    )
    return entries.map(({ type, field }) => (field === undefined ? type : `${type} ${field}`))
  }
  const bare = await createCustomer(platform, { fullName: 'Maria Lopez' })
  const asked = await required(platform, bare)
  const found = await submitted(platform, bare)
  assert.equal(asked.length, Object.keys(found.errors ?? {}).length)
  assert.deepEqual(await required(light, await createCustomer(light)), [])
  for (const [ending, isAsked] of [
    ['041', false],
    ['002', false],
    ['003', true],
  ] as const) {
    const business = await createCustomer(light, businessData(`1${ending}`))
    assert.equal((await required(light, business)).length > 0, isAsked, ending)
  }
  const reviewed = await completePerson(platform, { fullName: 'Maria 001' })
  await submitted(platform, reviewed)
  assert.deepEqual(await required(platform, reviewed), [])
})
