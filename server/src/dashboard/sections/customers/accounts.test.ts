import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text } from '../../../../test/kit/api.ts'
import { createCustomer } from '../../../../test/kit/customers.ts'
import { openDashboard } from '../../../../test/kit/pages/dashboard.ts'
import { externalAccountBody } from '../../../../test/kit/accounts/external-account-bodies.ts'
import {
  newAccount,
  newCustomer,
  newOwnWallet,
  PLATFORM,
} from '../../../../test/kit/accounts/external-accounts.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'

const kit = await startOwnKit()
const board = await openDashboard(kit)
const anna = await board.signIn('anna')

const narrowed = (path: string, { platformId }: TestPlatform): string =>
  `${path}${path.includes('?') ? '&' : '?'}platform=${encodeURIComponent(platformId)}`

const actionOn = async (id: string) => {
  const [entry] = items(await operate(kit, 'audit list', '--resource', id))
  return [entry?.['actor'], entry?.['action']]
}

async function fundedAccount({ api }: TestPlatform, amount: number): Promise<string> {
  const query = { currency: 'USD' }
  const listed = expectStatus(await api.get('/platform/internal-accounts', { query }), 200)
  const id = text(listed.data[0]?.id)
  expectStatus(await api.post(`/sandbox/internal-accounts/${id}/fund`, { amount }), 200)
  return id
}

test('IACC-8 CORE-92 an account is shown with its balance, frozen and let go again', async () => {
  const platform = await kit.platform()
  const id = await fundedAccount(platform, 123_450)
  assert.match((await anna.get('/accounts')).text, /Choose a platform above/)
  assert.ok((await anna.get(narrowed('/accounts', platform))).text.includes('1,234.50 USD'))
  const page = `/accounts/${encodeURIComponent(id)}`
  const fund = () => platform.api.post(`/sandbox/internal-accounts/${id}/fund`, { amount: 5 })
  assert.equal((await anna.post(`${page}/freeze`)).status, 303)
  assert.deepEqual(await actionOn(id), ['operator:anna', 'accounts freeze'])
  assert.equal((await fund()).status, 403)
  const again = await anna.post(`${page}/freeze`)
  assert.equal(again.status, 409)
  assert.match(again.text, /Nothing was changed\./)
  assert.equal((await anna.post(`${page}/unfreeze`, { seen: 'ACTIVE' })).status, 409, 'outdated')
  assert.equal((await anna.post(`${page}/unfreeze`, { seen: 'FROZEN' })).status, 303)
  expectStatus(await fund(), 200)
  assert.equal((await anna.get('/accounts/InternalAccount:nobody')).status, 404)
})

test('IACC-6 CORE-83 accounts list shows those of customers, by customer and page by page', async () => {
  const platform = await kit.platform()
  const customer = await createCustomer(platform, { customerType: 'INDIVIDUAL' })
  await createCustomer(platform, { customerType: 'INDIVIDUAL' })
  const list = async (...options: string[]) =>
    items(await operate(kit, `accounts list --platform ${platform.platformId}`, ...options))
  const all = await list()
  const [newest, next] = all
  assert.ok(newest && next)
  assert.deepEqual(await list('--before', text(newest['internalAccountId']), '--limit', '1'), [
    next,
  ])
  const owned = await list('--customer', customer.id)
  assert.ok(owned.length > 0 && owned.length < all.length)
  assert.ok(owned.every((one) => String(one['customerId']) === customer.id))
  assert.ok((await list('--own')).every((one) => one['customerId'] === undefined))
  await assert.rejects(list('--before', 'x'), { code: 'REFERENCE_NOT_FOUND' })
})

test('EACC-13 CORE-92 the status of an external account is set, and its number is in no list', async () => {
  const platform = await kit.platform()
  const body = externalAccountBody('USD_ACCOUNT', { accountNumber: '987650001234' })
  const id = (await newAccount(platform.api, body, PLATFORM)).id
  const list = await anna.get(narrowed('/external-accounts?view=own', platform))
  assert.ok(list.text.includes(id) && !list.text.includes('987650001234'))
  const page = `/external-accounts/${encodeURIComponent(id)}`
  assert.equal((await anna.post(`${page}/set-status`, { status: 'UNDER_REVIEW' })).status, 303)
  assert.match((await anna.get(page)).text, /Under review<\/span>/)
  assert.deepEqual(await actionOn(id), ['operator:anna', 'external-accounts set-status'])
  const odd = await anna.post(`${page}/set-status`, { status: 'ODD' })
  assert.equal(odd.status, 400)
  assert.match(odd.text, /The status is one of ACTIVE, UNDER_REVIEW, INACTIVE/)
})

test('OWN-1 CORE-83 an account whose owner is to be proven is refused in words', async () => {
  const platform = await kit.platform({ environment: 'PRODUCTION' })
  const customerId = await newCustomer(platform.api, { region: 'DE' })
  const { account } = await newOwnWallet(platform.api, customerId)
  const page = `/external-accounts/${encodeURIComponent(account.id)}`
  const refused = await anna.post(`${page}/set-status`, { status: 'ACTIVE' })
  assert.equal(refused.status, 409)
  assert.match(refused.text, /Nothing was changed\./)
})

test('HOOK-5 CORE-83 external-accounts list pages, and show masks a government’s numbers', async () => {
  const { api, platformId } = await kit.platform()
  for (const ending of ['01', '02']) {
    const body = externalAccountBody('USD_ACCOUNT', { accountNumber: `9876500012${ending}` })
    await newAccount(api, body, PLATFORM)
  }
  const list = async (...options: string[]) =>
    items(await operate(kit, `external-accounts list --own --platform ${platformId}`, ...options))
  const [newest, next] = await list()
  assert.ok(newest && next)
  assert.deepEqual(await list('--before', text(newest['externalAccountId'])), [next])
  const brazilian = externalAccountBody('BRL_ACCOUNT')
  const { id } = await newAccount(api, brazilian, PLATFORM)
  const { taxId } = brazilian.accountInfo as { taxId?: string }
  const shown = JSON.stringify(await operate(kit, `external-accounts show ${id}`))
  assert.ok(taxId !== undefined && !shown.includes(taxId))
})
