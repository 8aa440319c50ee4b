import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text } from '../../../../test/kit/api.ts'
import { newCard, MERCHANT, USD } from '../../../../test/kit/cards.ts'
import { createCustomer, listEvents } from '../../../../test/kit/customers.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { payee, quote, readTransaction } from '../../../../test/kit/payments.ts'
import { completePerson, submitted } from '../../../../test/kit/onboarding/verification.ts'
import { newUuid } from '../../../kernel/ids.ts'

const kit = await startOwnKit()
const acme = await kit.platform({ kind: 'UNREGULATED', name: 'Acme Pay' })
const north = await kit.platform({ name: 'Northwind' })

const lookUp = async (id: string) =>
  items(await operate(kit, 'look-up', id)).map((row) => ({
    kind: text(row['kind']),
    id: text(row['id']),
  }))
const idsOf = async (id: string): Promise<string[]> => (await lookUp(id)).map((row) => row.id)

const card = await newCard(north)
const external = await payee(north, 'EUR_ACCOUNT', { customerId: card.customerId })
const asked = { from: card.accountId, to: external, amount: 5_000, immediatelyExecute: true }
const priced = expectStatus(await quote(north, asked), 201)
const purchase = await card.simulated('authorization', {
  amount: 1_200,
  currency: USD,
  merchant: MERCHANT,
})
const verification = await submitted(acme, await completePerson(acme))
const [event] = await listEvents(north)

const KINDS = {
  platform: north.platformId,
  customer: card.customerId,
  internalAccount: card.accountId,
  externalAccount: external,
  card: card.card.id,
  cardTransaction: purchase.id,
  quote: priced.id,
  transaction: priced.transactionId,
  verification: verification.id,
  webhook: text(event?.id),
}

for (const [kind, id] of Object.entries(KINDS)) {
  test(`CORE-83 look-up finds by id and by the bare uuid: ${kind}`, async () => {
    const [found, ...more] = await lookUp(id)
    assert.deepEqual([found?.kind, found?.id, more.length], [kind, id, 0])
    const uuid = id.split(':')[1] ?? ''
    // A quote and its transaction share a uuid, and the transaction says more.
    const meant = kind === 'quote' ? KINDS.transaction : id
    assert.deepEqual(await idsOf(` ${uuid.toUpperCase()} `), [meant])
    assert.deepEqual(await idsOf(uuid), [meant])
  })
}

test('CORE-83 look-up finds customers by the platform’s own id and by UMA address, in any platform', async () => {
  const one = await createCustomer(acme, { platformCustomerId: 'their-7' })
  const other = await createCustomer(north, { platformCustomerId: 'their-7' })
  assert.deepEqual(await idsOf('their-7'), [other.id, one.id])
  assert.deepEqual(await idsOf(one.umaAddress.toUpperCase()), [one.id])
  const uuid = newUuid()
  const third = await createCustomer(north, { platformCustomerId: uuid })
  assert.deepEqual(await idsOf(uuid), [third.id])
})

test('CORE-83 TXN-8 look-up finds a transaction once by its references', async () => {
  const failing = await payee(north, 'EUR_ACCOUNT', { customerId: card.customerId, suffix: '002' })
  const { transactionId } = expectStatus(await quote(north, { ...asked, to: failing }), 201)
  expectStatus(await north.api.post('/sandbox/clock', { advanceSeconds: 86_400 }), 200)
  const { refund } = await readTransaction(north, transactionId)
  assert.deepEqual(await idsOf(text(refund?.reference)), [transactionId])
})

test('CORE-83 look-up says nothing of what nobody has', async () => {
  for (const id of [
    `Customer:${newUuid()}`,
    newUuid(),
    'nothing',
    'Agent:x',
    `Lookup:${newUuid()}`,
  ])
    assert.deepEqual(await lookUp(id), [])
})
