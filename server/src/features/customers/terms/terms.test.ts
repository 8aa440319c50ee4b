import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectFields, expectStatus, type HasId } from '../../../../test/kit/api.ts'
import { advance } from '../../../../test/kit/outside/connect-receiver.ts'
import { createCustomer, readCustomer } from '../../../../test/kit/customers.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import { insertTerms } from './store.ts'

const kit = await startOwnKit({ LEGAL_NAME: 'Example <Trust> & Co' })
const { db } = kit.florin.deps
const p = await kit.platform({ kind: 'UNREGULATED' })

const consent = (changes: object = {}) => ({
  acceptedAt: '2026-01-01T12:00:00+02:00',
  ipAddress: '192.0.2.1',
  termsVersion: 'V1',
  acceptanceMethod: 'CLICK_TO_ACCEPT',
  ...changes,
})

const SHOWN = consent({ acceptedAt: '2026-01-01T10:00:00.000Z' })

const give = ({ id }: HasId, changes: object | null = {}) =>
  p.api.patch(`/customers/${id}`, {
    customerType: 'INDIVIDUAL',
    endUserTermsConsent: changes && consent(changes),
  })

const pageAt = (path: string): Promise<Response> => fetch(new URL(path, kit.baseUrl))

test('CUST-30 CORE-93 the current version and its text, hosted by the service under a strict policy', async () => {
  const terms = expectStatus(await p.api.get('/customers/end-user-terms'), 200)
  assert.equal(terms.version, 'V1')
  const url = new URL(terms.url)
  assert.equal(url.pathname, '/legal/end-user-terms/V1')
  const page = await pageAt(url.pathname)
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /unsafe|https?:/)
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
  const html = await page.text()
  assert.match(
    html,
    /between you and Example &lt;Trust&gt; &amp; Co/,
    'the operator’s name, escaped',
  )
  assert.doesNotMatch(html, /<script|\{\{/)
})

test('CUST-30 the page of an unknown version is 404', async () => {
  for (const path of ['V0', '..%2f', '%00', "'%20or%201=1"]) {
    const page = await pageAt(`/legal/end-user-terms/${path}`)
    assert.equal(page.status, 404, path)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  }
})

test('CUST-31 every part of a consent is required and checked', async () => {
  const customer = await createCustomer(p)
  const body = { customerType: 'INDIVIDUAL', endUserTermsConsent: {} }
  expectFields(await p.api.patch(`/customers/${customer.id}`, body), [
    'endUserTermsConsent.acceptedAt',
    'endUserTermsConsent.ipAddress',
    'endUserTermsConsent.termsVersion',
    'endUserTermsConsent.acceptanceMethod',
  ])
  const wrong = {
    acceptedAt: new Date(Date.now() + 301_000).toISOString(),
    ipAddress: '192.0.2.256',
    termsVersion: '',
    acceptanceMethod: 'NOD',
  }
  const fields = Object.keys(wrong).map((name) => `endUserTermsConsent.${name}`)
  expectFields(await give(customer, wrong), fields)
  const created = { customerType: 'INDIVIDUAL', endUserTermsConsent: wrong }
  expectFields(await p.api.post('/customers', created), fields)
  for (const ipAddress of ['example.com', '192.0.2.1/24', '1', '', '1.2.3', 'fe80::1%eth0']) {
    expectFields(await give(customer, { ipAddress }), ['endUserTermsConsent.ipAddress'])
  }
})

test('CUST-31 a consent may be up to five minutes ahead of the platform’s clock', async () => {
  const own = await kit.platform({ kind: 'UNREGULATED' })
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  const body = {
    customerType: 'INDIVIDUAL',
    endUserTermsConsent: consent({ acceptedAt: inAnHour }),
  }
  expectFields(await own.api.post('/customers', body), ['endUserTermsConsent.acceptedAt'])
  await advance(own, 3_600 - 200)
  expectStatus(await own.api.post('/customers', body), 201)
})

test('CUST-32 CUST-33 scenario 13: an unknown version is refused, a known one is shown', async () => {
  const customer = await createCustomer(p)
  assert.equal(customer.endUserTermsConsent, undefined)
  expectError(await give(customer, { termsVersion: 'V0' }), 400, 'END_USER_TERMS_VERSION_NOT_FOUND')
  const given = expectStatus(await give(customer), 200)
  assert.deepEqual(given.endUserTermsConsent, SHOWN)
  assert.deepEqual(await readCustomer(p, customer), given)
  const born = await createCustomer(p, { endUserTermsConsent: consent() })
  assert.deepEqual(born.endUserTermsConsent, SHOWN)
  const unknown = consent({ termsVersion: 'V0' })
  expectError(
    await p.api.post('/customers', { customerType: 'INDIVIDUAL', endUserTermsConsent: unknown }),
    400,
    'END_USER_TERMS_VERSION_NOT_FOUND',
  )
})

test('CUST-33 a later consent replaces the shown one, all of them stay on record', async () => {
  const customer = await createCustomer(p, { endUserTermsConsent: consent() })
  const repeated = expectStatus(await give(customer), 200)
  assert.equal(repeated.updatedAt, customer.updatedAt, 'the same again is no change')
  await give(customer, { ipAddress: '2001:db8::1' })
  assert.equal((await readCustomer(p, customer)).endUserTermsConsent?.ipAddress, '2001:db8::1')
  const withdrawn = expectStatus(await give(customer, null), 200)
  assert.equal(withdrawn.endUserTermsConsent, undefined)
  const rows = await db.read.many<{ ipAddress: string }>(
    sql`select ip_address from end_user_terms_consents
        where customer_id = ${customer.id.replace('Customer:', '')} order by id`,
  )
  assert.deepEqual(
    rows.map(({ ipAddress }) => ipAddress),
    ['192.0.2.1', '2001:db8::1'],
  )
})

test('CUST-33 a regulated platform may record consent too', async () => {
  const regulated = await kit.platform({ kind: 'REGULATED' })
  const created = await createCustomer(regulated, { endUserTermsConsent: consent() })
  assert.deepEqual(created.endUserTermsConsent, SHOWN)
})

test('CUST-32 any version ever published may be accepted, the latest is the current one', async () => {
  const body = 'Short & <b>new</b>.\n\n## Heading\n\nMore by {{LEGAL_NAME}}.'
  const v2 = { version: 'V2', body, publishedAt: new Date('2026-02-03T04:05:06Z') }
  assert.equal(await insertTerms(db.read, v2), true)
  assert.equal(await insertTerms(db.read, { ...v2, body: 'other' }), false, 'once')
  const terms = expectStatus(await p.api.get('/customers/end-user-terms'), 200)
  assert.equal(terms.version, 'V2')
  const html = await (await pageAt('/legal/end-user-terms/V2')).text()
  assert.match(html, /Short &amp; &lt;b&gt;new&lt;\/b&gt;\./)
  assert.match(html, /<h2>Heading<\/h2>/)
  assert.match(html, /Version V2/)
  assert.match(html, /2026-02-03/)
  const customer = await createCustomer(p)
  for (const termsVersion of ['V1', 'V2']) {
    const given = expectStatus(await give(customer, { termsVersion }), 200)
    assert.equal(given.endUserTermsConsent?.termsVersion, termsVersion)
  }
})
