import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UmaInvitation } from '../../../../sdk/src/index.ts'
import { expectStatus, type Shown } from '../../../test/kit/api.ts'
import { advance } from '../../../test/kit/outside/connect-receiver.ts'
import { createCustomer } from '../../../test/kit/customers.ts'
import { startKit } from '../../../test/kit/florin.ts'
import {
  createInvitation,
  inSeconds,
  readInvitation,
} from '../../../test/kit/onboarding/invitations.ts'

const kit = await startKit()

const pathOf = ({ url }: Shown<UmaInvitation>): string => new URL(url).pathname

async function visit(path: string): Promise<Readonly<{ status: number; page: string }>> {
  const response = await fetch(new URL(path, kit.baseUrl))
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
  return { status: response.status, page: await response.text() }
}

test('INV-14 a pending invitation shows who invites, the amount, and the providers that are not blocked', async () => {
  const p = await kit.platform({ name: 'Ana’s bank', currencies: ['USD', 'JPY'] })
  const made = await createInvitation(p, { firstName: 'Ana', amountToSend: 5005 })
  const { status, page } = await visit(pathOf(made))
  assert.equal(status, 200)
  assert.match(page, /<h1>Ana invites you<\/h1>/)
  assert.match(page, /50\.05 USD/)
  assert.match(page, /Sandbox Provider/)
  assert.match(page, /Sandbox Latin Provider/)
  assert.doesNotMatch(page, /Sandbox Blocked Provider/)
  assert.doesNotMatch(page, /<script|\{sandbox_uma_domain\}/)
  assert.deepEqual(await readInvitation(p, made), made, 'a visit changes nothing')
})

test('INV-14 an amount is written by the decimals of its currency', async () => {
  const p = await kit.platform({ currencies: ['JPY', 'USD'] })
  for (const [currency, amountToSend, shown] of [
    ['JPY', 5000, '>5,000 JPY<'],
    ['USD', 5, '>0.05 USD<'],
  ] as const) {
    const inviter = await createCustomer(p, { currencies: [currency] })
    const inviterUma = inviter.umaAddress
    const { page } = await visit(pathOf(await createInvitation(p, { inviterUma, amountToSend })))
    assert.ok(page.includes(shown), shown)
  }
})

test('INV-14 without a name or an amount none is shown', async () => {
  const p = await kit.platform()
  const { page } = await visit(pathOf(await createInvitation(p)))
  assert.match(page, /<h1>You are invited<\/h1>/)
  assert.doesNotMatch(page, /Amount/)
})

test('INV-14 claimed, cancelled and expired ones are gone, unknown ones not found', async () => {
  const p = await kit.platform()
  const inviteeUma = (await createCustomer(p)).umaAddress
  const claimed = await createInvitation(p, { firstName: 'Ana' })
  const path = `/invitations/${claimed.code}/claim` as const
  expectStatus(await p.api.post(path, { inviteeUma }), 200)
  const cancelled = await createInvitation(p)
  expectStatus(await p.api.post(`/invitations/${cancelled.code}/cancel`), 200)
  const expired = await createInvitation(p, { expiresAt: inSeconds(60) })
  await advance(p, 60)
  for (const [made, says] of [
    [claimed, /taken up/],
    [cancelled, /withdrawn/],
    [expired, /expired/],
  ] as const) {
    const { status, page } = await visit(pathOf(made))
    assert.equal(status, 410)
    assert.match(page, says)
    assert.ok(!page.includes('Ana') && !page.includes(inviteeUma))
  }
  for (const code of ['aaaaaaaaaaaaaaaaaaaa', 'x', '%00', '..%2f']) {
    assert.equal((await visit(`/i/${code}`)).status, 404, code)
  }
})

test('ERR-5 a name is text on the page, whatever it holds', async () => {
  const p = await kit.platform({ name: '<b>Bank</b>' })
  const made = await createInvitation(p, { firstName: '<script>alert(1)</script>' })
  const { page } = await visit(pathOf(made))
  assert.match(page, /&lt;script&gt;alert\(1\)&lt;\/script&gt; invites you/)
  assert.match(page, /&lt;b&gt;Bank/)
})
