/** “Use one of mine” in a real browser, against the real service and its real description. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fastify } from 'fastify'
import type { Page } from 'playwright-core'
import { addPublicRoutes } from '../../../src/app/public-routes.ts'
import { expectStatus } from '../../kit/api.ts'
import { startKit } from '../../kit/florin.ts'
import { openBrowser } from '../../kit/pages/browser.ts'
import { contrastProblems, nameProblems, overflow } from '../page-checks.ts'

const kit = await startKit()
const platform = await kit.platform({ currencies: ['USD', 'USDC'] })
const { api } = platform
const ADDRESS = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

const names = Array.from({ length: 11 }, (_, at) => `Ana Number ${at}`)
const customers: string[] = []
for (const fullName of names) {
  const made = await api.post('/customers', { customerType: 'INDIVIDUAL', fullName })
  customers.push(expectStatus(made, 201).id)
}
const wallet = expectStatus(
  await api.post('/platform/external-accounts', {
    currency: 'USDC',
    accountInfo: { accountType: 'SOLANA_WALLET', address: ADDRESS },
  }),
  201,
).id

/** The pages that the service serves beside its API, and the API behind them. */
async function startFront(): Promise<string> {
  const front = fastify()
  addPublicRoutes(front, kit.florin.deps)
  front.get(`${new URL(kit.baseUrl).pathname}/*`, async (request, reply) => {
    const { authorization = '' } = request.headers
    const answer = await fetch(new URL(request.url, kit.baseUrl), { headers: { authorization } })
    return reply
      .code(answer.status)
      .type('application/json')
      .send(await answer.text())
  })
  after(() => front.close())
  return front.listen({ host: '127.0.0.1', port: 0 })
}

const [origin, browser] = await Promise.all([startFront(), openBrowser()])
// One for all tests, so that the fifty files of the page are sent once.
const context = await browser.newContext()

async function open(hash: string, { isKnown = true, width = 1280 } = {}) {
  const page = await context.newPage()
  await page.setViewportSize({ width, height: 900 })
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => complaints.push(message.text()))
  await page.goto(`${origin}/docs#${hash}`)
  await page.locator('main h1').waitFor()
  if (isKnown) await keepCredentials(page)
  return { page, complaints }
}

async function keepCredentials(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Credentials/ }).click()
  await page.getByLabel('Client id').fill(platform.clientId)
  await page.getByLabel('Client secret').fill(platform.clientSecret)
  await page.getByRole('button', { name: 'Keep' }).click()
}

const picker = (page: Page, field: string) =>
  page.getByRole('button', { name: `Use one of mine for ${field}`, exact: true })

test('OPER-172 the latest ten are listed with name and id, and one is taken with the keyboard', async () => {
  const { page, complaints } = await open('getCustomerById')
  await picker(page, 'customerId').focus()
  await page.keyboard.press('Enter')
  const listed = page.locator('.own-ids li button')
  await listed.first().waitFor()
  assert.equal(await listed.count(), 10)
  assert.match(await listed.first().innerText(), new RegExp(`Ana Number 10, .*\\n${customers[10]}`))
  await page.locator('button:focus', { hasText: 'Ana Number 10' }).waitFor()
  assert.deepEqual(await nameProblems(page), [])
  assert.deepEqual(await contrastProblems(page), [])
  await page.keyboard.press('Escape')
  assert.equal(await picker(page, 'customerId').getAttribute('aria-expanded'), 'false')
  await page.keyboard.press('Enter')
  await page.locator('button:focus', { hasText: 'Ana Number 10' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  assert.equal(await page.getByRole('textbox', { name: /^customerId/ }).inputValue(), customers[9])
  assert.match(await page.locator('#announcer').innerText(), /customerId is Ana Number 9/)
  await page.keyboard.press('Control+Enter')
  await page.locator('.answer-head .status-ok').waitFor()
  assert.deepEqual(complaints, [])
  await page.close()
})

test('OPER-172 ids inside a JSON body are filled from the lists of every kind that fits, also on a phone', async () => {
  const { page, complaints } = await open('createQuote', { width: 360 })
  const body = page.getByLabel('Body', { exact: true })
  await picker(page, 'destination.accountId').click()
  await page.getByRole('button', { name: new RegExp(wallet) }).click()
  assert.equal(JSON.parse(await body.inputValue()).destination.accountId, wallet)
  assert.deepEqual(await overflow(page), [])
  await picker(page, 'source.accountId').click()
  await page
    .getByRole('button', { name: /INTERNAL_FIAT, 0\.00 USD, ACTIVE/ })
    .first()
    .click()
  assert.match(JSON.parse(await body.inputValue()).source.accountId, /^InternalAccount:/)
  await body.fill('{"source": {"sourceType": "REALTIME_FUNDING", "customerId": ""}}')
  await picker(page, 'source.customerId').waitFor()
  assert.equal(await picker(page, 'destination.accountId').count(), 0)
  await body.fill('{"source": ')
  assert.equal(await picker(page, 'source.customerId').count(), 0)
  assert.deepEqual(complaints, [])
  await page.close()
})

test('OPER-172 without credentials they are asked for, and a refusal is shown', async () => {
  const { page } = await open('getCardById', { isKnown: false })
  await picker(page, 'cardId').click()
  await page.locator('.own-ids').getByRole('button', { name: 'Add credentials' }).click()
  await page.getByLabel('Client id').fill(platform.clientId)
  await page.getByLabel('Client secret').fill('wrong')
  await page.getByRole('button', { name: 'Keep' }).click()
  await picker(page, 'cardId').click()
  await picker(page, 'cardId').click()
  assert.match(await page.locator('.own-ids').getByRole('alert').innerText(), /^UNAUTHORIZED: /)
  await keepCredentials(page)
  await picker(page, 'cardId').click()
  await picker(page, 'cardId').click()
  await page.locator('.own-ids').getByText('None yet.').waitFor()
  await page.close()
})
