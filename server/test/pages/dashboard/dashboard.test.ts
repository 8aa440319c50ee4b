/** The operators' dashboard in a real browser: signing in, deciding a review, being refused, on a desk and on a phone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { items, text, type HasId } from '../../kit/api.ts'
import { createOwner } from '../../kit/onboarding/beneficial-owners.ts'
import { openBrowser } from '../../kit/pages/browser.ts'
import { createCustomer, readCustomer } from '../../kit/customers.ts'
import { openDashboard } from '../../kit/pages/dashboard.ts'
import { goodPhoto } from '../../kit/onboarding/document-files.ts'
import { uploadDocument } from '../../kit/onboarding/documents.ts'
import { startOwnKit } from '../../kit/florin.ts'
import { operate } from '../../kit/operator.ts'
import {
  completeBusiness,
  ownerStatuses,
  PERSON_DATA,
  submitted,
} from '../../kit/onboarding/verification.ts'
import { DESK, mustBeSound, mustBeSoundOnBoth } from '../page-checks.ts'

const kit = await startOwnKit()
const platform = await kit.platform({ kind: 'UNREGULATED', name: 'Acme Pay' })
const board = await openDashboard(kit)
const browser = await openBrowser()

/** Opens a link and presses the button; what the browser complains about, but for refusals, is kept. */
async function signIn({ javaScriptEnabled = true } = {}) {
  const context = await browser.newContext({ ...DESK, javaScriptEnabled })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (!/the server responded with a status of 4/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(await board.link('Anna Berg'))
  await page.getByRole('button', { name: 'Sign in as Anna Berg' }).click()
  await at(page, 'Overview')
  return { page, complaints }
}

/** Once a page is loaded its script has run. */
async function at(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  await page.waitForLoadState()
}

/** A person under review, with a photo of the passport. */
async function underReview(name: string, on = platform) {
  const customer = await createCustomer(on, { ...PERSON_DATA, fullName: `${name} 001` })
  await uploadDocument(on, { documentHolder: customer.id }, await goodPhoto())
  await submitted(on, customer)
  return customer
}

/** Whether the picture on the page could be shown. */
const SEEN = `(async () => {
  const image = document.querySelector('img')
  await image.decode()
  return image.naturalWidth > 0
})()`

const statusOf = async (customer: HasId): Promise<unknown> =>
  (await readCustomer(platform, customer)).kycStatus

test('CORE-80 VER-20 VER-25 an operator signs in and decides a review', async () => {
  const customer = await underReview('Maria')
  const { page, complaints } = await signIn()
  await mustBeSoundOnBoth(page)
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /Reviews/ })
    .click()
  await at(page, 'Reviews')
  await mustBeSoundOnBoth(page)
  await page.getByRole('link', { name: 'Maria 001' }).click()
  await at(page, 'Maria 001')
  await page.getByRole('link', { name: /^Show photo/ }).click()
  const photo = page.getByRole('img', { name: /Passport/ })
  await photo.waitFor()
  assert.ok(await page.evaluate(SEEN))
  await mustBeSoundOnBoth(page)
  await page.locator('summary', { hasText: 'Approve' }).click()
  await page.getByLabel('Note').locator('visible=true').fill('Looks right')
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('status').waitFor()
  assert.equal(await page.getByRole('status').innerText(), 'Approved.')
  assert.equal(await statusOf(customer), 'APPROVED')
  await mustBeSoundOnBoth(page)
  const [entry] = items(await operate(kit, 'audit list', '--action', 'review approve'))
  assert.equal(entry?.['actor'], 'operator:Anna Berg')
  assert.match(text(entry['note']), /: Looks right$/)
  for (const path of ['/jobs', '/audit?view=all', '/nowhere']) {
    await page.goto(`${board.origin}${path}`)
    await mustBeSoundOnBoth(page)
  }
  await page.getByRole('button', { name: 'Sign out' }).click()
  await at(page, 'Signed out')
  await page.goto(board.origin)
  await at(page, 'Sign in')
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('KYB-11 KYB-13 owners who came after the approval are named and approved', async () => {
  const on = await kit.platform({ kind: 'UNREGULATED', name: 'Late Owners' })
  const business = await completeBusiness(on)
  await submitted(on, business)
  const personalInfo = { firstName: 'Late', lastName: 'Larsson' }
  await createOwner(on, business.id, { ownershipPercentage: 30, personalInfo })
  const { page, complaints } = await signIn()
  await page.goto(`${board.origin}/reviews?platform=${encodeURIComponent(on.platformId)}`)
  await page.getByText('Owners not covered: Late Larsson').waitFor()
  await mustBeSoundOnBoth(page)
  await page.goto(`${board.origin}/reviews/${business.id}`)
  await page.getByText('Added after the submission, not covered by it').waitFor()
  await mustBeSoundOnBoth(page)
  await page.locator('summary', { hasText: 'Approve the owners' }).click()
  await page.getByRole('button', { name: 'Approve the owners' }).click()
  await page.getByRole('status').waitFor()
  assert.equal(await page.getByRole('status').innerText(), 'The owners are approved.')
  assert.deepEqual(await ownerStatuses(on, business), ['APPROVED', 'APPROVED'])
  await mustBeSoundOnBoth(page)
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('VER-21 a refused return says why and keeps what was chosen; mended, it goes through', async () => {
  const customer = await underReview('Returned')
  const { page, complaints } = await signIn()
  await page.goto(`${board.origin}/reviews/${customer.id}`)
  await page.locator('summary', { hasText: 'Return' }).click()
  const form = page.locator('details[open]')
  assert.equal(await form.locator('fieldset:visible').count(), 1)
  await form.getByLabel('What is wrong').first().selectOption('INVALID_FIELD')
  await form.getByRole('button', { name: 'Add another error' }).click()
  const second = form.locator('fieldset').nth(1)
  await second.getByLabel('What is wrong').selectOption('EXPIRED_DOCUMENT')
  await second.getByLabel('With').selectOption({ label: 'Passport (photo.jpg)' })
  await form.getByRole('button', { name: 'Return to the platform' }).click()
  const alert = page.getByRole('alert')
  await alert.waitFor()
  assert.match(await alert.innerText(), /Nothing was changed\.[^]*Error 1: field is required for/)
  assert.match(await page.title(), /^Refused: /)
  assert.equal(await statusOf(customer), 'PENDING')
  await mustBeSound(page)
  assert.equal(await second.getByLabel('What is wrong').inputValue(), 'EXPIRED_DOCUMENT')
  await form.getByLabel('Field').first().fill('address.postalCode')
  await form.getByRole('button', { name: 'Return to the platform' }).click()
  await page.getByRole('status').waitFor()
  assert.equal(await statusOf(customer), 'UNVERIFIED')
  await page.getByRole('cell', { name: 'address.postalCode' }).waitFor()
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('VER-20 two operators decide at once: the loser reads who was faster', async () => {
  const customer = await underReview('Raced')
  const { page } = await signIn()
  await page.goto(`${board.origin}/reviews/${customer.id}`)
  await page.locator('summary', { hasText: 'Reject' }).click()
  const bert = await board.signIn('bert')
  await bert.post(`/reviews/${encodeURIComponent(customer.id)}/approve`)
  await page.getByRole('button', { name: 'Reject' }).click()
  const alert = page.getByRole('alert')
  await alert.waitFor()
  assert.match(await alert.innerText(), /has changed since[^]*bert, approve/)
  assert.equal(await statusOf(customer), 'APPROVED')
  await page.context().close()
})

test('CORE-80 everything can be reached by keyboard, and keys lead through a list', async () => {
  const on = await kit.platform({ kind: 'UNREGULATED', name: 'Other Pay' })
  await submitted(on, await completeBusiness(on, '5523001'))
  await underReview('Second', on)
  const { page, complaints } = await signIn()
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content')
  await page.goto(`${board.origin}/reviews`)
  await page.getByLabel('Platform').selectOption({ label: 'Other Pay (sandbox)' })
  await page.waitForURL(/platform=/)
  await at(page, 'Reviews')
  await page.locator('h1').click()
  const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent.trim()')
  await page.keyboard.press('j')
  assert.equal(await focused(), 'Acme Inc.')
  await page.keyboard.press('j')
  assert.equal(await focused(), 'Second 001')
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await at(page, 'Acme Inc.')
  await page.keyboard.press('a')
  assert.equal(await focused(), 'Approve')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('just a note')
  assert.equal(await page.getByLabel('Note').first().inputValue(), 'just a note')
  await page.keyboard.press('Escape')
  await page.locator('h1').click()
  await page.keyboard.press('u')
  await at(page, 'Reviews')
  await page.keyboard.press('/')
  assert.equal(await page.evaluate('document.activeElement.id'), 'filter-status')
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('VER-20 it works without script', async () => {
  const customer = await underReview('Scriptless')
  const { page } = await signIn({ javaScriptEnabled: false })
  await page.goto(`${board.origin}/reviews?status=PENDING_MANUAL_REVIEW`)
  await page.getByRole('link', { name: 'Scriptless 001' }).click()
  await page.locator('summary', { hasText: 'Put on hold' }).click()
  assert.equal(await page.locator('details[open] fieldset:visible').count(), 4)
  await page.getByRole('button', { name: 'Put on hold' }).click()
  await page.getByText('Put on hold.', { exact: true }).waitFor()
  assert.equal(await statusOf(customer), 'HOLD')
  await page.context().close()
})
