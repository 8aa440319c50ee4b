import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client, expectError, expectStatus, items, text } from '../../../../test/kit/api.ts'
import { openDashboard } from '../../../../test/kit/pages/dashboard.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { newId, formatId } from '../../../kernel/ids.ts'

const kit = await startOwnKit()
const board = await openDashboard(kit)
const anna = await board.signIn('anna')

const pageOf = (id: string): string => `/platforms/${encodeURIComponent(id)}`

/** What stands beside a title on a page of facts. */
const fact = (page: string, title: string): string =>
  new RegExp(`<dt>${title}</dt>\\s*<dd><code>([^<]*)</code>`).exec(page)?.[1] ?? ''

const actionsOn = async (platformId: string): Promise<unknown[]> =>
  items(await operate(kit, 'audit list', '--platform', platformId, '--actor', 'operator:anna')).map(
    (entry) => entry['action'],
  )

test('CORE-83 CORE-92 a platform is made, and its secret is shown this once', async () => {
  const made = await anna.post('/platforms/-/create', {
    name: 'Made <here>',
    kind: 'UNREGULATED',
    environment: 'SANDBOX',
    currencies: 'USD,EUR',
    'passkey-origin': 'https://a.example\nhttps://b.example\n',
    'strict-identifiers': 'on',
  })
  assert.equal(made.status, 200)
  const [platformId, clientId, clientSecret] = ['Platform id', 'Client id', 'Client secret'].map(
    (title) => fact(made.text, title),
  ) as [string, string, string]
  const api = client(kit.baseUrl, { clientId, clientSecret })
  expectStatus(await api.get('/config'), 200)
  const page = await anna.get(pageOf(platformId))
  assert.ok(page.text.includes('Made &lt;here&gt;') && page.text.includes(clientId))
  assert.match(page.text, /<dt>Check identifiers strictly in sandbox too<\/dt>\s*<dd>On/)
  for (const shown of [page, await anna.get('/platforms')]) {
    assert.ok(!shown.text.includes(clientSecret), 'never again')
  }
  assert.deepEqual(await actionsOn(platformId), ['platforms create'])
})

test('CORE-83 a platform that cannot be made is refused in words, and what was typed stays', async () => {
  const refused = await anna.post('/platforms/-/create', {
    name: 'Odd',
    kind: 'UNREGULATED',
    environment: 'PRODUCTION',
    currencies: 'USD,XQX',
  })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /Nothing was changed\.[^]*Unknown currencies: XQX\./)
  assert.match(refused.text, /value="USD,XQX"/)
  assert.equal((await anna.get(pageOf(formatId('platform', newId('platform'))))).status, 404)
})

test('CORE-83 CORE-92 what the operator sets for a platform is shown readably', async () => {
  const { platformId } = await kit.platform({ name: 'Set' })
  const page = pageOf(platformId)
  for (const [entry, fields] of [
    ['update', { name: 'Renamed', 'travel-rule': 'on' }],
    ['set-fees', { 'service-bps': '50', 'service-fixed': 'USD:123450' }],
    ['set-limits', { currency: 'USD', to: 'EUR', 'max-transaction': '250000000' }],
  ] as const) {
    assert.equal((await anna.post(`${page}/${entry}`, fields)).status, 303, entry)
  }
  const { text: shown } = await anna.get(page)
  for (const said of ['Renamed', '0.50 %', '1,234.50 USD', '2,500,000.00 USD']) {
    assert.ok(shown.includes(said), said)
  }
  assert.match(shown, /<dt>Ask for wallet ownership everywhere<\/dt>\s*<dd>On/)
  const bad = await anna.post(`${page}/set-limits`, { currency: 'USD', 'max-transaction': '1.5' })
  assert.equal(bad.status, 400)
  assert.match(bad.text, /max-transaction is a whole number of smallest units/)
  assert.deepEqual(await actionsOn(platformId), ['limits set', 'fees set', 'platforms update'])
})

test('TOK-2 CORE-92 a token is made and revoked; its secret is on no page but the first', async () => {
  const { platformId } = await kit.platform({ name: 'Tokens' })
  const page = pageOf(platformId)
  const made = await anna.post(`${page}/create-token`, { name: 'ci', permissions: 'VIEW' })
  const [clientId, clientSecret] = [fact(made.text, 'Client id'), fact(made.text, 'Client secret')]
  const api = client(kit.baseUrl, { clientId, clientSecret })
  expectStatus(await api.get('/config'), 200)
  const shown = await anna.get(page)
  assert.ok(shown.text.includes(clientId) && !shown.text.includes(clientSecret))
  const token = fact(made.text, 'Token id')
  assert.equal((await anna.post(`${page}/revoke-token`, { token: '' })).status, 404)
  assert.equal((await anna.post(`${page}/revoke-token`, { token })).status, 303)
  await eventually(async () => expectError(await api.get('/config'), 401, 'UNAUTHORIZED'))
  assert.ok(!(await anna.get(page)).text.includes(clientId))
  assert.deepEqual(await actionsOn(platformId), ['tokens revoke', 'tokens create'])
})

test('HOOK-23 CORE-92 a webhook key is replaced', async () => {
  const { platformId } = await kit.platform({ name: 'Rotated' })
  const key = async () =>
    text((await operate(kit, `platforms show ${platformId}`))['webhookPublicKey'])
  const before = await key()
  assert.equal((await anna.post(`${pageOf(platformId)}/rotate-webhook-key`)).status, 303)
  assert.notEqual(await key(), before)
  assert.ok((await anna.get(pageOf(platformId))).text.includes((await key()).slice(60, 100)))
  assert.deepEqual(await actionsOn(platformId), ['platforms rotate-webhook-key'])
})
