import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, text } from '../../../test/kit/api.ts'
import { newCard } from '../../../test/kit/cards.ts'
import { createCustomer, listEvents } from '../../../test/kit/customers.ts'
import { openDashboard } from '../../../test/kit/pages/dashboard.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { payee, quote } from '../../../test/kit/payments.ts'
import { completePerson, submitted } from '../../../test/kit/onboarding/verification.ts'
import { newUuid } from '../../kernel/ids.ts'

const kit = await startOwnKit()
const acme = await kit.platform({ kind: 'UNREGULATED', name: 'Acme Pay' })
const north = await kit.platform({ name: 'Northwind' })
const board = await openDashboard(kit)
const anna = await board.signIn('anna')

const lookUp = (id: string) => anna.get(`/look-up?${new URLSearchParams({ id })}`)
const pageOf = async (id: string): Promise<string> =>
  decodeURIComponent((await lookUp(id)).headers.get('location') ?? '')

const card = await newCard(north)
const external = await payee(north, 'EUR_ACCOUNT', { customerId: card.customerId })
const asked = { from: card.accountId, to: external, amount: 5_000, immediatelyExecute: true }
const priced = expectStatus(await quote(north, asked), 201)
const purchase = (await card.authorize(1_200)).id
const verification = (await submitted(acme, await completePerson(acme))).id
const [event] = await listEvents(north)

const PAGES = [
  [card.customerId, `/customers/${card.customerId}`],
  [priced.transactionId, `/transactions/${priced.transactionId}`],
  [priced.id, `/quotes/${priced.id}`],
  [purchase, `/transactions/${purchase}`],
  [card.card.id, `/cards/${card.card.id}`],
  [card.accountId, `/accounts/${card.accountId}`],
  [external, `/external-accounts/${external}`],
  [verification, `/reviews/${verification}`],
  [text(event?.id), `/events/${text(event?.id)}`],
  [north.platformId, `/platforms/${north.platformId}`],
] as const

for (const [id, page] of PAGES) {
  test(`CORE-80 look-up leads from ${id.split(':')[0]} to its page`, async () => {
    assert.equal(await pageOf(id), page)
    assert.equal((await anna.get(page)).status, 200)
    assert.notEqual(await pageOf(id.split(':')[1] ?? ''), '')
  })
}

test('CORE-80 look-up takes a platform’s own id, and shows whose it is where several have it', async () => {
  const one = await createCustomer(acme, { platformCustomerId: 'their-7' })
  assert.equal(await pageOf(' their-7 '), `/customers/${one.id}`)
  const other = await createCustomer(north, { platformCustomerId: 'their-7' })
  const { status, text: page } = await lookUp('their-7')
  assert.equal(status, 200)
  for (const { id } of [one, other]) assert.ok(page.includes(encodeURIComponent(id)))
  assert.ok(page.includes('Acme Pay') && page.includes('Northwind'))
})

test('CORE-80 CORE-93 look-up says that nothing has it, whatever was typed', async () => {
  for (const id of [
    `Customer:${newUuid()}`,
    newUuid(),
    '<b>x</b>',
    'x'.repeat(2_000),
    'a\u0000b',
  ]) {
    const { status, text: page } = await lookUp(id)
    assert.equal(status, 404, id)
    assert.match(page, /<h1>Nothing found<\/h1>/)
    assert.ok(!page.includes('<b>x</b>'))
  }
  assert.equal((await anna.get('/look-up')).status, 200)
  assert.equal((await board.send('/look-up?id=x')).status, 401)
})
