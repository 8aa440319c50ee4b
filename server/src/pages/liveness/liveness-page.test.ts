import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, text, type Api } from '../../../test/kit/api.ts'
import { advance } from '../../../test/kit/outside/connect-receiver.ts'
import {
  accountIdOf,
  asOperator,
  newCustomer,
  newOwnWallet,
} from '../../../test/kit/accounts/external-accounts.ts'
import { startKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { decideOwnership } from '../../features/external-accounts/index.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { mustParseId } from '../../kernel/ids.ts'

const kit = await startKit()
const { origin } = new URL(kit.baseUrl)

const statusOf = async (api: Api, path: string): Promise<unknown> =>
  expectStatus(await api.get(path), 200)['status']

async function check({ api }: TestPlatform) {
  const customerId = await newCustomer(api, { region: 'DE' })
  const { wallet, account, path } = await newOwnWallet(api, customerId)
  const ask = async (): Promise<string> => {
    const asked = await api.post(`${path}/challenge`, { method: 'LIVENESS' })
    const link = new URL(text(expectStatus(asked, 201)['verificationLink']))
    return `${origin}${link.pathname}${link.search}`
  }
  return { wallet, account, path, ask, link: await ask() }
}

/** Sends the form of an action. */
const act = (link: string, action: string, init: RequestInit = {}): Promise<Response> =>
  fetch(link.replace('/liveness?', `/liveness/${action}?`), { method: 'POST', ...init })

async function textAt(link: string): Promise<string> {
  const response = await fetch(link)
  assert.equal(response.status, 200)
  return response.text()
}

test('CORE-93 the page has no script, a strict policy, and is neither cached nor passed on', async () => {
  const { link } = await check(await kit.platform())
  for (const at of [link, `${origin}/liveness`, `${origin}/liveness?token=nothing`]) {
    const { headers } = await fetch(at)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(
      policy,
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; form-action 'self'; /,
    )
    assert.match(policy, /frame-ancestors 'none'/)
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.match(headers.get('content-type') ?? '', /^text\/html; charset=utf-8$/)
  }
  assert.doesNotMatch(await textAt(link), /<script|\son[a-z]+=|src="|href="(?!\?)/)
})

test('OWN-9 in sandbox the visitor passes the check, at once and once', async () => {
  const platform = await kit.platform()
  const { wallet, path, link } = await check(platform)
  const page = await textAt(link)
  assert.ok(page.includes(wallet.address))
  assert.match(page, /Pass the check/)
  assert.match(page, /Fail the check/)
  const { status, url, redirected } = await act(link, 'pass')
  assert.deepEqual([status, url, redirected], [200, link, true])
  assert.equal(await statusOf(platform.api, path), 'ACTIVE')
  assert.match(await textAt(link), /confirmed as yours/)
  await act(link, 'fail')
  assert.equal(await statusOf(platform.api, path), 'ACTIVE')
})

test('OWN-9 in sandbox the visitor fails the check, and time does not pass it any more', async () => {
  const platform = await kit.platform()
  const { path, link, ask } = await check(platform)
  await act(link, 'fail')
  assert.equal(await statusOf(platform.api, path), 'UNVERIFIED')
  assert.match(await textAt(link), /did not succeed/)
  await advance(platform, 60)
  assert.equal(await statusOf(platform.api, path), 'UNVERIFIED')
  const again = await ask()
  await act(link, 'pass')
  assert.equal(await statusOf(platform.api, path), 'PENDING_OWNERSHIP_VERIFICATION')
  await act(again, 'pass')
  assert.equal(await statusOf(platform.api, path), 'ACTIVE')
})

test('OWN-5 the link of a superseded check offers no action', async () => {
  const platform = await kit.platform()
  const { path, link, ask } = await check(platform)
  await ask()
  assert.match(await textAt(link), /no longer in use/)
  assert.doesNotMatch(await textAt(link), /<form/)
  await act(link, 'pass')
  assert.equal(await statusOf(platform.api, path), 'PENDING_OWNERSHIP_VERIFICATION')
})

test('OWN-7 of racing visitors one decides', async () => {
  const platform = await kit.platform()
  const { account, path, link } = await check(platform)
  await Promise.all(Array.from({ length: 10 }, (_, n) => act(link, n % 2 ? 'pass' : 'fail')))
  const events = expectStatus(await platform.api.get('/events'), 200).data
  const statuses = (events as unknown as { data: { id: string; status: string } }[])
    .filter(({ data }) => data.id === account.id)
    .map(({ data }) => data.status)
  assert.equal(statuses.length, 1)
  assert.equal(await statusOf(platform.api, path), statuses[0])
})

test('CORE-3 an unknown link and an unknown action are not found', async () => {
  const { link } = await check(await kit.platform())
  for (const at of [
    `${origin}/liveness?`,
    `${origin}/liveness?token=`,
    `${origin}/liveness?token=x&token=y`,
    link.slice(0, -1),
  ]) {
    assert.equal((await fetch(at)).status, 404, at)
    assert.equal((await act(at, 'pass')).status, 404, at)
  }
  for (const action of ['submit', 'anything', '__proto__']) {
    const response = await act(link, action)
    assert.equal(response.status, 404, action)
    assert.match(await response.text(), /<!doctype html>/)
  }
})

test('ERR-5 a name is text on the page, whatever it holds', async () => {
  const { link } = await check(await kit.platform({ name: '<script>alert(1)</script>' }))
  assert.match(await textAt(link), /&lt;script&gt;alert\(1\)&lt;\/script&gt;/)
})

test('CORE-92 an action leaves an audit entry, one without effect leaves none', async () => {
  const platform = await kit.platform()
  const { account, link } = await check(platform)
  await act(link, 'pass', { headers: { 'x-request-id': 'visit-1' } })
  await act(link, 'fail', { headers: { 'x-request-id': 'visit-2' } })
  const id = mustParseId('platform', platform.platformId)
  const entries = await kit.florin.deps.db.read.many(
    sql`select actor, action, resource, client_request_id from audit_entries
        where platform_id = ${id} and actor like 'page:%'`,
  )
  const resource = account.id
  assert.deepEqual(entries, [
    {
      actor: `page:liveness:${resource}`,
      action: 'liveness pass',
      resource,
      clientRequestId: 'visit-1',
    },
  ])
})

test('OWN-4 in PRODUCTION the visitor submits, and the operator decides', async () => {
  const platform = await kit.platform({ environment: 'PRODUCTION' })
  const { account, path, link } = await check(platform)
  assert.equal((await act(link, 'pass')).status, 404)
  assert.doesNotMatch(await textAt(link), />Sandbox<|Pass the check/)
  await act(link, 'submit')
  assert.match(await textAt(link), /under review/)
  assert.equal(await statusOf(platform.api, path), 'PENDING_OWNERSHIP_VERIFICATION')
  await act(link, 'submit')
  const id = accountIdOf(account)
  await asOperator(kit, platform, (work) => decideOwnership(work, { id, isApproved: true }))
  assert.equal(await statusOf(platform.api, path), 'ACTIVE')
  assert.match(await textAt(link), /confirmed as yours/)
})
