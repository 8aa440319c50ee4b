/** The dashboard's screens of platforms and the house in a real browser, on a desk and on a phone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text } from '../../kit/api.ts'
import { openBrowser } from '../../kit/pages/browser.ts'
import { connect, openReceiver } from '../../kit/outside/connect-receiver.ts'
import { openDashboard } from '../../kit/pages/dashboard.ts'
import { emitEvent } from '../../kit/outside/emit-event.ts'
import { eventually } from '../../kit/eventually.ts'
import { externalAccountBody } from '../../kit/accounts/external-account-bodies.ts'
import { newAccount, PLATFORM } from '../../kit/accounts/external-accounts.ts'
import { startOwnKit } from '../../kit/florin.ts'
import { operate } from '../../kit/operator.ts'
import { invited } from '../../kit/setups/operators.ts'
import { newStablecoin } from '../../kit/stablecoins.ts'
import { DESK, mustBeSound, mustBeSoundOnBoth, PHONE } from '../page-checks.ts'

const kit = await startOwnKit({ ADMIN_PORT: '8081' })
const platform = await kit.platform({ name: 'Acme Pay' })
const board = await openDashboard(kit)
const browser = await openBrowser()

const receiver = await openReceiver()
await connect(platform, receiver)
receiver.answer(500)
const eventId = await emitEvent(kit, platform, { sending: 'ONCE' })
const own = expectStatus(
  await platform.api.get('/platform/internal-accounts', { query: { currency: 'USD' } }),
  200,
)
const accountId = text(own.data[0]?.id)
await platform.api.post(`/sandbox/internal-accounts/${accountId}/fund`, { amount: 123_450 })
await newStablecoin(platform.api)
const bank = await newAccount(platform.api, externalAccountBody('USD_ACCOUNT'), PLATFORM)
await operate(
  kit,
  `fees set --platform ${platform.platformId} --service-bps 50 --service-fixed USD:25`,
)
await operate(
  kit,
  `limits set --platform ${platform.platformId} --currency USD --daily-volume 500000000`,
)
await operate(kit, 'rates set --price EUR=0.92 --price BTC=1/120000')
const anna = await invited(kit, 'Anna', 'ADMIN')
const ben = await invited(kit, 'Ben', 'TREASURER,REVIEWER', '--platform', platform.platformId)
await operate(
  kit,
  'operator-tokens create --operator Ben --name nightly --expires-in 30 --commands settlements.confirm,look-up',
)
await eventually(async () => {
  const lost = items(await operate(kit, 'events list --status FAILED'))
  assert.equal(lost.length, 1)
})

const narrowed = `platform=${encodeURIComponent(platform.platformId)}`
const pageOf = (section: string, id: string): string => `/${section}/${encodeURIComponent(id)}`

const SCREENS = [
  '/platforms',
  '/platforms/-/create',
  pageOf('platforms', platform.platformId),
  '/events',
  pageOf('events', eventId),
  `/accounts?${narrowed}`,
  pageOf('accounts', accountId),
  `/external-accounts?view=own&${narrowed}`,
  pageOf('external-accounts', bank.id),
  `/ledger?view=all&${narrowed}`,
  '/rates',
  '/rates?view=required',
  '/rates?view=network-fees',
  '/rates/-/network-fee',
  '/rates/-/set',
  '/uma-providers?view=sandbox',
  '/terms',
  '/terms/-/publish',
  `/stablecoins?${narrowed}`,
  `/stablecoin-links?${narrowed}`,
  '/operators',
  '/operators/-/invite',
  pageOf('operators', anna.operatorId),
  pageOf('operators', ben.operatorId),
  '/account/tokens',
]

test('CORE-80 CORE-83 every screen of platforms and the house is sound, on a desk and on a phone', async () => {
  const context = await browser.newContext(DESK)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(await board.link('Anna Berg'))
  await page.getByRole('button', { name: 'Sign in as Anna Berg' }).click()
  await page.waitForURL(`${board.origin}/`)
  for (const path of SCREENS) {
    await page.goto(`${board.origin}${path}`)
    await mustBeSoundOnBoth(page)
  }
  assert.deepEqual(complaints, [])
  await context.close()
})

test('CORE-83 TOK-2 a token is made from a platform’s page, and the book is checked with a button', async () => {
  const context = await browser.newContext({ viewport: DESK.viewport })
  const page = await context.newPage()
  await page.goto(await board.link('Anna Berg'))
  await page.getByRole('button', { name: 'Sign in as Anna Berg' }).click()
  await page.waitForURL(`${board.origin}/`)
  await page.getByRole('navigation').getByRole('link', { name: 'Platforms' }).click()
  await page.getByRole('link', { name: 'Acme Pay' }).click()
  await page.locator('summary', { hasText: 'New token' }).click()
  await page.getByLabel('Token’s name').fill('ci')
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByText('Client secret', { exact: true }).waitFor()
  await mustBeSound(page)
  await page.getByRole('navigation').getByRole('link', { name: 'Ledger' }).click()
  await page.getByRole('link', { name: 'Check the ledger' }).click()
  await page.getByRole('button', { name: 'Check the ledger' }).click()
  await page.getByText(/The book is sound/).waitFor()
  await mustBeSound(page)
  await context.close()
})

test('OPER-1 OPER-2 OPER-40 an operator is invited, and a program’s token made and revoked, on a phone', async () => {
  const context = await browser.newContext({ viewport: PHONE.viewport })
  const page = await context.newPage()
  await page.goto(await board.link('Anna'))
  await page.getByRole('button', { name: 'Sign in as Anna' }).click()
  await page.goto(`${board.origin}/operators`)
  await page.getByRole('link', { name: 'Invite an operator' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Otto')
  await page.getByLabel('E-mail').fill('otto@example.com')
  await page.getByLabel(/^Treasurer/).check()
  await page.getByRole('button', { name: 'Invite an operator' }).click()
  await page.getByText(/Send this link to Otto/).waitFor()
  assert.match(await page.locator('pre').innerText(), /\/sign-in\/[\w-]{43}$/)
  await mustBeSound(page)
  await page.goto(`${board.origin}${pageOf('operators', ben.operatorId)}`)
  await page.locator('summary', { hasText: 'New token for a program' }).click()
  const form = page.locator('details[open]')
  await form.getByLabel('Token’s name').fill('weekly')
  await form.getByLabel('Days').fill('7')
  await mustBeSound(page)
  await form.getByRole('button').click()
  await page.getByText('It is not shown again.').waitFor()
  assert.match(await page.locator('pre').innerText(), /^flop_[\w-]{43}$/)
  await mustBeSound(page)
  await page.goBack()
  await page.reload()
  await page.locator('summary', { hasText: 'Revoke a token' }).click()
  await page.getByLabel('Token', { exact: true }).selectOption('weekly')
  await page.getByRole('button', { name: 'Revoke a token' }).click()
  await page.getByRole('status').waitFor()
  assert.equal(await page.getByRole('cell', { name: 'weekly', exact: true }).count(), 0)
  await mustBeSound(page)
  await context.close()
})
