/** The dashboard by keyboard alone, with impatient fingers and on narrow screens, in a real browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { items, text } from '../../kit/api.ts'
import { createCustomer } from '../../kit/customers.ts'
import { startOwnKit } from '../../kit/florin.ts'
import { operate } from '../../kit/operator.ts'
import { openBrowser } from '../../kit/pages/browser.ts'
import { openDashboard } from '../../kit/pages/dashboard.ts'
import { customerAccount, fund, payee, quote } from '../../kit/payments.ts'
import { DESK, mustBeSound } from '../page-checks.ts'

const kit = await startOwnKit({ ADMIN_PORT: '8081' })
const LONG_NAME = 'Acme Payments and Remittances of the Northern and Southern Regions'
const platform = await kit.platform({ name: LONG_NAME })
await kit.platform({ name: 'Second' })
await kit.platform({ name: 'Third' })
const board = await openDashboard(kit)
const browser = await openBrowser()

const { id: customerId } = await createCustomer(platform, { fullName: 'Grace Mensah' })
const account = await customerAccount(platform, customerId, 'USD')
await fund(platform, account, 90_000)
const to = await payee(platform, 'EUR_ACCOUNT', { customerId })
const pay = () => quote(platform, { from: account, to, amount: 1_000, immediatelyExecute: true })
await pay()

async function open(path: string, name = 'Anna Berg'): Promise<Page> {
  const page = await (await browser.newContext(DESK)).newPage()
  await page.goto(await board.link(name))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.goto(new URL(path, board.origin).href)
  await page.waitForLoadState()
  return page
}

const focusedText = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.textContent.trim() ?? '')

test('OPER-139 the list of platforms is walked through by arrows, and Enter shows the one that is chosen', async () => {
  const page = await open('/transactions')
  await page.getByLabel('Platform', { exact: true }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  assert.equal(new URL(page.url()).search, '', 'an arrow leads nowhere')
  await page.getByRole('button', { name: 'Show', exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/platform=/)
  const [, second] = items(await operate(kit, 'platforms list'))
  assert.equal(new URL(page.url()).searchParams.get('platform'), text(second?.['platformId']))
  await page.getByLabel('Platform', { exact: true }).selectOption('Third (sandbox)')
  await page.waitForURL((url) => url.searchParams.get('platform') !== text(second?.['platformId']))
  await page.context().close()
})

test('OPER-139 after a form the keyboard is at what has come of it', async () => {
  const page = await open(`/platforms/${encodeURIComponent(platform.platformId)}`)
  await page.keyboard.press('a')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page
    .locator('details[open]')
    .getByLabel('Onboarding address')
    .fill('https://join.example.com/')
  await page.keyboard.press('Enter')
  await page.getByRole('status').waitFor()
  assert.equal(await focusedText(page), 'Changed.')
  await mustBeSound(page)
  await page.locator('summary', { hasText: 'New token' }).press('Enter')
  await page.getByLabel('Token’s name').fill('reader')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'The token is there' }).waitFor()
  assert.equal(await focusedText(page), 'The token is there')
  await page.context().close()
})

test('OPER-139 nothing that the keyboard reaches is below the bar', async () => {
  const page = await open('/')
  await page.setViewportSize({ width: 1280, height: 500 })
  const covered: string[] = []
  for (let steps = 0; steps < 100; steps += 1) {
    await page.keyboard.press('Shift+Tab')
    const at = await page.evaluate(() => {
      const focused = document.activeElement
      const bar = document.querySelector('.top')?.getBoundingClientRect().bottom ?? 0
      if (!focused || focused === document.body) return undefined
      const isCovered = focused.closest('main') && focused.getBoundingClientRect().top < bar
      return isCovered ? focused.outerHTML.slice(0, 80) : ''
    })
    if (at === undefined) break
    if (at !== '') covered.push(at)
  }
  assert.deepEqual(covered, [])
  await page.context().close()
})

test('OPER-125 OPER-139 a list that is refreshed keeps the keyboard where it was, on a button too', async () => {
  const page = await open('/transactions')
  await page.getByText('Live', { exact: true }).waitFor()
  const rows = page.locator('tbody tr')
  const before = await rows.count()
  const button = rows.last().getByRole('button', { name: /^Copy/ }).last()
  const name = await button.getAttribute('aria-label')
  await button.focus()
  await pay()
  await page.waitForFunction(
    (count) => document.querySelectorAll('tbody tr').length > count,
    before,
  )
  const focused = await page.evaluate(() => {
    const { activeElement: at } = document
    return [at?.getAttribute('aria-label'), at?.closest('tr')?.matches(':last-child')]
  })
  assert.deepEqual(focused, [name, true])
  await page.context().close()
})

test('OPER-137 a double click makes one platform, and its secret is seen', async () => {
  const page = await open('/platforms/-/create')
  await page.getByLabel('Name', { exact: true }).fill('Clicked twice')
  await page.getByLabel('Currencies').fill('USD')
  await page.getByRole('button', { name: 'New platform' }).dblclick()
  await page.getByRole('heading', { level: 1, name: 'The platform is there' }).waitFor()
  assert.equal(await page.getByText('Client secret').count(), 1)
  await page.reload()
  await page.getByText('This form was sent before').waitFor()
  assert.equal(await page.getByText('Client secret').count(), 0)
  await mustBeSound(page)
  const made = items(await operate(kit, 'platforms list'))
  assert.equal(made.filter(({ name }) => text(name) === 'Clicked twice').length, 1)
  await page.context().close()
})

test('OPER-138 what was typed survives the end of the session', async () => {
  const page = await open('/platforms/-/create')
  await page.getByLabel('Name', { exact: true }).fill('Typed for an hour')
  await page.getByLabel('Currencies').fill('USD,EUR')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'New platform' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  const other = await page.context().newPage()
  await other.goto(await board.link('Anna Berg'))
  await other.keyboard.press('Enter')
  await other.getByRole('heading', { level: 1, name: 'New platform' }).waitFor()
  await page.getByRole('button', { name: 'Go on with the form' }).click()
  await page.getByRole('alert').waitFor()
  assert.equal(await page.getByLabel('Currencies').inputValue(), 'USD,EUR')
  await mustBeSound(page)
  await page.getByRole('button', { name: 'New platform' }).click()
  await page.getByRole('heading', { level: 1, name: 'The platform is there' }).waitFor()
  await page.context().close()
})

const NARROW = [
  { width: 320, height: 640 },
  { width: 640, height: 430 },
  { width: 390, height: 780 },
]

test('OPER-139 long names fit on narrow screens and at twice the size', async () => {
  const page = await open('/transactions')
  for (const viewport of NARROW) {
    await page.setViewportSize(viewport)
    for (const path of ['/', '/transactions', '/platforms', '/platforms/-/create', '/audit']) {
      await page.goto(new URL(path, board.origin).href)
      await mustBeSound(page, `${path} at ${viewport.width}`)
    }
  }
  await page.context().close()
})
