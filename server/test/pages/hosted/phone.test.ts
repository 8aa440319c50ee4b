/** A page that is handed over from a desk to a phone, in a real browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import jsqr from 'jsqr'
import type { Locator } from 'playwright-core'
import sharp from 'sharp'
import { expectStatus, text } from '../../kit/api.ts'
import { newCustomer, newOwnWallet } from '../../kit/accounts/external-accounts.ts'
import { createCustomer } from '../../kit/customers.ts'
import { startKit } from '../../kit/florin.ts'
import { createKycLink } from '../../kit/onboarding/kyc-links.ts'
import { PERSON_DATA, uploadPaper } from '../../kit/onboarding/verification.ts'
import { advance } from '../../kit/outside/connect-receiver.ts'
import { openBrowser } from '../../kit/pages/browser.ts'
import { contrastProblems, nameProblems, overflow } from '../page-checks.ts'

const kit = await startKit()
const { origin } = new URL(kit.baseUrl)
const browser = await openBrowser()

const DESK = { width: 1100, height: 800 }
const PHONE = { width: 390, height: 780 }

async function visit(url: string, viewport = DESK) {
  const page = await browser.newPage({ viewport })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (!/status of 4/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(url)
  return { page, complaints, hand: page.locator('details.phone') }
}

async function applicant() {
  const platform = await kit.platform({ kind: 'UNREGULATED' })
  const customer = await createCustomer(platform, PERSON_DATA)
  const { url, answer } = await createKycLink(kit, platform, customer)
  return { platform, customer, url, kycUrl: answer.kycUrl }
}

/** What a scanner reads on the page, as it is seen. */
async function scanned(hand: Locator): Promise<string | undefined> {
  const picture = await hand.locator('svg').screenshot()
  const { data, info } = await sharp(picture)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data
}

test('OPER-197 a desk shows a code of the same link, once it is asked for; a phone shows none', async () => {
  const { url, kycUrl } = await applicant()
  const { page, complaints, hand } = await visit(url)
  assert.equal(await hand.locator('svg').isVisible(), false, 'the link is a secret')
  await hand.locator('summary').click()
  assert.equal(await hand.locator('svg').isVisible(), true)
  assert.equal(await hand.locator('code').innerText(), kycUrl)
  assert.equal(await scanned(hand), kycUrl)
  assert.deepEqual(await overflow(page), [])
  assert.deepEqual(await contrastProblems(page), [])
  assert.deepEqual(await nameProblems(page), [])
  const german = await visit(`${url}?lang=de`)
  await german.hand.locator('summary').click()
  assert.equal(await scanned(german.hand), `${kycUrl}?lang=de`)
  const small = await visit(url, PHONE)
  assert.equal(await small.hand.isVisible(), false)
  assert.deepEqual(complaints, [])
  await Promise.all([page, german.page, small.page].map((one) => one.close()))
})

test('OPER-198 the desk says what the phone has handed in, and that the link has ended', async () => {
  const { platform, customer, url } = await applicant()
  const other = await applicant()
  const { page, hand } = await visit(url)
  const ending = await visit(other.url)
  for (const one of [hand, ending.hand]) {
    const asked = one.page().waitForResponse((response) => response.url().includes('/state'))
    await one.locator('summary').click()
    await asked
  }
  await uploadPaper(platform, customer)
  await hand.getByText('Something was handed in on another device.').waitFor()
  await hand.getByRole('link', { name: 'Reload this page' }).click()
  await page.getByText('Everything that is needed has been handed in').waitFor()
  await advance(other.platform, 86_401)
  await ending.page.getByRole('heading', { name: 'This link has expired' }).waitFor()
  await Promise.all([page, ending.page].map((one) => one.close()))
})

test('OPER-197 CORE-93 a check of a wallet is handed over without a script', async () => {
  const { api } = await kit.platform()
  const { path } = await newOwnWallet(api, await newCustomer(api, { region: 'DE' }))
  const asked = await api.post(`${path}/challenge`, { method: 'LIVENESS' })
  const link = text(expectStatus(asked, 201)['verificationLink'])
  const { page, complaints, hand } = await visit(`${origin}/liveness${new URL(link).search}`)
  await hand.locator('summary').click()
  assert.equal(await scanned(hand), link)
  const phone = await visit(page.url(), PHONE)
  await phone.page.getByRole('button', { name: 'Pass the check' }).click()
  await phone.page.getByRole('heading', { name: 'The wallet is confirmed as yours' }).waitFor()
  await hand.getByRole('link', { name: 'Reload this page' }).click()
  await page.getByRole('heading', { name: 'The wallet is confirmed as yours' }).waitFor()
  assert.deepEqual(complaints, [])
  await Promise.all([page, phone.page].map((one) => one.close()))
})
