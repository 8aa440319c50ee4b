/** The page of a liveness check in a real browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, text } from '../kit/api.ts'
import { openBrowser } from '../kit/pages/browser.ts'
import { newCustomer, newOwnWallet } from '../kit/accounts/external-accounts.ts'
import { startKit } from '../kit/florin.ts'

const kit = await startKit()
const { origin } = new URL(kit.baseUrl)
const { api } = await kit.platform({ name: 'Marketplace & Söhne' })
const browser = await openBrowser()

async function visit() {
  const customerId = await newCustomer(api, { region: 'DE' })
  const { wallet, path } = await newOwnWallet(api, customerId)
  const asked = await api.post(`${path}/challenge`, { method: 'LIVENESS' })
  const link = new URL(text(expectStatus(asked, 201)['verificationLink']))
  const page = await browser.newPage({ viewport: { width: 390, height: 720 } })
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${origin}${link.pathname}${link.search}`)
  return { wallet, path, page, complaints }
}

for (const [button, title, status] of [
  ['Pass the check', 'The wallet is confirmed as yours', 'ACTIVE'],
  ['Fail the check', 'The check did not succeed', 'UNVERIFIED'],
] as const) {
  test(`OWN-9 CORE-93 "${button}" decides the check, within the policy of the page`, async () => {
    const { wallet, path, page, complaints } = await visit()
    assert.equal(await page.locator('h1').innerText(), 'Confirm that this wallet is yours')
    const shown = await page.locator('main').innerText()
    for (const part of [wallet.address, 'Marketplace & Söhne', 'Florin Sandbox', 'Sandbox']) {
      assert.ok(shown.includes(part), part)
    }
    const corner = await page
      .locator('main')
      .evaluate((main) => getComputedStyle(main).borderRadius)
    assert.notEqual(corner, '0px', 'the style is applied')
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    assert.equal(overflow, 0, 'a phone shows it without scrolling sideways')
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('heading', { name: title }).waitFor()
    assert.equal(expectStatus(await api.get(path), 200)['status'], status)
    assert.equal(await page.locator('form').count(), 0)
    await page.reload()
    assert.equal(await page.locator('h1').innerText(), title)
    assert.deepEqual(complaints, [])
    await page.close()
  })
}
