import assert from 'node:assert/strict'
import { test } from 'node:test'
import { text } from '../../../../test/kit/api.ts'
import { CARD_NUMBER, newCard } from '../../../../test/kit/cards.ts'
import { createCustomer } from '../../../../test/kit/customers.ts'
import { openDashboard } from '../../../../test/kit/pages/dashboard.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { LOCAL_ACTOR, operate } from '../../../../test/kit/operator.ts'
import { customerAccount, fund, payee, quote } from '../../../../test/kit/payments.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { advance } from '../../../../test/kit/outside/connect-receiver.ts'
import { completeBusiness, submitted } from '../../../../test/kit/onboarding/verification.ts'
import { newUuid } from '../../../kernel/ids.ts'

const kit = await startOwnKit()
const acme = await kit.platform({ kind: 'UNREGULATED', name: 'Acme Pay' })
const north = await kit.platform({ name: 'Northwind' })
const board = await openDashboard(kit)
const anna = await board.signIn('anna')

const address = (id: unknown): string => `/customers/${encodeURIComponent(String(id))}`

test('CORE-83 customers are listed over all platforms, filtered, and page by page', async () => {
  for (let made = 0; made < 51; made += 1)
    await createCustomer(north, { fullName: `Guest ${made}` })
  const business = await completeBusiness(acme)
  const first = (await anna.get('/customers')).text
  assert.ok(
    first.includes('Acme Inc.') && first.includes('Guest 50') && !first.includes('Guest 1<'),
  )
  const [, older = ''] = /href="([^"]+)" rel="next"/.exec(first) ?? []
  const second = (await anna.get(older.replaceAll('&amp;', '&'))).text
  assert.ok(
    second.includes('Guest 1<') && second.includes('Guest 0<') && !second.includes('Acme Inc.'),
  )
  const companies = (await anna.get('/customers?type=BUSINESS')).text
  assert.ok(companies.includes(business.id) && !companies.includes('Guest'))
  assert.match((await anna.get('/customers?status=REJECTED')).text, /No customer is like this/)
  const narrowed = (await anna.get(`/customers?platform=${acme.platformId}`)).text
  assert.ok(narrowed.includes('Acme Inc.') && !narrowed.includes('Guest'))
  assert.equal((await anna.get('/customers?status=LATE')).status, 400)
})

test('CORE-83 a customer is shown with accounts, balances, cards and transactions', async () => {
  const { customerId, card, accountId } = await newCard(north)
  const external = await payee(north, 'EUR_ACCOUNT', { customerId, suffix: '321' })
  const { text: page } = await anna.get(address(customerId))
  assert.match(page, /<h1>Mira Aldana<\/h1>/)
  assert.match(page, /500\.00 USD/)
  for (const linked of [accountId, external]) assert.ok(page.includes(encodeURIComponent(linked)))
  assert.ok(page.includes(`•••• ${text(card.last4)}`))
  assert.match(page, /…\d321/)
  assert.doesNotMatch(page, CARD_NUMBER)
  assert.match(page, /Incoming<\/span>/)
  assert.match(page, /CUSTOMER\.|INTERNAL_ACCOUNT\./)
})

test('CUST-12 VER-20 the page of a business leads to its review and keeps numbers of governments', async () => {
  const business = await completeBusiness(acme, '5523042')
  const { id } = await submitted(acme, business)
  await operate(kit, `review hold ${business.id}`)
  const { text: page } = await anna.get(address(business.id))
  assert.doesNotMatch(page, /12-3456789|123456789|111-22-3333/)
  const review = `/reviews/${encodeURIComponent(business.id)}`
  assert.ok(page.includes(`href="${review}"`))
  assert.ok(page.includes(`/reviews/${encodeURIComponent(id)}`))
  assert.equal((await anna.get(review)).status, 200)
  assert.match(
    page,
    new RegExp(`<strong>${LOCAL_ACTOR.replace('local:', '')}</strong>\\s*review hold`),
  )
})

test('CORE-83 a customer that is not there is said so', async () => {
  for (const id of [`Customer:${newUuid()}`, 'x'])
    assert.equal((await anna.get(address(id))).status, 404)
})

test('OPER-123 CORE-60 how long ago it is, is reckoned by the clock of the platform', async () => {
  const moved = await kit.platform({ name: 'Moved' })
  await advance(moved, 3 * 86_400)
  const { id } = await createCustomer(moved, { fullName: 'Made just now' })
  const narrowed = `?platform=${encodeURIComponent(moved.platformId)}`
  const list = (await anna.get(`/customers${narrowed}`)).text
  assert.match(list, /Made just now[^]*class="ago">now</)
  assert.doesNotMatch(list, /in \d+ (d|h|min)/)
  assert.doesNotMatch((await anna.get(address(id))).text, /in \d+ (d|h|min)/)
  await eventually(async () => {
    const requests = (await anna.get(`/requests${narrowed}`)).text
    assert.match(requests, /class="ago">now</, 'requests are kept by the service’s clock')
  })
  const page = (await anna.get(`/platforms/${encodeURIComponent(moved.platformId)}`)).text
  assert.match(page, /Clock<\/dt>/)
})

test('OPER-122 names that are written from right to left do not change who pays whom', async () => {
  const payer = 'محمد'
  const { id: customerId } = await createCustomer(north, { fullName: payer })
  const account = await customerAccount(north, customerId, 'USD')
  await fund(north, account, 5_000)
  const to = await payee(north, 'EUR_ACCOUNT', { customerId })
  await quote(north, { from: account, to, amount: 1_000, immediatelyExecute: true })
  const page = (await anna.get(`/transactions?customer=${encodeURIComponent(customerId)}`)).text
  assert.match(page, new RegExp(`<bdi>${payer}</bdi> → <bdi>`))
})
