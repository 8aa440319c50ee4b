/** The dashboard in a real browser, asked what happened to a payment. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../kit/api.ts'
import { openBrowser } from '../../kit/pages/browser.ts'
import { newCard } from '../../kit/cards.ts'
import { openDashboard } from '../../kit/pages/dashboard.ts'
import { startOwnKit } from '../../kit/florin.ts'
import { payee, quote } from '../../kit/payments.ts'
import { DESK, mustBeSoundOnBoth } from '../page-checks.ts'

const kit = await startOwnKit()
const platform = await kit.platform({ name: 'Acme Pay' })
const board = await openDashboard(kit)
const browser = await openBrowser()

/** A customer with a card, a payment that failed and came back, and one that arrived. */
async function customerWithPayments() {
  const { customerId, accountId, authorize } = await newCard(platform)
  await authorize(1_200)
  const ids: string[] = []
  for (const suffix of ['000', '002']) {
    const to = await payee(platform, 'EUR_ACCOUNT', { suffix, customerId })
    const asked = { from: accountId, to, amount: 12_345, immediatelyExecute: true }
    ids.push(expectStatus(await quote(platform, asked), 201).transactionId)
  }
  return { customerId, ids }
}

test('CORE-80 an id leads to its payment and from there to its customer', async () => {
  const { customerId, ids } = await customerWithPayments()
  const context = await browser.newContext(DESK)
  const page = await context.newPage()
  const at = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  await page.goto(await board.link('Anna Berg'))
  await page.getByRole('button', { name: 'Sign in as Anna Berg' }).click()
  await at('Overview')
  await page.waitForLoadState()
  await page.keyboard.press('l')
  assert.equal(await page.evaluate('document.activeElement.id'), 'look-up')
  await page.keyboard.type(ids[1]?.split(':')[1] ?? '')
  await page.keyboard.press('Enter')
  await at('Outgoing 123.45 USD')
  await page.getByRole('heading', { name: 'Refund' }).waitFor()
  await mustBeSoundOnBoth(page)
  await page.getByRole('link', { name: `Customer:…${customerId.slice(-8)}` }).click()
  await at('Mira Aldana')
  await mustBeSoundOnBoth(page)
  await page.getByRole('link', { name: 'All of its transactions' }).click()
  await at('Transactions')
  await mustBeSoundOnBoth(page)
  await page.goto(`${board.origin}/customers`)
  await at('Customers')
  await mustBeSoundOnBoth(page)
  await page.getByLabel('Search for an id').fill('nobody has this')
  await page.keyboard.press('Enter')
  await at('Nothing found')
  await mustBeSoundOnBoth(page)
  await context.close()
})

test('OPER-112 OPER-135 by keyboard: the page asked for after signing in, then a name, its results and one of them', async () => {
  await customerWithPayments()
  const { ids } = await customerWithPayments()
  const context = await browser.newContext(DESK)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: board.origin })
  const page = await context.newPage()
  const at = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()')
  await page.goto(`${board.origin}/quotes?status=COMPLETED`)
  await at('Sign in')
  await page.goto(await board.link('Anna Berg'))
  await page.getByRole('button', { name: 'Sign in as Anna Berg' }).press('Enter')
  await at('Quotes')
  assert.equal(new URL(page.url()).search, '?status=COMPLETED')
  await page.waitForLoadState()
  await page.keyboard.press('l')
  await page.keyboard.type('Mira Ald')
  await page.keyboard.press('Enter')
  await page.waitForURL(/look-up/)
  await page.waitForLoadState()
  await page.getByLabel('Search for an id').focus()
  await page.keyboard.press('ArrowDown')
  const first = await focused()
  await page.keyboard.press('j')
  assert.notEqual(await focused(), first)
  await page.keyboard.press('k')
  assert.equal(await focused(), first)
  await page.keyboard.press('Enter')
  await at('Mira Aldana')

  const id = ids[0] ?? ''
  await page.goto(`${board.origin}/transactions/${encodeURIComponent(id)}`)
  const copy = page.getByRole('button', { name: `Copy ${id}`, exact: true }).first()
  await copy.click()
  await page.getByText('Copied', { exact: true }).waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), id)
  await context.close()
})
