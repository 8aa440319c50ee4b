/** The screens of waiting work in a real browser, at both widths and in both colours. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser } from '../../kit/pages/browser.ts'
import { fund } from '../../kit/cards.ts'
import { openDashboard } from '../../kit/pages/dashboard.ts'
import { startOwnKit } from '../../kit/florin.ts'
import { balanceOf, platformAccount, readTransaction } from '../../kit/payments.ts'
import {
  arrived,
  failedRefund,
  lostFactor,
  newTill,
  shortPurchase,
  strandedBalance,
  wallet,
} from '../../kit/setups/waiting-work.ts'
import { DESK, mustBeSoundOnBoth } from '../page-checks.ts'

const kit = await startOwnKit()
const live = await kit.platform({
  environment: 'PRODUCTION',
  currencies: ['USD'],
  name: 'Live Pay',
})
const sandbox = await kit.platform({ currencies: ['USD'], name: 'Sandbox Pay' })
const till = await newTill(kit, live)
const board = await openDashboard(kit)
const browser = await openBrowser()

async function signIn(): Promise<Page> {
  const page = await (await browser.newContext(DESK)).newPage()
  await page.goto(await board.link('Anna Berg'))
  await page.getByRole('button', { name: 'Sign in as Anna Berg' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  return page
}

/** Opens an action by its name and presses its button. */
async function does(page: Page, name: string, fields: Readonly<Record<string, string>> = {}) {
  await page.locator('summary', { hasText: name }).click()
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value)
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('status').waitFor()
  await mustBeSoundOnBoth(page)
}

test('CORE-83 IACC-10 IACC-18 OWN-3 K3r an operator works off what waits', async () => {
  const payout = await till.payOut()
  await failedRefund(sandbox)
  const stranded = await strandedBalance(sandbox)
  await arrived(kit, { amount: 150_000 })
  await wallet(live, 'Greta Lindqvist')
  await lostFactor(kit, live, 'Hans Albers')
  const { card } = await shortPurchase(sandbox)
  const page = await signIn()
  await mustBeSoundOnBoth(page)
  const open = async (section: string): Promise<void> => {
    const link = page.getByRole('navigation').getByRole('link', { name: `${section} 1 waiting` })
    await link.click()
    await page.getByRole('heading', { level: 1, name: section }).waitFor()
    await mustBeSoundOnBoth(page)
    await page.locator('tbody td:first-child a').click()
    await page.locator('aside.doings').waitFor()
    await mustBeSoundOnBoth(page)
  }
  await open('Settlements')
  await does(page, 'Confirm')
  assert.equal((await readTransaction(live, payout)).status, 'COMPLETED')
  await open('Deposits')
  const account = await platformAccount(sandbox, 'USD')
  await does(page, 'It belongs to an account', { 'Internal account': account })
  await open('Ownership')
  await does(page, 'Approve')
  await open('SCA resets')
  await does(page, 'Reject')
  await open('Failed refunds')
  await does(page, 'Try the refund again')
  await open('Money to return')
  await does(page, 'Return the balance', { Reason: 'Offboarded' })
  assert.equal(await balanceOf(sandbox, stranded), 0)
  await open('Card exceptions')
  await page.locator('summary', { hasText: 'Pull it now' }).click()
  await page.getByRole('button', { name: 'Pull it now', exact: true }).click()
  await page.getByRole('alert').waitFor()
  assert.match(await page.getByRole('alert').innerText(), /Nothing was changed/)
  await mustBeSoundOnBoth(page)
  await fund(sandbox, card.accountId, 200)
  await page.getByRole('button', { name: 'Pull it now', exact: true }).click()
  await page.getByRole('status').waitFor()
  assert.equal(await page.locator('.side .count').count(), 0, 'nothing waits any more')
  await page.context().close()
})
