/** Four eyes in a real browser: one operator proposes, another approves, on a desk and on a phone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { expectStatus, text } from '../../kit/api.ts'
import { startOwnKit } from '../../kit/florin.ts'
import { openDashboard } from '../../kit/pages/dashboard.ts'
import { openBrowser } from '../../kit/pages/browser.ts'
import { platformAccount, quote, readTransaction } from '../../kit/payments.ts'
import { invited } from '../../kit/setups/operators.ts'
import { operate } from '../../kit/operator.ts'
import { openProductionAccount, productionBank } from '../../kit/setups/production.ts'
import { DESK, mustBeSoundOnBoth } from '../page-checks.ts'

const kit = await startOwnKit({ ADMIN_PORT: '8081', FOUR_EYES: 'on' })
const platform = await kit.platform({
  environment: 'PRODUCTION',
  currencies: ['USD'],
  name: 'Acme Pay',
})
const account = await openProductionAccount(kit, platform, {
  id: await platformAccount(platform, 'USD'),
  funded: 1_000_000n,
})
const bank = await productionBank(kit, platform)
for (const [name, roles] of [
  ['Ben', 'TREASURER'],
  ['Tom', 'TREASURER,ADMIN'],
] as const)
  await invited(kit, name, roles)
const board = await openDashboard(kit)
const browser = await openBrowser()

async function signIn(name: string) {
  const context = await browser.newContext(DESK)
  const page = await context.newPage()
  await page.goto(await board.link(name))
  await page.getByRole('button', { name: `Sign in as ${name}` }).click()
  await at(page, 'Overview')
  return page
}

async function at(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  await page.waitForLoadState()
}

async function submit(page: Page, label: string): Promise<string> {
  await page.locator('summary', { hasText: label }).click()
  await page.getByRole('button', { name: label }).click()
  await page.getByRole('status').waitFor()
  return page.getByRole('status').innerText()
}

test('OPER-23 OPER-24 OPER-28 one proposes and another approves', async () => {
  const paid = await quote(platform, {
    from: account,
    to: bank,
    amount: 1_000,
    immediatelyExecute: true,
  })
  const id = expectStatus(paid, 201).transactionId
  const ben = await signIn('Ben')
  await ben.goto(`${board.origin}/settlements/${id}`)
  assert.match(await submit(ben, 'Confirm'), /^Proposed\. Nothing has changed yet/)
  await at(ben, 'Settlements confirm')
  await mustBeSoundOnBoth(ben)
  assert.equal(await ben.locator('summary', { hasText: 'Approve' }).count(), 0, 'it is their own')
  assert.equal(await ben.locator('summary', { hasText: 'Withdraw' }).count(), 1)
  assert.equal((await readTransaction(platform, id)).status, 'PROCESSING')

  const tom = await signIn('Tom')
  await mustBeSoundOnBoth(tom)
  await tom
    .getByRole('navigation')
    .getByRole('link', { name: /Proposals/ })
    .click()
  await at(tom, 'Proposals')
  await mustBeSoundOnBoth(tom)
  await tom.getByRole('link', { name: 'Settlements confirm' }).first().click()
  await at(tom, 'Settlements confirm')
  assert.equal(await submit(tom, 'Approve'), 'Approved, and done.')
  await mustBeSoundOnBoth(tom)
  assert.equal((await readTransaction(platform, id)).status, 'COMPLETED')
})

test('OPER-26 a secret that is shown once is shown to the operator who approves', async () => {
  const vera = await invited(kit, 'Vera', 'ADMIN').catch(() => undefined)
  assert.ok(vera, 'fewer than two administrators need nobody else')
  const proposal = await operate(
    vera.kit,
    `tokens create --platform ${platform.platformId} --name shop`,
  )
  const tom = await signIn('Tom')
  await tom.goto(`${board.origin}/proposals/${text(proposal['proposalId'])}`)
  await tom.locator('summary', { hasText: 'Approve' }).click()
  await tom.getByRole('button', { name: 'Approve' }).click()
  await tom.getByText('Client secret').waitFor()
  await mustBeSoundOnBoth(tom)
  const shown = await operate(vera.kit, `proposals show ${text(proposal['proposalId'])}`)
  const result = shown['result'] as Record<string, unknown>
  assert.deepEqual([typeof result['tokenId'], result['clientSecret']], ['string', undefined])
})
