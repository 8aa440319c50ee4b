import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CardTransaction } from '../../../../../sdk/src/index.ts'
import { expectError, expectFields, expectStatus, type Shown } from '../../../../test/kit/api.ts'
import { advance, fund, newCard, type CardUnderTest } from '../../../../test/kit/cards.ts'
import { listEvents } from '../../../../test/kit/customers.ts'
import { startKit } from '../../../../test/kit/florin.ts'

const kit = await startKit()
const p = await kit.platform({ currencies: ['USD', 'EUR'] })
const UNKNOWN = '01994d2e-7c1a-7f00-8000-0000000000ff'
const WEEK_SECONDS = 604_800

const amounts = (transaction: Shown<CardTransaction>): unknown[] => [
  transaction.status,
  transaction.authorizedAmount.amount,
  transaction.settledAmount?.amount,
  transaction.refundedAmount?.amount,
]
const pulls = ({ pullSummary }: Shown<CardTransaction>): unknown[] => [
  pullSummary?.count,
  pullSummary?.totalAmount,
  pullSummary?.pendingCount,
]
const settlements = ({ settlementSummary }: Shown<CardTransaction>): unknown[] => [
  settlementSummary?.count,
  settlementSummary?.totalAmount,
]
const refunds = ({ refundSummary }: Shown<CardTransaction>): unknown[] => [
  refundSummary?.count,
  refundSummary?.totalAmount,
]
const balanceOf = async (card: CardUnderTest): Promise<number> =>
  (await card.balances(card.accountId)).balance

test('CTXN-6 CTXN-7 over-clearing takes exactly the difference by one further pull', async () => {
  const card = await newCard(p)
  const bought = await card.authorize(1_250)
  const cleared = await card.clear(bought, 1_500)
  assert.deepEqual(amounts(cleared), ['SETTLED', 1_250, 1_500, undefined])
  assert.deepEqual(
    [pulls(cleared), settlements(cleared)],
    [
      [2, 1_500, 0],
      [1, 1_500],
    ],
  )
  assert.equal(await balanceOf(card), 48_500)
})

test('CTXN-6 CTXN-7 a further pull that cannot be covered takes nothing, and the service bears it', async () => {
  const card = await newCard(p, { funds: 1_000 })
  const bought = await card.authorize(900)
  const cleared = await card.clear(bought, 1_001)
  assert.deepEqual(amounts(cleared), ['EXCEPTION', 900, 1_001, undefined])
  assert.deepEqual(
    [pulls(cleared), settlements(cleared)],
    [
      [2, 900, 0],
      [1, 1_001],
    ],
  )
  assert.equal(await balanceOf(card), 100)
  const some = await card.creditReturn(bought, 51)
  assert.deepEqual(amounts(some), ['EXCEPTION', 900, 1_001, 51])
  assert.equal(await balanceOf(card), 100, 'the shortfall is repaid first')
  const more = await card.creditReturn(bought, 60)
  assert.deepEqual(amounts(more), ['SETTLED', 900, 1_001, 111])
  assert.equal(await balanceOf(card), 110)
  const rest = await card.creditReturn(bought, 890)
  assert.deepEqual([rest.status, refunds(rest)], ['REFUNDED', [3, 1_001]])
})

test('CTXN-8 CTXN-9 partial clearings leave the rest held until the authorization ends', async () => {
  const card = await newCard(p)
  const bought = await card.authorize(4_000)
  assert.deepEqual(amounts(await card.clear(bought, 1_000)), [
    'PARTIALLY_SETTLED',
    4_000,
    1_000,
    undefined,
  ])
  const second = await card.clear(bought, 500)
  assert.deepEqual(settlements(second), [2, 1_500])
  assert.equal(await balanceOf(card), 46_000)
  const ended = await card.clear(bought, 0)
  assert.deepEqual(amounts(ended), ['SETTLED', 4_000, 1_500, undefined])
  assert.deepEqual(
    [pulls(ended), settlements(ended)],
    [
      [1, 1_500, 0],
      [2, 1_500],
    ],
  )
  assert.equal(await balanceOf(card), 48_500)
  const unused = await card.clear(await card.authorize(700), 0)
  assert.deepEqual(amounts(unused), ['SETTLED', 700, 0, undefined])
  assert.deepEqual(
    [pulls(unused), settlements(unused)],
    [
      [1, 0, 0],
      [0, 0],
    ],
  )
  assert.equal(await balanceOf(card), 48_500)
})

test('CTXN-9 what was given back as a whole is REFUNDED when the rest ends', async () => {
  const card = await newCard(p)
  const bought = await card.authorize(400)
  await card.clear(bought, 100)
  assert.equal((await card.creditReturn(bought, 100)).status, 'PARTIALLY_SETTLED')
  assert.equal((await card.clear(bought, 0)).status, 'REFUNDED')
  assert.equal(await balanceOf(card), 50_000)
})

test('CTXN-10 an advice up pulls the difference, one down releases it', async () => {
  const card = await newCard(p, { card: { maxSpendPerTransaction: 2_000 } })
  const bought = await card.authorize(2_000)
  const up = await card.advise(bought, 3_500)
  assert.deepEqual(
    [amounts(up), pulls(up)],
    [
      ['AUTHORIZED', 3_500, undefined, undefined],
      [2, 3_500, 0],
    ],
  )
  assert.equal(await balanceOf(card), 46_500)
  assert.equal((await card.clear(bought, 200)).status, 'PARTIALLY_SETTLED')
  const down = await card.advise(bought, 500)
  assert.deepEqual([down.status, pulls(down)], ['PARTIALLY_SETTLED', [2, 500, 0]])
  assert.equal(await balanceOf(card), 49_500)
  const below = await card.simulate('authorization_advice', {
    cardTransactionId: bought.id,
    amount: 199,
  })
  const least = expectError(below, 400, 'AMOUNT_OUT_OF_RANGE')
  assert.deepEqual(least, { minimum: 200, currency: 'USD' })
  const over = await card.advise(bought, 200)
  assert.deepEqual(amounts(over), ['SETTLED', 200, 200, undefined])
  assert.equal(await balanceOf(card), 49_800)
})

test('CTXN-10 an advice that cannot be pulled is counted, and tried again at clearing', async () => {
  const card = await newCard(p, { funds: 1_000 })
  const bought = await card.authorize(600)
  const up = await card.advise(bought, 1_500)
  assert.deepEqual([up.status, pulls(up)], ['AUTHORIZED', [2, 600, 0]])
  assert.equal(await balanceOf(card), 400)
  await fund(p, card.accountId, 600)
  const partly = await card.clear(bought, 700)
  assert.deepEqual([partly.status, pulls(partly)], ['PARTIALLY_SETTLED', [3, 700, 0]])
  const cleared = await card.clear(bought, 800)
  assert.deepEqual([cleared.status, pulls(cleared)], ['SETTLED', [4, 1_500, 0]])
  assert.equal(await balanceOf(card), 100)
})

test('CTXN-11 CTXN-12 returns up to what was cleared; the latest is reversed as a whole', async () => {
  const card = await newCard(p)
  const bought = await card.authorize(1_500, 'ATM', 'financial_authorization')
  assert.deepEqual(amounts(await card.creditReturn(bought, 600)), ['SETTLED', 1_500, 1_500, 600])
  const tooMuch = await card.simulate('return', { cardTransactionId: bought.id, amount: 901 })
  const most = expectError(tooMuch, 400, 'AMOUNT_OUT_OF_RANGE')
  assert.deepEqual(most, { maximum: 900, currency: 'USD' })
  const early = await card.simulate('return_reversal', { cardTransactionId: bought.id })
  expectFields(early, ['cardTransactionId'])
  assert.equal(early.body.details?.['status'], 'SETTLED')
  const all = await card.creditReturn(bought, 900)
  assert.deepEqual([all.status, refunds(all)], ['REFUNDED', [2, 1_500]])
  assert.equal(await balanceOf(card), 50_000)
  const again = await card.simulate('return', { cardTransactionId: bought.id, amount: 1 })
  expectFields(again, ['cardTransactionId'])
  const reversed = await card.reverse(bought)
  assert.deepEqual(
    [amounts(reversed), refunds(reversed)],
    [
      ['SETTLED', 1_500, 1_500, 600],
      [1, 600],
    ],
  )
  assert.deepEqual(pulls(reversed), [1, 1_500, 0], 'a reversal is no pull')
  assert.equal(await balanceOf(card), 49_100)
})

test('K6f a reversal that the account cannot pay is borne by the service', async () => {
  const card = await newCard(p, { funds: 1_000 })
  const bought = await card.authorize(1_000, 'ATM', 'financial_authorization')
  await card.creditReturn(bought, 1_000)
  await card.authorize(1)
  const reversed = await card.reverse(bought)
  assert.deepEqual(amounts(reversed), ['EXCEPTION', 1_000, 1_000, 0])
  assert.equal(await balanceOf(card), 999)
  const back = await card.creditReturn(bought, 1_000)
  assert.deepEqual([back.status, await balanceOf(card)], ['REFUNDED', 999])
})

test('CTXN-13 a credit pays the account when it is cleared, never more than authorized', async () => {
  const card = await newCard(p, { funds: 0 })
  const credit = await card.authorize(900, 'REFUND DESK', 'credit_authorization')
  assert.deepEqual(
    [credit.direction, credit.status, pulls(credit)],
    ['CREDIT', 'AUTHORIZED', [0, 0, 0]],
  )
  assert.equal(await balanceOf(card), 0)
  assert.equal((await card.clear(credit, 400)).status, 'PARTIALLY_SETTLED')
  assert.equal(await balanceOf(card), 400)
  const tooMuch = await card.simulate('clearing', { cardTransactionId: credit.id, amount: 501 })
  const most = expectError(tooMuch, 400, 'AMOUNT_OUT_OF_RANGE')
  assert.deepEqual(most, { maximum: 500, currency: 'USD' })
  const done = await card.clear(credit, 500)
  assert.deepEqual([done.status, pulls(done), await balanceOf(card)], ['SETTLED', [0, 0, 0], 900])
  const back = await card.simulate('return', { cardTransactionId: credit.id, amount: 1 })
  expectFields(back, ['cardTransactionId'])
  const small = await card.authorize(50, 'REFUND DESK', 'credit_authorization')
  await card.advise(small, 70)
  assert.deepEqual(amounts(await card.clear(small, 0)), ['SETTLED', 70, 0, undefined])
  assert.equal(await balanceOf(card), 900)
})

test('CTXN-14 section 8 one message settles at once, also while its pull is pending', async () => {
  const own = await kit.platform({ currencies: ['USD'] })
  const card = await newCard(own)
  const bought = await card.authorize(8_000, 'ATM 24TH', 'financial_authorization')
  assert.deepEqual(
    [amounts(bought), settlements(bought)],
    [
      ['SETTLED', 8_000, 8_000, undefined],
      [1, 8_000],
    ],
  )
  const credit = await card.authorize(4_000, 'PAYDAY', 'financial_credit_authorization')
  assert.deepEqual([credit.status, credit.direction], ['SETTLED', 'CREDIT'])
  assert.equal(await balanceOf(card), 46_000)
  const slow = await card.authorize(1_000, 'ATM 005', 'financial_authorization')
  assert.deepEqual([slow.status, pulls(slow)], ['SETTLED', [1, 1_000, 1]])
  assert.deepEqual(await card.balances(card.accountId), { balance: 45_000, totalBalance: 46_000 })
  const slowCredit = await card.authorize(500, 'PAYDAY 005', 'financial_credit_authorization')
  assert.equal(await balanceOf(card), 45_000)
  await advance(own, 31)
  assert.deepEqual(await card.balances(card.accountId), { balance: 45_500, totalBalance: 45_500 })
  assert.deepEqual(pulls(await card.transaction(slow)), [1, 1_000, 0])
  assert.equal((await card.transaction(slowCredit)).status, 'SETTLED')
  const types = (await listEvents(own)).map(({ type }) => type)
  assert.ok(!types.includes('CARD_TRANSACTION.AUTHORIZED'), 'they never show AUTHORIZED')
})

test('section 8 006: the confirmation fails after 5 s, and what was cleared is borne', async () => {
  const own = await kit.platform({ currencies: ['USD'] })
  const card = await newCard(own)
  const bought = await card.authorize(700, 'ODD SHOP 006')
  const single = await card.authorize(300, 'ODD ATM 006', 'financial_authorization')
  const credit = await card.authorize(80, 'ODD 006', 'credit_authorization')
  const singleCredit = await card.authorize(90, 'ODD 006', 'financial_credit_authorization')
  assert.deepEqual(await card.balances(card.accountId), { balance: 49_000, totalBalance: 50_000 })
  await advance(own, 6)
  assert.deepEqual(await card.balances(card.accountId), { balance: 50_000, totalBalance: 50_000 })
  for (const one of [bought, single, credit, singleCredit]) {
    assert.equal((await card.transaction(one)).status, 'EXCEPTION')
  }
  assert.deepEqual(pulls(await card.transaction(bought)), [1, 0, 0])
  const failed = await card.transaction(single)
  assert.deepEqual(
    [pulls(failed), settlements(failed)],
    [
      [1, 0, 0],
      [1, 300],
    ],
  )
  const repaid = await card.creditReturn(single, 300)
  assert.deepEqual([repaid.status, await balanceOf(card)], ['REFUNDED', 50_000])
})

test('CTXN-15 a clearing confirms a pending pull, which then no longer fails', async () => {
  const own = await kit.platform({ currencies: ['USD'] })
  const card = await newCard(own)
  const bought = await card.authorize(700, 'ODD SHOP 006')
  const cleared = await card.clear(bought, 200)
  assert.deepEqual([cleared.status, pulls(cleared)], ['PARTIALLY_SETTLED', [1, 700, 0]])
  const other = await card.authorize(700, 'SLOW SHOP 005')
  const advised = await card.advise(other, 1_000)
  assert.deepEqual(pulls(advised), [2, 1_000, 1])
  assert.deepEqual(pulls(await card.advise(other, 500)), [2, 500, 1], 'held funds are released too')
  assert.deepEqual(await card.balances(card.accountId), { balance: 48_800, totalBalance: 49_300 })
  await advance(own, 31)
  assert.equal((await card.transaction(bought)).status, 'PARTIALLY_SETTLED')
  assert.deepEqual(pulls(await card.transaction(other)), [2, 500, 0])
  assert.deepEqual(await card.balances(card.accountId), { balance: 48_800, totalBalance: 48_800 })
  const fails = await card.authorize(100, 'ODD SHOP 006')
  await card.advise(fails, 150)
  await advance(own, 6)
  assert.deepEqual(pulls(await card.transaction(fails)), [2, 0, 0])
  assert.equal(await balanceOf(card), 48_800, 'nothing stays reserved for it')
})

test('CTXN-20 a week without a clearing or an advice ends an authorization', async () => {
  const own = await kit.platform({ currencies: ['USD'] })
  const card = await newCard(own)
  const bought = await card.authorize(4_000)
  const silent = await card.authorize(10)
  await advance(own, WEEK_SECONDS - 10)
  await card.clear(bought, 1_000)
  await advance(own, 20)
  assert.equal(
    (await card.transaction(bought)).status,
    'PARTIALLY_SETTLED',
    'the week starts again',
  )
  assert.deepEqual(amounts(await card.transaction(silent)), ['SETTLED', 10, 0, undefined])
  await advance(own, WEEK_SECONDS)
  assert.deepEqual(amounts(await card.transaction(bought)), ['SETTLED', 4_000, 1_000, undefined])
  assert.equal(await balanceOf(card), 49_000)
})

test('CTXN-3 CTXN-5 a transaction is found under its own card only', async () => {
  const card = await newCard(p)
  const other = await newCard(p)
  const bought = await card.authorize(100)
  const { id } = bought
  const foreign = await newCard(await kit.platform())
  for (const one of [other, foreign]) {
    const answer = await one.simulate('clearing', { cardTransactionId: id, amount: 1 })
    expectError(answer, 404, 'TRANSACTION_NOT_FOUND')
  }
  for (const cardTransactionId of [
    `CardTransaction:${UNKNOWN}`,
    `Transaction:${id.split(':')[1]}`,
  ]) {
    const answer = await card.simulate('clearing', { cardTransactionId, amount: 1 })
    expectError(answer, 404, 'TRANSACTION_NOT_FOUND')
  }
  const noCard = await p.api.post(`/sandbox/cards/Card:${UNKNOWN}/simulate/clearing`, {
    cardTransactionId: id,
    amount: 1,
  })
  expectError(noCard, 404, 'REFERENCE_NOT_FOUND')
  for (const [kind, body, fields] of [
    ['clearing', { cardTransactionId: 'x', amount: -1 }, ['amount', 'cardTransactionId']],
    ['return', { cardTransactionId: id, amount: 0 }, ['amount']],
    ['authorization_advice', { cardTransactionId: id, amount: 0 }, ['amount']],
    ['return_reversal', {}, ['cardTransactionId']],
  ] as const) {
    expectFields(await card.simulate(kind, body), fields)
  }
})

test('CTXN-4 a transaction that is over is neither advised nor ended, and a credit or a decline is not cleared', async () => {
  const card = await newCard(p)
  const refused = async (transaction: Shown<CardTransaction>, kind: string, amount: number) => {
    const answer = await card.simulate(kind, { cardTransactionId: transaction.id, amount })
    expectFields(answer, ['cardTransactionId'])
    assert.equal(answer.body['details']?.['status'], transaction.status)
  }
  const bought = await card.authorize(100, 'ATM', 'financial_authorization')
  await refused(bought, 'authorization_advice', 1)
  await refused(bought, 'clearing', 0)
  await refused(
    await card.authorize(100, 'PAYDAY', 'financial_credit_authorization'),
    'clearing',
    1,
  )
  const declined = await card.authorize(100, 'SHOP 002')
  for (const kind of ['clearing', 'authorization_advice', 'return'])
    await refused(declined, kind, 1)
})

test('CTXN-21 section 9 every card message moves the times, emits the status after it, and changes nothing else', async () => {
  const own = await kit.platform({ currencies: ['USD'] })
  const card = await newCard(own)
  const bought = await card.authorize(100)
  await advance(own, 5)
  const cleared = await card.clear(bought, 100)
  assert.ok(String(cleared.lastEventAt) > bought.createdAt)
  assert.equal(cleared.updatedAt, cleared.lastEventAt)
  for (const field of [
    'authorizedAt',
    'createdAt',
    'accountId',
    'merchant',
    'issuerTransactionToken',
    'id',
  ] as const) {
    assert.deepEqual(cleared[field], bought[field], field)
  }
  const partly = await card.creditReturn(bought, 40)
  const wholly = await card.creditReturn(bought, 60)
  const events = (await listEvents(own)).filter(({ type }) => type.startsWith('CARD_TRANSACTION.'))
  assert.deepEqual(events.map(({ type, data }) => [type, data]).reverse(), [
    ['CARD_TRANSACTION.AUTHORIZED', bought],
    ['CARD_TRANSACTION.SETTLED', cleared],
    ['CARD_TRANSACTION.SETTLED', partly],
    ['CARD_TRANSACTION.REFUNDED', wholly],
  ])
})

test('CARD-28 CARD-29 after closing nothing more is pulled, but reserved money is cleared and returned', async () => {
  const card = await newCard(p)
  const first = await card.authorize(1_000)
  const second = await card.authorize(1_000)
  const third = await card.authorize(1_000)
  expectStatus(await card.patch({ state: 'CLOSED' }), 200)
  assert.equal((await card.clear(first, 1_000)).status, 'SETTLED')
  const over = await card.clear(second, 1_001)
  assert.deepEqual([over.status, pulls(over)], ['EXCEPTION', [2, 1_000, 0]])
  assert.deepEqual(pulls(await card.advise(third, 1_500)), [2, 1_000, 0])
  assert.equal((await card.clear(third, 0)).status, 'SETTLED')
  assert.equal((await card.creditReturn(first, 1_000)).status, 'REFUNDED')
  assert.equal((await card.reverse(first)).status, 'SETTLED')
  assert.equal(await balanceOf(card), 48_000)
})
