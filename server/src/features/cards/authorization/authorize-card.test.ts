import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CardTransaction } from '../../../../../sdk/src/index.ts'
import { expectError, expectFields, expectStatus, type Shown } from '../../../../test/kit/api.ts'
import { fund, MERCHANT, newCard, USD } from '../../../../test/kit/cards.ts'
import { listEvents } from '../../../../test/kit/customers.ts'
import { startKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { inPlatform } from '../../../operator/in-platform.ts'
import { mustParseId, parseId } from '../../../kernel/ids.ts'
import { lockCustomer, moveStatus } from '../../customers/index.ts'
import { freezeAccount } from '../../internal-accounts/index.ts'
import { listFundingSources, saveDelegatedKey } from '../index.ts'

const kit = await startKit()
const p = await kit.platform({ currencies: ['USD', 'EUR', 'USDC', 'USDB'] })
const UNKNOWN = '01994d2e-7c1a-7f00-8000-0000000000ff'

const outcome = ({ status, declineReason }: Shown<CardTransaction>): unknown[] => [
  status,
  declineReason,
]
const summaries = ({
  pullSummary,
  settlementSummary,
  refundSummary,
}: Shown<CardTransaction>): unknown => ({
  pulls: pullSummary,
  settlements: settlementSummary,
  refunds: refundSummary,
})
const NOTHING = {
  pulls: { count: 0, totalAmount: 0, pendingCount: 0 },
  settlements: { count: 0, totalAmount: 0 },
  refunds: { count: 0, totalAmount: 0 },
}

test('AUTHZ-10 an authorization pulls what it asks for, up to the last cent', async () => {
  const card = await newCard(p)
  const short = await card.authorize(50_001)
  assert.deepEqual(outcome(short), ['DECLINED', 'INSUFFICIENT_FUNDS'])
  const all = await card.authorize(50_000)
  assert.equal(all.status, 'AUTHORIZED')
  assert.deepEqual(await card.balances(card.accountId), { balance: 0, totalBalance: 0 })
  assert.deepEqual(all.pullSummary, { count: 1, totalAmount: 50_000, pendingCount: 0 })
  assert.equal(all.direction, 'DEBIT')
  assert.equal(all.createdAt, all.authorizedAt)
  assert.equal(all.accountId, card.accountId)
  for (const field of ['settledAmount', 'refundedAmount', 'lastEventAt', 'declineReason']) {
    assert.ok(!(field in all), field)
  }
})

test('AUTHZ-24 CTXN-1 CTXN-2 a decline moves nothing, is stored and emitted, and is listed only under its status', async () => {
  const own = await kit.platform({ currencies: ['USD'] })
  const card = await newCard(own, { funds: 10 })
  const declined = await card.authorize(11)
  assert.deepEqual(summaries(declined), NOTHING)
  assert.equal(declined.authorizedAmount.amount, 11)
  assert.equal((await card.balances(card.accountId)).balance, 10)
  assert.deepEqual(await card.transaction(declined), declined)
  const list = async (query: Record<string, string>): Promise<unknown[]> =>
    expectStatus(await own.api.get('/transactions', { query }), 200).data.map(({ id }) => id)
  assert.deepEqual(await list({ type: 'CARD' }), [])
  assert.deepEqual(await list({ status: 'DECLINED' }), [declined.id])
  const approved = await card.authorize(10)
  assert.deepEqual(await list({ cardId: card.id }), [approved.id])
  assert.deepEqual(await list({ accountIdentifier: card.accountId, type: 'CARD' }), [approved.id])
  assert.deepEqual(await list({ senderAccountIdentifier: card.accountId }), [approved.id])
  assert.deepEqual(await list({ status: 'AUTHORIZED' }), [approved.id])
  const [event] = await listEvents(own, 'CARD_TRANSACTION.DECLINED')
  assert.deepEqual(event?.data, declined)
  for (const [kind, body] of [
    ['clearing', { amount: 1 }],
    ['authorization_advice', { amount: 1 }],
    ['return', { amount: 1 }],
    ['return_reversal', {}],
  ] as const) {
    const answer = await card.simulate(kind, { cardTransactionId: declined.id, ...body })
    expectFields(answer, ['cardTransactionId'])
    assert.equal(answer.body.details?.['status'], 'DECLINED')
  }
})

test('AUTHZ-1 AUTHZ-2 AUTHZ-3 the state of the card decides first', async () => {
  const waiting = await newCard(p, { platformCustomerId: 'waits-001' })
  assert.deepEqual(outcome(await waiting.authorize(1)), ['DECLINED', 'CARD_NOT_ACTIVE'])
  const card = await newCard(p)
  expectStatus(await card.patch({ state: 'FROZEN' }), 200)
  assert.deepEqual(outcome(await card.authorize(999_999, 'X 002')), ['DECLINED', 'CARD_PAUSED'])
  const credit = await card.authorize(5, 'SHOP', 'credit_authorization')
  assert.deepEqual(outcome(credit), ['DECLINED', 'CARD_PAUSED'])
  const advice = await card.authorize(5, 'SHOP', 'credit_authorization_advice')
  assert.equal(advice.status, 'AUTHORIZED', 'an advice only informs')
  expectStatus(await card.patch({ state: 'CLOSED' }), 200)
  assert.deepEqual(outcome(await card.authorize(1)), ['DECLINED', 'CARD_CLOSED'])
  const late = await card.authorize(5, 'SHOP', 'credit_authorization_advice')
  assert.deepEqual(outcome(late), ['DECLINED', 'CARD_CLOSED'])
})

test('AUTHZ-5 a cardholder that is no longer approved is declined', async () => {
  const card = await newCard(p)
  const customerId = mustParseId('customer', card.customerId)
  const place = { platformId: p.platformId, action: 'test' }
  await inPlatform(kit.florin.deps, place, async (work) => {
    await moveStatus(work, await lockCustomer(work, customerId), { event: 'hold' })
  })
  assert.deepEqual(outcome(await card.authorize(1, 'X 002')), ['DECLINED', 'CARDHOLDER_INELIGIBLE'])
})

test('AUTHZ-8 CARD-31 CARD-28 a frozen account declines, and purchases that it paid before continue', async () => {
  const card = await newCard(p)
  const [first, second] = [await card.authorize(1_000), await card.authorize(1_000)]
  const accountId = mustParseId('internalAccount', card.accountId)
  const place = { platformId: p.platformId, action: 'test' }
  await inPlatform(kit.florin.deps, place, (work) => freezeAccount(work, accountId))
  assert.equal((await card.read()).state, 'ACTIVE')
  for (const kind of ['authorization', 'credit_authorization'] as const) {
    const answer = await card.authorize(1, 'SHOP', kind)
    assert.deepEqual(outcome(answer), ['DECLINED', 'FUNDING_SOURCE_UNAVAILABLE'])
  }
  assert.equal((await card.clear(first, 1_000)).status, 'SETTLED')
  assert.equal((await card.creditReturn(first, 1_000)).status, 'REFUNDED')
  assert.equal((await card.clear(second, 1_001)).status, 'EXCEPTION', 'nothing more is pulled')
})

test('AUTHZ-6 CARD-26 the limit binds debits, equal allowed, from the next decision on', async () => {
  const card = await newCard(p, { card: { maxSpendPerTransaction: 5_000 } })
  assert.equal((await card.authorize(5_000)).status, 'AUTHORIZED')
  const above = await card.authorize(5_001, 'X 003')
  assert.deepEqual(outcome(above), ['DECLINED', 'SPENDING_LIMIT_EXCEEDED'])
  const credit = await card.authorize(5_001, 'SHOP', 'credit_authorization')
  assert.equal(credit.status, 'AUTHORIZED')
  expectStatus(await card.patch({ maxSpendPerTransaction: null }), 200)
  assert.equal((await card.authorize(5_001)).status, 'AUTHORIZED')
})

test('AUTHZ-25 a credit is checked against the card, its cardholder and the account, not against limit or balance', async () => {
  const credits = ['credit_authorization', 'credit_authorization_advice'] as const
  const kinds = [...credits, 'financial_credit_authorization'] as const
  const card = await newCard(p, { funds: 0, card: { maxSpendPerTransaction: 1 } })
  const all = async () =>
    Promise.all(kinds.map(async (kind) => outcome(await card.authorize(5_000, 'SHOP', kind))))
  const [authorized, settled] = [
    ['AUTHORIZED', undefined],
    ['SETTLED', undefined],
  ] as const
  assert.deepEqual(await all(), [authorized, authorized, settled])
  assert.equal((await card.balances(card.accountId)).balance, 5_000)
  await operate(kit, `accounts freeze ${card.accountId}`)
  const unavailable = ['DECLINED', 'FUNDING_SOURCE_UNAVAILABLE']
  assert.deepEqual(await all(), [unavailable, unavailable, unavailable])
  await operate(kit, `accounts unfreeze ${card.accountId}`)
  expectStatus(await card.patch({ state: 'FROZEN' }), 200)
  const paused = ['DECLINED', 'CARD_PAUSED']
  assert.deepEqual(await all(), [paused, authorized, paused])
  expectStatus(await card.patch({ state: 'CLOSED' }), 200)
  const closed = ['DECLINED', 'CARD_CLOSED']
  assert.deepEqual(await all(), [closed, closed, closed])
  assert.equal((await card.balances(card.accountId)).balance, 5_000)
})

test('AUTHZ-7 section 8 a suffix declines what would have been approved', async () => {
  const card = await newCard(p)
  for (const kind of [
    'authorization',
    'financial_authorization',
    'credit_authorization',
    'credit_authorization_advice',
    'financial_credit_authorization',
  ] as const) {
    assert.deepEqual(outcome(await card.authorize(1, 'X 002', kind)), [
      'DECLINED',
      'INSUFFICIENT_FUNDS',
    ])
    assert.deepEqual(outcome(await card.authorize(1, 'X 003', kind)), ['DECLINED', 'CARD_PAUSED'])
  }
  assert.deepEqual(outcome(await card.authorize(50_001, 'X 005')), [
    'DECLINED',
    'INSUFFICIENT_FUNDS',
  ])
  assert.equal((await card.authorize(1, 'X 002 ')).status, 'AUTHORIZED', 'exactly the last three')
})

test('AUTHZ-22 dollars are converted for cards in dollar coins, other currencies refused', async () => {
  const holder = await newCard(p)
  const usdc = holder.accounts['USDC'] ?? ''
  await fund(p, usdc, 20_000_000)
  const made = expectStatus(
    await p.api.post('/cards', {
      customerId: holder.customerId,
      form: 'VIRTUAL',
      fundingSource: usdc,
    }),
    201,
  )
  const path = `/sandbox/cards/${made.id}/simulate/authorization` as const
  const body = { amount: 1_250, currency: { code: 'USD', decimals: 'ignored' }, merchant: MERCHANT }
  const bought = expectStatus(await p.api.post(path, body), 202)
  assert.equal(bought.authorizedAmount.amount, 12_500_000)
  assert.equal(bought.authorizedAmount.currency.code, 'USDC')
  assert.equal((await holder.balances(usdc)).balance, 7_500_000)
  const euros = await p.api.post(path, { ...body, currency: { code: 'EUR' } })
  expectError(euros, 400, 'INVALID_CURRENCY')
  const toDollars = await holder.simulate('authorization', { ...body, currency: { code: 'USDC' } })
  expectError(toDollars, 400, 'INVALID_CURRENCY')
  const huge = await p.api.post(path, { ...body, amount: 9_000_000_000_000_000 })
  expectError(huge, 400, 'AMOUNT_OUT_OF_RANGE')
})

test('AUTHZ-23 an authorization is refused by the fields it lacks or gets wrong', async () => {
  const card = await newCard(p)
  const good = { amount: 1, currency: USD, merchant: MERCHANT }
  const cases: readonly (readonly [object, readonly string[]])[] = [
    [{ amount: 0 }, ['amount']],
    [{ amount: 1.5 }, ['amount']],
    [{ amount: '1' }, ['amount']],
    [{ amount: 9_000_000_000_000_001 }, ['amount']],
    [{ currency: {} }, ['currency.code']],
    [{ currency: { code: 1 } }, ['currency.code']],
    [{ merchant: {} }, ['merchant.descriptor']],
    [{ merchant: { descriptor: '' } }, ['merchant.descriptor']],
    [{ merchant: { descriptor: 'x'.repeat(256) } }, ['merchant.descriptor']],
    [{ merchant: { ...MERCHANT, mcc: '581' } }, ['merchant.mcc']],
    [{ merchant: { ...MERCHANT, country: 'USA' } }, ['merchant.country']],
  ]
  for (const [change, fields] of cases) {
    expectFields(await card.simulate('authorization', { ...good, ...change }), fields)
  }
  const descriptor = '  Café ☕ ümlaut\t '
  const kept = await card.authorize(1, descriptor)
  assert.equal(kept.merchant.descriptor, descriptor)
  const missing = await p.api.post(`/sandbox/cards/Card:${UNKNOWN}/simulate/authorization`, good)
  expectError(missing, 404, 'REFERENCE_NOT_FOUND')
})

test('AUTHZ-26 a balance inquiry is decided without an amount and stores nothing', async () => {
  const own = await kit.platform({ currencies: ['USD'] })
  const card = await newCard(own, { funds: 700, card: { maxSpendPerTransaction: 1 } })
  const before = (await listEvents(own)).length
  const ask = (descriptor: string) => card.inquire({ descriptor })
  const { issuerTransactionToken, ...answer } = await ask('ATM 005')
  assert.match(issuerTransactionToken, /^[0-9a-f-]{36}$/)
  assert.equal(answer.outcome, 'APPROVED')
  assert.equal(answer.availableBalance?.amount, 700)
  for (const [suffix, reason] of [
    ['002', 'INSUFFICIENT_FUNDS'],
    ['003', 'CARD_PAUSED'],
  ] as const) {
    const refused = await ask(`ATM ${suffix}`)
    assert.deepEqual([refused.outcome, refused.declineReason], ['DECLINED', reason])
    assert.ok(!('availableBalance' in refused), 'a declined inquiry shows no balance')
  }
  assert.equal((await listEvents(own)).length, before)
})

test('AUTHZ-27 a replay neither decides nor pulls again', async () => {
  const card = await newCard(p)
  const body = { amount: 600, currency: USD, merchant: MERCHANT }
  const headers = { 'Idempotency-Key': 'authz-27' }
  const path = `/sandbox/cards/${card.id}/simulate/authorization` as const
  const first = await p.api.post(path, body, { headers })
  const again = await p.api.post(path, body, { headers })
  assert.deepEqual(again.body, first.body)
  assert.equal((await card.balances(card.accountId)).balance, 49_400)
})

test('CORE-22 a production token cannot simulate', async () => {
  const live = await kit.platform({ environment: 'PRODUCTION' })
  const body = { amount: 600, currency: USD, merchant: MERCHANT }
  const answer = await live.api.post(`/sandbox/cards/Card:${UNKNOWN}/simulate/authorization`, body)
  expectError(answer, 403, 'FORBIDDEN')
})

test('AUTHZ-9 CARD-32 a wallet funds a card only while its delegated key is active', async () => {
  const holder = await newCard(p)
  const wallet = holder.accounts['USDB'] ?? ''
  await fund(p, wallet, 5_000_000)
  const requested = { customerId: holder.customerId, form: 'VIRTUAL', fundingSource: wallet }
  const made = expectStatus(await p.api.post('/cards', requested), 201)
  const path = `/sandbox/cards/${made.id}/simulate` as const
  const body = { amount: 100, currency: USD, merchant: MERCHANT }
  const buy = async () => expectStatus(await p.api.post(`${path}/authorization`, body), 202)
  assert.deepEqual(outcome(await buy()), ['DECLINED', 'FUNDING_SOURCE_NOT_AUTHORIZED'])
  const credit = expectStatus(await p.api.post(`${path}/credit_authorization`, body), 202)
  assert.equal(credit.status, 'AUTHORIZED', 'a credit needs no key')
  const cardId = mustParseId('card', made.id)
  const place = { platformId: p.platformId, action: 'test' }
  const setKey = (isActive: boolean) =>
    inPlatform(kit.florin.deps, place, async ({ tx, platform }) => {
      const [source] = await listFundingSources(tx, platform.id, cardId)
      assert.ok(source && parseId('card', made.id) === source.cardId)
      await saveDelegatedKey(tx, platform.id, { fundingSourceId: source.id, isActive })
    })
  await setKey(true)
  assert.equal((await buy()).status, 'AUTHORIZED')
  await setKey(false)
  assert.deepEqual(outcome(await buy()), ['DECLINED', 'FUNDING_SOURCE_NOT_AUTHORIZED'])
})
