import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../../test/kit/api.ts'
import { CARD_NUMBER, newCard } from '../../../../test/kit/cards.ts'
import { openDashboard } from '../../../../test/kit/pages/dashboard.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { fund, payee, payer, platformAccount, quote } from '../../../../test/kit/payments.ts'
import { openProductionAccount, productionBank } from '../../../../test/kit/setups/production.ts'
import { newUuid } from '../../../kernel/ids.ts'

const kit = await startOwnKit()
const acme = await kit.platform({ name: 'Acme Pay' })
const north = await kit.platform({ name: 'Northwind' })
const board = await openDashboard(kit)
const anna = await board.signIn('anna')

const address = (id: string): string => `/transactions/${encodeURIComponent(id)}`
const tailOf = (id: string): string => `…${id.slice(-8)}<`

async function paid(on = acme, suffix = '000') {
  const from = await payer(on)
  const to = await payee(on, 'EUR_ACCOUNT', { suffix, customerId: from.customerId })
  const asked = { from: from.account, to, amount: 12_345, immediatelyExecute: true }
  const { transactionId, id } = expectStatus(await quote(on, asked), 201)
  return { ...from, to, id: transactionId, quoteId: id }
}

test('CORE-83 transactions are listed over all platforms and filtered', async () => {
  const [one, other] = [await paid(acme), await paid(north)]
  const all = (await anna.get('/transactions')).text
  assert.ok(all.includes(tailOf(one.id)) && all.includes(tailOf(other.id)))
  assert.match(all, /123\.45 USD/)
  const narrowed = (await anna.get(`/transactions?platform=${north.platformId}`)).text
  assert.ok(!narrowed.includes(tailOf(one.id)) && narrowed.includes(tailOf(other.id)))
  const incoming = (await anna.get('/transactions?type=INCOMING')).text
  assert.ok(!incoming.includes(tailOf(one.id)))
  const own = (await anna.get(`/transactions?customer=${one.customerId}&type=OUTGOING`)).text
  assert.ok(own.includes(tailOf(one.id)) && !own.includes(tailOf(other.id)))
  assert.match((await anna.get('/transactions?status=EXPIRED')).text, /No transaction is like this/)
})

test('CORE-83 older transactions follow page by page, none twice and none left out', async () => {
  const on = await kit.platform()
  const account = await platformAccount(on, 'USD')
  for (let made = 1; made <= 55; made += 1) await fund(on, account, made * 100)
  const first = await anna.get(`/transactions?platform=${on.platformId}`)
  const [, older = ''] = /href="([^"]+)" rel="next"/.exec(first.text) ?? []
  const second = await anna.get(older.replaceAll('&amp;', '&'))
  const amountsIn = (page: string): string[] =>
    [...page.matchAll(/>(\d+\.00) USD</g)].map(([, amount = '']) => amount)
  const amounts = new Set([...amountsIn(first.text), ...amountsIn(second.text)])
  assert.equal(amounts.size, 55)
  assert.ok(!amountsIn(second.text).includes('55.00') && amountsIn(second.text).includes('1.00'))
  assert.doesNotMatch(second.text, /rel="next"/)
})

test('CORE-83 LEDG-7 a transaction is shown with sides, fees, quote, bookings and events', async () => {
  const { id, account, to, customerId, quoteId } = await paid()
  const { text: page } = await anna.get(address(id))
  assert.match(page, /<h1>Outgoing 123\.45 USD<\/h1>/)
  for (const linked of [account, to, customerId])
    assert.ok(page.includes(encodeURIComponent(linked)), linked)
  assert.ok(page.includes(quoteId))
  assert.match(page, /USD for 1 EUR/)
  assert.match(page, /−123\.45 USD/)
  assert.match(page, /876\.55 USD/, 'the balance after')
  assert.match(page, /OUTGOING_PAYMENT\.COMPLETED/)
  assert.doesNotMatch(page, /Retry its refund|Confirm or fail/)
})

test('TXN-8 CORE-92 a failed refund leads to where it is retried, and the page then says who did it', async () => {
  const { id } = await paid(acme, '007')
  const { text: page } = await anna.get(address(id))
  assert.match(page, /<h2>Refund<\/h2>/)
  assert.match(page, /Counterparty post tx failed/)
  const [, href = ''] = /href="(\/refunds\/[^"]+)"\s*>Retry its refund/.exec(page) ?? []
  assert.equal((await anna.get(href)).status, 200)
  assert.equal((await anna.post(`${href}/retry`)).status, 303)
  const { text: after } = await anna.get(address(id))
  assert.doesNotMatch(after, /Retry its refund/)
  assert.match(after, /<strong>anna<\/strong>\s*refunds retry/)
})

test('CORE-83 a payment that is moved by hand leads to its settlement', async () => {
  const on = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD'] })
  const id = await platformAccount(on, 'USD')
  const from = await openProductionAccount(kit, on, { id, funded: 100_000n })
  const to = await productionBank(kit, on)
  const asked = { from, to, amount: 1_000, immediatelyExecute: true }
  const { transactionId } = expectStatus(await quote(on, asked), 201)
  const { text: page } = await anna.get(address(transactionId))
  const [, href = ''] = /href="(\/settlements\/[^"]+)"\s*>Confirm or fail/.exec(page) ?? []
  assert.equal((await anna.get(href)).status, 200)
})

test('CORE-83 a card transaction has a page too, without the number of its card', async () => {
  const card = await newCard(north)
  const { id } = await card.authorize(1_200)
  const { text: page } = await anna.get(address(id))
  assert.match(page, /<h1>Card 12\.00 USD<\/h1>/)
  assert.match(page, /BLUE DOOR COFFEE/)
  assert.match(page, /card\.pulled/)
  assert.doesNotMatch(page, CARD_NUMBER)
})

test('CORE-83 what is not there is said so', async () => {
  for (const id of [`Transaction:${newUuid()}`, 'x'])
    assert.equal((await anna.get(address(id))).status, 404)
  assert.equal((await anna.get('/transactions?status=LATE')).status, 400)
  assert.equal((await anna.get('/transactions?customer=x')).status, 400)
})
