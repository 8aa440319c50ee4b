import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advance, fund, newCard } from '../../../../test/kit/cards.ts'
import { listEvents } from '../../../../test/kit/customers.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'

const kit = await startOwnKit()
const p = await kit.platform({ currencies: ['USD'] })

test('section 3.1 the operator closes a card, once', async () => {
  const card = await newCard(p, { platformCustomerId: 'waits-001' })
  const closed = await operate(kit, `cards close ${card.id}`)
  assert.deepEqual([closed['state'], closed['stateReason']], ['CLOSED', 'CLOSED_BY_SERVICE'])
  assert.deepEqual(await card.read(), closed)
  const [event] = await listEvents(p, 'CARD.STATE_CHANGE')
  assert.deepEqual(event?.data, closed)
  await assert.rejects(operate(kit, `cards close ${card.id}`), { code: 'CARD_ALREADY_CLOSED' })
  const unknown = 'cards close Card:01994d2e-7c1a-7f00-8000-0000000000ff'
  await assert.rejects(operate(kit, unknown), { code: 'REFERENCE_NOT_FOUND' })
})

test('K3r the operator has a shortfall pulled after all, when the account covers it', async () => {
  const card = await newCard(p, { funds: 1_000 })
  const bought = await card.authorize(1_000)
  const short = await card.clear(bought, 1_200)
  assert.equal(short.status, 'EXCEPTION')
  const line = `cards retry-pull ${bought.id}`
  await fund(p, card.accountId, 199)
  await assert.rejects(operate(kit, line), { code: 'INSUFFICIENT_BALANCE' })
  assert.deepEqual(await card.transaction(bought), short, 'a refused retry changes nothing')
  await fund(p, card.accountId, 11)
  const pulled = await operate(kit, line)
  assert.equal(pulled['status'], 'SETTLED')
  assert.deepEqual(pulled['pullSummary'], { count: 3, totalAmount: 1_200, pendingCount: 0 })
  assert.equal((await card.balances(card.accountId)).balance, 10)
  await assert.rejects(operate(kit, line), { code: 'CONFLICT' })
})

test('K3r what a reversal left open is no pull; and a closed card is not pulled from', async () => {
  const card = await newCard(p, { funds: 1_000 })
  const bought = await card.authorize(1_000, 'ATM', 'financial_authorization')
  await card.creditReturn(bought, 1_000)
  const other = await card.authorize(500)
  assert.equal((await card.reverse(bought)).status, 'EXCEPTION')
  await card.clear(other, 0)
  const recovered = await operate(kit, `cards retry-pull ${bought.id}`)
  assert.equal(recovered['status'], 'SETTLED')
  assert.deepEqual(recovered['pullSummary'], { count: 1, totalAmount: 1_000, pendingCount: 0 })
  await fund(p, card.accountId, 100)
  const third = await card.authorize(100)
  assert.equal((await card.clear(third, 101)).status, 'EXCEPTION')
  await operate(kit, `cards close ${card.id}`)
  await fund(p, card.accountId, 100)
  await assert.rejects(operate(kit, `cards retry-pull ${third.id}`), { code: 'CONFLICT' })
})

test('K1f K3f K6f K3r what a reversal and a pull that then fails left open is borne and recovered as a whole', async () => {
  const card = await newCard(p, { funds: 700 })
  const bought = await card.authorize(700, 'ODD ATM 006', 'financial_authorization')
  assert.equal((await card.creditReturn(bought, 700)).status, 'REFUNDED')
  const other = await card.authorize(700)
  assert.equal((await card.reverse(bought)).status, 'EXCEPTION')
  await advance(p, 6)
  const borne = () => operate(kit, `card-exceptions show ${bought.id}`)
  assert.equal((await borne())['shortfall']?.['amount'], 1_400)
  await card.creditReturn(bought, 300)
  assert.equal((await borne())['shortfall']?.['amount'], 1_100, 'the reversal is repaid first')
  await card.clear(other, 0)
  assert.equal((await card.balances(card.accountId)).balance, 1_400)
  const recovered = await operate(kit, `cards retry-pull ${bought.id}`)
  assert.equal(recovered['status'], 'SETTLED')
  const { pullSummary } = recovered
  assert.deepEqual(pullSummary, { count: 2, totalAmount: 700, pendingCount: 0 })
  assert.equal((await card.balances(card.accountId)).balance, 300)
})

test('K3r nothing is pulled from an account that is frozen', async () => {
  const card = await newCard(p, { funds: 1_000 })
  const bought = await card.authorize(1_000)
  const short = await card.clear(bought, 1_200)
  await fund(p, card.accountId, 500)
  await operate(kit, `accounts freeze ${card.accountId}`)
  const line = `cards retry-pull ${bought.id}`
  const because = { code: 'CONFLICT', details: { reason: 'FUNDING_SOURCE_UNAVAILABLE' } }
  await assert.rejects(operate(kit, line), because)
  assert.deepEqual(await card.transaction(bought), short)
  await operate(kit, `accounts unfreeze ${card.accountId}`)
  assert.equal((await operate(kit, line))['status'], 'SETTLED')
  assert.equal((await card.balances(card.accountId)).balance, 300)
})
