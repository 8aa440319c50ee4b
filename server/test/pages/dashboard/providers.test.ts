/** Providers, orders and exceptions in a real browser, at both widths and in both colours. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { items, text } from '../../kit/api.ts'
import { startOwnKit } from '../../kit/florin.ts'
import { operate } from '../../kit/operator.ts'
import { scriptedProvider } from '../../kit/outside/scripted-provider.ts'
import { openBrowser } from '../../kit/pages/browser.ts'
import { openDashboard } from '../../kit/pages/dashboard.ts'
import {
  failedAfterSettled,
  orderInState,
  settledAfterFailed,
  silentProvider,
} from '../../kit/setups/provider-work.ts'
import { railsSetup } from '../../kit/setups/rails.ts'
import { DESK, mustBeSoundOnBoth } from '../page-checks.ts'

const kit = await startOwnKit()
const board = await openDashboard(kit)
const browser = await openBrowser()

async function signIn(): Promise<Page> {
  const page = await (await browser.newContext(DESK)).newPage()
  await page.goto(await board.link('Anna Berg'))
  await page.getByRole('button', { name: 'Sign in as Anna Berg' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  return page
}

async function visit(page: Page, path: string): Promise<string> {
  await page.goto(`${board.origin}${path}`)
  await mustBeSoundOnBoth(page)
  return page.innerText('main')
}

/** Opens an action, fills it in and presses its button. */
async function does(page: Page, name: string, fill?: (page: Page) => Promise<unknown>) {
  await page.locator('summary', { hasText: name }).click()
  await fill?.(page)
  await mustBeSoundOnBoth(page)
  await page.locator('details[open]').getByRole('button', { name, exact: true }).click()
}

const notice = async (page: Page): Promise<string> =>
  page.locator('main [role=status], main [role=alert]').first().innerText()

const NOTE = 'What you found out'

test('PROV-70 PROV-71 an operator sees both statements and decides what is true', async () => {
  const paid = await settledAfterFailed(kit)
  const failed = await failedAfterSettled(kit)
  const page = await signIn()
  const attention = page.getByRole('status', { name: 'Needs attention' })
  assert.match(await attention.innerText(), /one waits for a decision/)
  await mustBeSoundOnBoth(page)
  await attention.getByRole('link', { name: 'Exceptions to decide' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Exceptions' }).waitFor()
  await mustBeSoundOnBoth(page)

  await page.getByRole('link', { name: 'Settled after failed' }).click()
  const said = await page.innerText('main')
  assert.match(said, /Both statements/)
  assert.match(said, /Account closed/)
  assert.match(said, /Differs/)
  await does(page, 'The money was paid after all', async () => {
    await page.getByLabel('Who pays for it').selectOption('SERVICE')
    await page.locator('details[open]').getByLabel('Reference').fill('E2E-4711')
    await page.locator('details[open]').getByLabel(NOTE).fill('The bank showed us the entry.')
  })
  await page.getByText('The exception is resolved.').waitFor()
  await mustBeSoundOnBoth(page)
  assert.match(await page.innerText('main'), /Resolved as\s+Settled/)
  assert.equal((await paid.transaction(paid.transactionId)).status, 'FAILED')
  assert.equal(await paid.balance(), 100_000)
  const { orderId } = await orderInState(kit, paid.transactionId, 'SETTLED')
  const proofs = (await operate(kit, `orders show ${text(orderId)}`))['proofs']
  assert.deepEqual(proofs, { bankReference: 'E2E-4711' })

  await page.getByRole('link', { name: 'Next in queue' }).click()
  await page.getByRole('heading', { level: 1, name: 'Failed after settled' }).waitFor()
  await does(page, 'The money was not paid', () =>
    page.locator('details[open]').getByLabel(NOTE).fill('It never left the bank.'),
  )
  await page.getByText('The exception is resolved.').waitFor()
  assert.equal((await failed.transaction(failed.transactionId)).status, 'FAILED')
  assert.equal(await failed.balance(), 100_000)
  assert.match(await visit(page, '/exceptions'), /Nothing waits for a decision/)
  assert.match(await visit(page, '/exceptions?view=all'), /Settled after failed/)
  await page.context().close()
})

test('PROV-8 PROV-47 PROV-142 an order is followed from its payment, and given to another provider', async () => {
  const rails = await railsSetup(kit)
  const place = `--environment SANDBOX --platform ${rails.platform.platformId}`
  const other = await scriptedProvider(kit, `${place} --ports rails --rail ACH`)
  const page = await signIn()
  await visit(page, `/providers/${rails.provider.id}`)
  await does(page, 'Pause')
  assert.equal(await notice(page), 'The provider is paused.')
  const transactionId = await rails.pay()
  await visit(page, `/transactions/${transactionId}`)
  await page.getByRole('link', { name: 'Payout', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Payout order' }).waitFor()
  assert.match(await page.innerText('main'), /The provider is paused; it is sent when/)
  const { name } = await operate(kit, `providers show ${other.id}`)
  await does(page, 'Give it to another provider', () =>
    page.locator('details[open]').getByLabel('Provider').selectOption(text(name)),
  )
  assert.equal(await notice(page), 'It goes to the other provider.')
  const order = await other.orderOf(transactionId)
  await orderInState(kit, transactionId, 'ACCEPTED')
  const amount = { amount: 9_154, currency: 'EUR' }
  const fees = [{ amount: 12, currency: 'EUR' }]
  const report = { orderId: order['id'], sequence: 1, at: new Date().toISOString() }
  const settled = { ...report, state: 'SETTLED', amount, fees, reference: 'A1' }
  other.answer(() => ({
    json: { id: order['id'], state: 'SETTLED', sequence: 1, reports: [settled] },
  }))
  await page.reload()
  await does(page, 'Ask the provider now')
  assert.equal(await notice(page), 'The provider was asked.')
  assert.match(await page.innerText('main'), /The money arrived/)
  assert.match(await visit(page, `/orders?view=all&provider=${text(name)}`), /Payout/)
  await page.getByRole('link', { name: 'Payout' }).first().click()
  await page
    .locator('main')
    .getByRole('link', { name: text(name) })
    .click()
  await page.getByRole('heading', { level: 1, name: text(name) }).waitFor()
  assert.match(await page.innerText('main'), /last 30 days\s+[^]*0\.12 EUR/)
  assert.match(await page.innerText('main'), /Last hour\s+Rails\s+2 of 2 \(100\.0 %\)/)
  await mustBeSoundOnBoth(page)
  await page.context().close()
})

test('PROV-1 PROV-23 PROV-142 a provider is added, gets a new secret and is removed', async () => {
  const silent = await silentProvider(kit)
  const page = await signIn()
  const attention = page.getByRole('status', { name: 'Needs attention' })
  await attention.getByText('Provider failing').first().waitFor()
  assert.match(await visit(page, '/providers'), /Does not answer/)
  assert.match(await visit(page, '/orders'), /it is tried every 30 seconds/)
  assert.match(await visit(page, `/providers/${silent.provider.id}`), /Does not answer since/)
  await does(page, 'Remove')
  assert.match(await notice(page), /still open: 1/)

  await visit(page, '/providers')
  await page.getByRole('link', { name: 'Add a provider' }).click()
  await page.getByRole('heading', { level: 1, name: 'Add a provider' }).waitFor()
  await mustBeSoundOnBoth(page)
  const name = 'verifier'
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Address').fill('https://verifier.example')
  await page.getByRole('button', { name: 'Add a provider' }).click()
  assert.match(await page.getByRole('alert').innerText(), /ports/)
  await page.getByLabel('Identity').check()
  await page.getByLabel('Environment').selectOption('SANDBOX')
  await page.getByLabel('Currencies').fill('')
  await page.getByLabel('Platforms').fill(silent.platform.platformId)
  await page.getByRole('button', { name: 'Add a provider' }).click()
  await page.getByRole('heading', { level: 1, name: 'The provider is registered' }).waitFor()
  await mustBeSoundOnBoth(page)
  const once = await page.innerText('main')
  const [secret = ''] = /whsec_\S+/.exec(once) ?? []
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.match(once, /\/providers\/Provider:[0-9a-f-]+\/document-links/)

  assert.doesNotMatch(await visit(page, `/providers/${name}`), /whsec_/)
  await does(page, 'New secret')
  await page.getByRole('heading', { level: 1, name: 'It has a new secret' }).waitFor()
  await mustBeSoundOnBoth(page)
  assert.match(await page.innerText('main'), /whsec_/)
  assert.ok(!(await page.innerText('main')).includes(secret), 'another one')
  await visit(page, `/providers/${name}`)
  await does(page, 'Remove')
  assert.equal(await notice(page), 'The provider is removed.')
  const left = items(await operate(kit, 'providers list'))
  assert.ok(!left.some((one) => text(one['name']) === name))
  await page.context().close()
})
