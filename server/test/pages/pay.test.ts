/** The page of a payment link in a real browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/infra/db/statement/sql.ts'
import { expectStatus, items, text } from '../kit/api.ts'
import { openBrowser } from '../kit/pages/browser.ts'
import { startOwnKit } from '../kit/florin.ts'
import { meetAtRow } from '../kit/database/meet-at-row.ts'
import { operate } from '../kit/operator.ts'
import { balanceOf, eventTypesOf, platformAccount } from '../kit/payments.ts'
import { contrastProblems, overflow } from './page-checks.ts'

const kit = await startOwnKit()
const { origin } = new URL(kit.baseUrl)
const platform = await kit.platform({ name: 'Tienda & Söhne', currencies: ['COP', 'USD'] })
const { api } = platform
const listed = await api.get('/platform/internal-accounts', { query: { currency: 'COP' } })
const [account] = expectStatus(listed, 200).data
const accountId = text(account?.id)
const info = items(account?.fundingPaymentInstructions)[0]?.accountOrWalletInfo
const link = `${origin}${new URL(text(info?.paymentUrl)).pathname}`

const browser = await openBrowser()

async function visit() {
  const page = await browser.newPage({ viewport: { width: 390, height: 760 } })
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => complaints.push(message.text()))
  await page.goto(link)
  return { page, complaints }
}

/** At both widths; the page keeps the last one. */
async function isReadable(page: Page): Promise<void> {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 760 })
    assert.deepEqual(await overflow(page), [])
    assert.deepEqual(await contrastProblems(page), [])
  }
}

test('IACC-9 CORE-93 a payment link is paid, and the money is there, at 390 and 1280 pixels', async () => {
  const before = await balanceOf(platform, accountId)
  const { page, complaints } = await visit()
  const shown = await page.locator('main').innerText()
  for (const part of ['Colombian Peso', 'Florin Sandbox FBO', 'Tienda & Söhne', 'FUND-']) {
    assert.ok(shown.includes(part), part)
  }
  await isReadable(page)
  await page.getByLabel('Amount').fill('125,000.50')
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.getByRole('heading', { name: 'You paid 125,000.50 COP' }).waitFor()
  assert.equal(await balanceOf(platform, accountId), before + 12_500_050)
  await page.reload()
  assert.equal(await balanceOf(platform, accountId), before + 12_500_050)
  await isReadable(page)
  assert.deepEqual(complaints, [])
  const [newest] = expectStatus(await api.get('/transactions'), 200).data
  assert.equal(newest?.status, 'COMPLETED')
  assert.deepEqual(await eventTypesOf(platform, newest.id), ['INCOMING_PAYMENT.COMPLETED'])
  await page.close()
})

test('IACC-13 an amount that is none is refused where it was typed', async () => {
  const before = await balanceOf(platform, accountId)
  const { page } = await visit()
  for (const typed of ['a lot', '0', '1000000000.01']) {
    await page.getByLabel('Amount').fill(typed)
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.getByRole('alert').waitFor()
    assert.equal(await page.getByLabel('Amount').inputValue(), typed)
  }
  assert.deepEqual(await contrastProblems(page), [])
  assert.equal(await balanceOf(platform, accountId), before)
  await page.close()
})

const form = (fields: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields),
})

async function newPayment(): Promise<string> {
  const asked = await (await fetch(link)).text()
  return /name="payment" value="([^"]+)"/.exec(asked)?.[1] ?? ''
}

test('IACC-9 a payment that is sent twice is made once', async () => {
  const before = await balanceOf(platform, accountId)
  const payment = await newPayment()
  for (let n = 0; n < 2; n += 1) {
    assert.equal((await fetch(link, form({ amount: '10', payment }))).status, 200)
  }
  assert.equal(await balanceOf(platform, accountId), before + 1000)
})

test('IACC-9 ERR-1 a payment that is sent twice at once is made once, and both are told so', async () => {
  const before = await balanceOf(platform, accountId)
  const payment = await newPayment()
  const account = accountId.replace('InternalAccount:', '')
  const row = sql`select 1 from internal_accounts where id = ${account} for update`
  const pay = async () => (await fetch(link, form({ amount: '10', payment }))).text()
  for (const page of await meetAtRow(kit, row, () => [pay(), pay()])) {
    assert.match(page, /You paid 10\.00 COP/)
  }
  assert.equal(await balanceOf(platform, accountId), before + 1000)
})

test('IACC-9 ERR-1 a payment under the id of another transaction is one of its own', async () => {
  const dollars = await platformAccount(platform, 'USD')
  await api.post(`/sandbox/internal-accounts/${dollars}/fund`, { amount: 700 })
  const [other] = expectStatus(await api.get('/transactions'), 200).data
  const payment = text(other?.id).replace('Transaction:', '')
  const before = await balanceOf(platform, accountId)
  const page = await (await fetch(link, form({ amount: '10', payment }))).text()
  assert.match(page, /You paid 10\.00 COP/)
  assert.equal(await balanceOf(platform, accountId), before + 1000)
})

test('CORE-3 ERR-5 CORE-93 a link that was never given out leads nowhere, and every answer has its policy', async () => {
  for (const reference of ['FUND-AAAAAAAA', 'x', '%00', 'FUND-AAAAAAA%00']) {
    for (const init of [{}, form({ amount: '10' })]) {
      const { status, headers } = await fetch(`${origin}/pay/${reference}`, init)
      assert.equal(status, 404, reference)
      assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'/)
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
    }
  }
})

test('IACC-9 CORE-82 a link stays good when the service has moved to another address', async () => {
  const { db } = kit.florin.deps
  await db.read.run(
    sql`update funding_addresses set value = 'https://former.example/base' || right(value, 18)
        where field = 'paymentUrl'`,
  )
  assert.equal((await fetch(link)).status, 200)
  const before = await balanceOf(platform, accountId)
  await fetch(link, form({ amount: '10' }))
  assert.equal(await balanceOf(platform, accountId), before + 1000)
})

test('IACC-8 a frozen account takes no payment', async () => {
  await operate(kit, `accounts freeze ${accountId}`)
  const before = await balanceOf(platform, accountId)
  assert.match(await (await fetch(link)).text(), /takes no payments now/)
  await fetch(link, form({ amount: '10' }))
  assert.equal(await balanceOf(platform, accountId), before)
})
