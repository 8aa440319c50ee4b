import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client, expectStatus, text, type Answer, type Api } from '../kit/api.ts'
import { advance, issueCard, MERCHANT, newCard, USD, type Simulated } from '../kit/cards.ts'
import { listEvents } from '../kit/customers.ts'
import { MANY_CONNECTIONS, startOwnKit } from '../kit/florin.ts'
import { queueAtRow } from '../kit/database/meet-at-row.ts'
import { sql } from '../../src/infra/db/statement/sql.ts'

const kit = await startOwnKit(MANY_CONNECTIONS)
const neighbour = await kit.neighbour()
const p = await kit.platform({ currencies: ['USD'] })
const apis: readonly Api[] = [p.api, client(neighbour, p)]
const RACERS = 20

/** Twenty requests at once, from two processes of the service. */
const race = <P extends Promise<Answer>>(send: (api: Api, n: number) => P) =>
  Promise.all(Array.from({ length: RACERS }, (_, n) => send(apis[n % 2] as Api, n)))

const count = <A>(answers: readonly A[], test: (answer: A) => boolean): number =>
  answers.filter(test).length

const simulate = <Kind extends Simulated>(api: Api, id: string, kind: Kind, body: object) =>
  api.post(`/sandbox/cards/${id}/simulate/${kind}`, body)

test('AUTHZ-21 cards that share an account spend no more than it has', async () => {
  const card = await newCard(p, { funds: 7_000 })
  const second = await issueCard(p, card)
  const body = { amount: 600, currency: USD, merchant: MERCHANT }
  const answers = await race((api, n) =>
    simulate(api, n % 3 === 0 ? card.id : second.id, 'authorization', body),
  )
  const has = (status: string) => count(answers, (one) => one.body.status === status)
  assert.deepEqual([has('AUTHORIZED'), has('DECLINED')], [11, 9])
  assert.equal((await card.balances(card.accountId)).balance, 400)
})

test('CARD-30 of twenty equal moves one succeeds and is told', async () => {
  const card = await newCard(p)
  const answers = await race((api) => api.patch(`/cards/${card.id}`, { state: 'FROZEN' }))
  assert.equal(
    count(answers, ({ status }) => status === 200),
    1,
  )
  assert.equal(
    count(answers, ({ status }) => status === 409),
    RACERS - 1,
  )
  const events = await listEvents(p, 'CARD.STATE_CHANGE')
  const emitted = events.filter(({ data }) => data.id === card.id)
  assert.deepEqual(
    emitted.map(({ data }) => data.state),
    ['FROZEN', 'ACTIVE'],
  )
})

test('CTXN-16 of twenty full returns one is booked', async () => {
  const card = await newCard(p)
  const bought = await card.authorize(500, 'ATM', 'financial_authorization')
  const body = { cardTransactionId: bought.id, amount: 500 }
  const answers = await race((api) => simulate(api, card.id, 'return', body))
  assert.equal(
    count(answers, ({ status }) => status === 202),
    1,
  )
  assert.equal(
    count(answers, ({ status }) => status === 400),
    RACERS - 1,
  )
  assert.equal((await card.balances(card.accountId)).balance, 50_000)
})

test('CTXN-16 each of twenty clearings sees the one before it', async () => {
  const card = await newCard(p)
  const bought = await card.authorize(2_000)
  const body = { cardTransactionId: bought.id, amount: 100 }
  const answers = await race((api) => simulate(api, card.id, 'clearing', body))
  const totals = answers.map(({ body: one }) => Number(one.settledAmount?.amount))
  assert.deepEqual(
    totals.toSorted((a, b) => a - b),
    Array.from({ length: RACERS }, (_, n) => (n + 1) * 100),
  )
  const cleared = await card.transaction(bought)
  assert.deepEqual([cleared.status, cleared.pullSummary?.count], ['SETTLED', 1])
})

test('CTXN-16 CTXN-18 twenty second clearings at once: each is pulled while the balance covers it', async () => {
  const card = await newCard(p, { funds: 3_500 })
  const bought = await card.authorize(500, 'ATM', 'financial_authorization')
  const body = { cardTransactionId: bought.id, amount: 200 }
  const answers = await race((api) => simulate(api, card.id, 'clearing', body))
  const totals = answers.map((one) => Number(one.body.settledAmount?.amount))
  assert.deepEqual(
    totals.toSorted((a, b) => a - b),
    Array.from({ length: RACERS }, (_, n) => 500 + (n + 1) * 200),
  )
  const cleared = await card.transaction(bought)
  assert.deepEqual(
    [cleared.status, cleared.pullSummary],
    ['EXCEPTION', { count: 21, totalAmount: 3_500, pendingCount: 0 }],
  )
  assert.equal((await card.balances(card.accountId)).balance, 0)
})

test('CTXN-19 AUTHZ-21 force posts and purchases at once take no more than there is', async () => {
  const card = await newCard(p, { funds: 1_100 })
  const purchase = { amount: 100, currency: USD, merchant: MERCHANT }
  const answers = await race((api, n) =>
    n % 2 === 0
      ? simulate(api, card.id, 'authorization', purchase)
      : simulate(api, card.id, 'clearing', { amount: 100, merchant: MERCHANT }),
  )
  const has = (...statuses: readonly string[]) =>
    count(answers, (one) => statuses.includes(String(one.body.status)))
  assert.deepEqual([has('AUTHORIZED', 'SETTLED'), has('DECLINED', 'EXCEPTION')], [11, 9])
  assert.equal((await card.balances(card.accountId)).balance, 0)
})

for (const [first, pulls] of [
  ['the clearing', 1],
  ['the end', 2],
] as const) {
  test(`CTXN-16 CTXN-18 a clearing races the end of its authorization, ${first} first: the money is taken once`, async () => {
    const own = await kit.platform({ currencies: ['USD'] })
    const card = await newCard(own, { funds: 1_000 })
    const bought = await card.authorize(600)
    await advance(own, 604_790)
    const racers = [() => card.clear(bought, 600), () => advance(own, 20)]
    const row = sql`select 1 from card_transactions where id = ${bought.id.split(':')[1]} for update`
    await queueAtRow(kit, row, pulls === 1 ? racers : racers.toReversed())
    const after = await card.transaction(bought)
    assert.deepEqual(
      [after.status, after.settlementSummary, after.pullSummary],
      [
        'SETTLED',
        { count: 1, totalAmount: 600 },
        { count: pulls, totalAmount: 600, pendingCount: 0 },
      ],
    )
    assert.equal((await card.balances(card.accountId)).balance, 400)
  })
}

test('AUTHZ-27 twenty calls under one key decide once', async () => {
  const card = await newCard(p)
  const body = { amount: 900, currency: USD, merchant: MERCHANT }
  const headers = { 'Idempotency-Key': 'twenty' }
  const path = `/sandbox/cards/${card.id}/simulate/authorization` as const
  const answers = await race((api) => api.post(path, body, { headers }))
  const ids = new Set(answers.filter(({ status }) => status === 202).map((one) => one.body.id))
  assert.equal(ids.size, 1)
  assert.equal((await card.balances(card.accountId)).balance, 49_100)
})

test('AUTHZ-21 CARD-28 purchases race with closing: what was approved before stays, nothing after is', async () => {
  const card = await newCard(p)
  const body = { amount: 100, currency: USD, merchant: MERCHANT }
  const answers = await race((api, n) =>
    n === 10
      ? api.patch(`/cards/${card.id}`, { state: 'CLOSED' })
      : simulate(api, card.id, 'authorization', body),
  )
  const approved = answers.map((one) => one.body).filter(({ status }) => status === 'AUTHORIZED')
  const declined = answers.filter(
    (one) => 'declineReason' in one.body && one.body.declineReason === 'CARD_CLOSED',
  )
  assert.equal(approved.length + declined.length, RACERS - 1)
  assert.equal((await card.balances(card.accountId)).balance, 50_000 - approved.length * 100)
  for (const { id } of approved) {
    assert.equal((await card.clear({ id: text(id) }, 100)).status, 'SETTLED')
  }
})

test('CARD-31 purchases race with the deletion of the holder, and nobody waits for ever', async () => {
  const card = await newCard(p, { funds: 100 })
  const body = { amount: 100, currency: USD, merchant: MERCHANT }
  const answers = await race((api, n) =>
    n % 5 === 4
      ? api.delete(`/customers/${card.customerId}`)
      : simulate(api, card.id, 'authorization', body),
  )
  assert.equal(
    count(answers, ({ status }) => status >= 500),
    0,
  )
  const approved = count(answers, (one) => one.body.status === 'AUTHORIZED')
  assert.ok(approved <= 1)
  const list = expectStatus(await p.api.get('/transactions', { query: { cardId: card.id } }), 200)
  assert.equal(list.data.length, approved)
})
