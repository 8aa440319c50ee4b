/** The dashboard's lists in a real browser, on a desk and on a phone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../kit/api.ts'
import { newCard } from '../../kit/cards.ts'
import { createCustomer } from '../../kit/customers.ts'
import { startOwnKit } from '../../kit/florin.ts'
import { openBrowser } from '../../kit/pages/browser.ts'
import { openDashboard } from '../../kit/pages/dashboard.ts'
import { customerAccount, fund, payee, quote } from '../../kit/payments.ts'
import { invited } from '../../kit/setups/operators.ts'
import { DESK, mustBeSound, mustBeSoundOnBoth, PHONE } from '../page-checks.ts'

const kit = await startOwnKit({ ADMIN_PORT: '8081' })
const platform = await kit.platform({ name: 'Acme Pay' })
const board = await openDashboard(kit)
const browser = await openBrowser()

const WIDTHS = { desk: DESK.viewport, phone: PHONE.viewport }
const ZONE = 'Asia/Tokyo'

const { id: customerId } = await createCustomer(platform, { fullName: 'Grace Mensah' })
const account = await customerAccount(platform, customerId, 'USD')
await fund(platform, account, 50_000)
const to = await payee(platform, 'EUR_ACCOUNT', { customerId })
const pay = async () =>
  expectStatus(
    await quote(platform, { from: account, to, amount: 1_234, immediatelyExecute: true }),
    201,
  )
await pay()
await (await newCard(platform, { funds: 1_000 })).authorize(500)
const anna = await invited(kit, 'Anna', 'ADMIN')

async function openList(size: keyof typeof WIDTHS, { javaScriptEnabled = true } = {}) {
  const viewport = WIDTHS[size]
  const context = await browser.newContext({ viewport, timezoneId: ZONE, javaScriptEnabled })
  await context.addCookies([{ name: 'florin_dashboard', value: anna.session, url: board.origin }])
  return context.newPage()
}

const LISTS = [
  'transactions',
  'quotes',
  'cards',
  'deposits?view=all',
  'orders',
  'events?view=all',
  'requests',
]

test('OPER-120 OPER-122 lists with their filters fit on a desk and on a phone and are readable', async () => {
  const page = await openList('desk')
  for (const list of LISTS) {
    await page.goto(new URL(list, board.origin).href)
    await mustBeSoundOnBoth(page)
  }
  await page.context().close()
})

test('OPER-120 a name without a blank is broken on a phone, not cut off', async () => {
  await createCustomer(platform, { fullName: `${'Wolfeschlegelstein'.repeat(5)} Maxi` })
  const page = await openList('phone')
  await page.goto(new URL('/customers', board.origin).href)
  const table = page.locator('.table')
  assert.equal(await table.evaluate((shown) => shown.scrollWidth - shown.clientWidth), 0)
  await page.context().close()
})

test('OPER-120 a bad filter is said above the form, and the form still has it', async () => {
  const page = await openList('desk')
  await page.goto(new URL('/transactions', board.origin).href)
  await page.getByLabel('Amount from').fill('5')
  await page.getByLabel('Amount from').press('Enter')
  await page.getByRole('alert').getByText('Currency is needed with an amount.').waitFor()
  assert.equal(await page.getByLabel('Amount from').inputValue(), '5')
  await mustBeSound(page)
  await page.getByRole('search').getByRole('combobox', { name: 'Currency' }).selectOption('USD')
  await page.getByText('Grace Mensah').first().waitFor()
  await page.getByRole('link', { name: 'Clear' }).click()
  assert.equal(await page.getByLabel('Amount from').inputValue(), '')
  await page.context().close()
})

test('OPER-125 a payment that is made while the list is open appears in it, and the focus stays', async () => {
  const page = await openList('desk')
  await page.goto(new URL('/transactions?type=OUTGOING', board.origin).href)
  await page.getByText('Live', { exact: true }).waitFor()
  const rows = page.locator('tbody tr')
  const before = await rows.count()
  const last = rows.last().getByRole('link').first()
  const href = await last.getAttribute('href')
  await last.focus()
  await pay()
  await page.waitForFunction(
    (count) => document.querySelectorAll('tbody tr').length === count,
    before + 1,
  )
  assert.match((await rows.first().innerText()) ?? '', /Grace Mensah → Jane Doe/)
  assert.match(await rows.first().locator('time').first().innerText(), /GMT\+9/)
  const focused = await page.evaluate(() => document.activeElement?.getAttribute('href'))
  assert.equal(focused, href)
  await mustBeSound(page)
  await page.context().close()
})

test('OPER-124 filters are kept and found again on a phone', async () => {
  const page = await openList('phone')
  await page.goto(new URL('/transactions?type=OUTGOING', board.origin).href)
  await page.getByLabel('Keep these filters as').fill('Paid out')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The filters are kept.').waitFor()
  await page.goto(new URL('/transactions', board.origin).href)
  await mustBeSound(page)
  await page.getByRole('link', { name: 'Paid out' }).click()
  assert.match(page.url(), /type=OUTGOING/)
  await mustBeSound(page)
  await page.getByRole('button', { name: 'Delete the filter Paid out' }).click()
  await page.getByText('The filters are kept no longer.').waitFor()
  await page.context().close()
})

test('OPER-123 times are exact to the second in the reader’s zone, with how long ago that is', async () => {
  const scripted = await openList('desk')
  await scripted.goto(new URL('/transactions', board.origin).href)
  const time = scripted.locator('td time').first()
  const instant = new Date((await time.getAttribute('datetime')) ?? '')
  const inTokyo = new Date(instant.getTime() + 9 * 3_600_000).toISOString()
  const expected = `${inTokyo.slice(0, 10)} ${inTokyo.slice(11, 19)} GMT+9`
  assert.equal((await time.innerText()).replaceAll('\n', ' '), expected)
  assert.match((await scripted.locator('td .ago').first().textContent()) ?? '', /^now|\d+ min ago$/)
  await scripted.context().close()
  const plain = await openList('desk', { javaScriptEnabled: false })
  await plain.goto(new URL('/transactions', board.origin).href)
  const utc = `${instant.toISOString().slice(0, 10)} ${instant.toISOString().slice(11, 19)} UTC`
  assert.equal((await plain.locator('td time').first().innerText()).replaceAll('\n', ' '), utc)
  await plain.context().close()
})
