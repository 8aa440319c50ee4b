import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CardTransaction } from '../../../../../sdk/src/index.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  type HasId,
  type Shown,
} from '../../../../test/kit/api.ts'
import { advance, fund, MERCHANT, newCard, type CardUnderTest } from '../../../../test/kit/cards.ts'
import { listEvents } from '../../../../test/kit/customers.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import * as payments from '../../../../test/kit/payments.ts'
import { addMs } from '../../../kernel/clock.ts'
import { HOUSE_PLATFORM_IDS } from '../../../kernel/platform.ts'
import { findPlatform } from '../../../infra/platforms.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import { readLastRate, readRates } from '../../rates/index.ts'

const kit = await startOwnKit()
const p = await kit.platform({ currencies: ['USD', 'EUR', 'MXN', 'USDC'] })
const WEEK_SECONDS = 604_800

const shown = (transaction: Shown<CardTransaction>): unknown[] => [
  transaction.status,
  transaction.settlementSummary?.count,
  transaction.settlementSummary?.totalAmount,
  transaction.pullSummary?.count,
  transaction.pullSummary?.totalAmount,
]
const balanceOf = async (card: CardUnderTest): Promise<number> =>
  (await card.balances(card.accountId)).balance
const shortfallOf = async (transaction: HasId): Promise<unknown> =>
  (await operate(kit, `card-exceptions show ${transaction.id}`))['shortfall']?.['amount']

/** What was booked for a transaction: type, then account and amount by currency. */
async function booked({ id }: HasId): Promise<string[]> {
  const rows = await kit.florin.deps.db.read.many<Record<string, string>>(
    sql`select j.type, regexp_replace(e.account, ':.*:', ':') as account, e.currency, e.amount::text
        from ledger_journals j join ledger_entries e using (platform_id)
        where e.journal_id = j.id and j.reference like ${`${id.split(':')[1]}/%`} order by e.position`,
  )
  return rows.map((row) =>
    [row['type'], row['account']?.split(/:[0-9a-f]{8}-/)[0], row['currency'], row['amount']].join(
      ' ',
    ),
  )
}

test('CTXN-18 a second clearing takes exactly its amount by one further pull', async () => {
  const card = await newCard(p, { card: { maxSpendPerTransaction: 2_000 } })
  const bought = await card.authorize(2_000)
  await card.clear(bought, 2_000)
  const second = await card.clear(bought, 300)
  assert.deepEqual(shown(second), ['SETTLED', 2, 2_300, 2, 2_300])
  assert.equal(second.authorizedAmount.amount, 2_000)
  assert.equal(await balanceOf(card), 47_700)
  const large = await card.clear(bought, 5_000)
  assert.deepEqual(shown(large), ['SETTLED', 3, 7_300, 3, 7_300], 'no limit decides a clearing')
  const returned = await card.creditReturn(bought, 7_300)
  assert.equal(returned.status, 'REFUNDED', 'returns count against the new sum')
  const after = await card.clear(bought, 100)
  assert.deepEqual(shown(after), ['SETTLED', 4, 7_400, 4, 7_400])
  assert.equal((await card.creditReturn(bought, 100)).status, 'REFUNDED')
  assert.equal(await balanceOf(card), 50_000)
})

test('CTXN-18 CTXN-20 a late clearing, after the week and after a clearing of 0', async () => {
  const own = await kit.platform({ currencies: ['USD'] })
  const card = await newCard(own)
  const [expired, ended] = [await card.authorize(1_000), await card.authorize(500)]
  await card.clear(ended, 0)
  await advance(own, WEEK_SECONDS + 1)
  assert.equal(await balanceOf(card), 50_000)
  assert.deepEqual(shown(await card.clear(expired, 1_000)), ['SETTLED', 1, 1_000, 2, 1_000])
  assert.deepEqual(shown(await card.clear(ended, 500)), ['SETTLED', 1, 500, 2, 500])
  assert.equal(await balanceOf(card), 48_500)
  const emitted = (await listEvents(own, 'CARD_TRANSACTION.SETTLED')).map(({ data }) => shown(data))
  assert.deepEqual(emitted[0], ['SETTLED', 1, 500, 2, 500])
  await advance(own, WEEK_SECONDS + 1)
  assert.equal(await balanceOf(card), 48_500, 'what is over does not end again')
})

test('CTXN-18 K3f a further clearing that cannot be pulled is booked, counted and borne', async () => {
  const card = await newCard(p, { funds: 1_000 })
  const bought = await card.authorize(900, 'ATM', 'financial_authorization')
  const short = await card.clear(bought, 101)
  assert.deepEqual(shown(short), ['EXCEPTION', 2, 1_001, 2, 900])
  assert.equal(await balanceOf(card), 100)
  const pulled = await card.clear(bought, 60)
  assert.deepEqual(shown(pulled), ['EXCEPTION', 3, 1_061, 3, 960], 'its shortfall is not repaid')
  assert.equal(await shortfallOf(bought), 101)
  const again = await card.clear(bought, 41)
  assert.deepEqual(shown(again), ['EXCEPTION', 4, 1_102, 4, 960])
  assert.equal(await shortfallOf(bought), 142)
  await fund(p, card.accountId, 102)
  const recovered = await operate<Shown<CardTransaction>>(kit, `cards retry-pull ${bought.id}`)
  assert.deepEqual(shown(recovered), ['SETTLED', 4, 1_102, 5, 1_102])
  assert.equal(await balanceOf(card), 0)
})

test('CTXN-18 an exception without a shortfall stays one, too; a return ends it', async () => {
  const own = await kit.platform({ currencies: ['USD'] })
  const card = await newCard(own)
  const bought = await card.authorize(700, 'ODD SHOP 006')
  await advance(own, 6)
  assert.deepEqual(shown(await card.clear(bought, 700)), ['EXCEPTION', 1, 700, 2, 700])
  assert.equal(await balanceOf(card), 49_300)
  assert.equal((await card.creditReturn(bought, 700)).status, 'REFUNDED')
})

test('CTXN-15 CTXN-18 a second clearing confirms what one message cleared', async () => {
  const own = await kit.platform({ currencies: ['USD'] })
  const card = await newCard(own)
  const bought = await card.authorize(700, 'ODD ATM 006', 'financial_authorization')
  assert.deepEqual(shown(await card.clear(bought, 50)), ['SETTLED', 2, 750, 2, 750])
  assert.deepEqual(await booked(bought), [
    'card.pull_held IA:available USD -700',
    'card.pull_held IA:held USD 700',
    'card.pull_confirmed IA:held USD -700',
    'card.pull_confirmed CARD_RESERVE USD 700',
    'card.cleared CARD_RESERVE USD -700',
    'card.cleared CARD_NETWORK USD 700',
    'card.pulled IA:available USD -50',
    'card.pulled CARD_RESERVE USD 50',
    'card.cleared CARD_RESERVE USD -50',
    'card.cleared CARD_NETWORK USD 50',
  ])
  await advance(own, 6)
  assert.deepEqual(shown(await card.transaction(bought)), ['SETTLED', 2, 750, 2, 750])
  assert.deepEqual(await card.balances(card.accountId), { balance: 49_250, totalBalance: 49_250 })
})

test('CTXN-18 CARD-29 after closing a second clearing is borne; frozen it is pulled', async () => {
  const card = await newCard(p)
  const bought = await card.authorize(100, 'ATM', 'financial_authorization')
  expectStatus(await card.patch({ state: 'FROZEN' }), 200)
  assert.deepEqual(shown(await card.clear(bought, 10)), ['SETTLED', 2, 110, 2, 110])
  expectStatus(await card.patch({ state: 'CLOSED' }), 200)
  assert.deepEqual(shown(await card.clear(bought, 10)), ['EXCEPTION', 3, 120, 3, 110])
  const forced = await card.forcePost(10)
  assert.deepEqual(shown(forced), ['EXCEPTION', 1, 10, 1, 0])
  assert.equal(await balanceOf(card), 49_890)
})

test('CTXN-18 CTXN-19 from an account that is frozen nothing is pulled', async () => {
  const card = await newCard(p)
  const bought = await card.authorize(100, 'ATM', 'financial_authorization')
  await operate(kit, `accounts freeze ${card.accountId}`)
  assert.deepEqual(shown(await card.clear(bought, 10)), ['EXCEPTION', 2, 110, 2, 100])
  assert.deepEqual(shown(await card.forcePost(10)), ['EXCEPTION', 1, 10, 1, 0])
})

test('CTXN-19 a force post is a transaction of its own', async () => {
  const own = await kit.platform({ currencies: ['USD'] })
  const card = await newCard(own, { card: { maxSpendPerTransaction: 1 } })
  const merchant = { descriptor: 'DUTY FREE 002', mcc: '5309', country: 'FR' }
  const posted = await card.forcePost(700, { merchant })
  assert.deepEqual(
    shown(posted),
    ['SETTLED', 1, 700, 1, 700],
    'neither limit nor suffix decides it',
  )
  assert.deepEqual(
    [posted.direction, posted.accountId, posted.merchant, posted.cardId],
    ['DEBIT', card.accountId, merchant, card.id],
  )
  assert.equal(posted.authorizedAmount.amount, 0)
  assert.equal(posted.settledAmount?.amount, 700)
  assert.equal(posted.authorizedAt, posted.createdAt)
  assert.ok(!('lastEventAt' in posted))
  assert.equal(await balanceOf(card), 49_300)
  assert.deepEqual(await booked(posted), [
    'card.pulled IA:available USD -700',
    'card.pulled CARD_RESERVE USD 700',
    'card.cleared CARD_RESERVE USD -700',
    'card.cleared CARD_NETWORK USD 700',
  ])
  const short = await card.forcePost(60_000)
  assert.deepEqual(shown(short), ['EXCEPTION', 1, 60_000, 1, 0])
  assert.notEqual(short.issuerTransactionToken, posted['issuerTransactionToken'])
  assert.equal(await balanceOf(card), 49_300)
  const { data } = expectStatus(
    await own.api.get('/transactions', { query: { cardId: card.id } }),
    200,
  )
  assert.deepEqual(data, [short, posted])
  const events = (await listEvents(own)).filter(({ type }) => type.startsWith('CARD_T'))
  assert.deepEqual(
    events.map(({ type, data: emitted }) => [type, emitted?.['id']]),
    [
      ['CARD_TRANSACTION.EXCEPTION', short.id],
      ['CARD_TRANSACTION.SETTLED', posted['id']],
    ],
  )
  assert.equal((await card.creditReturn(posted, 700)).status, 'REFUNDED')
  assert.deepEqual(shown(await card.clear(posted, 5)), ['SETTLED', 2, 705, 2, 705])
})

test('CTXN-19 CTXN-5 a force post needs an amount, a merchant and an activated card', async () => {
  const card = await newCard(p)
  const refused = async (body: object, fields: readonly string[]) =>
    expectFields(await card.simulate('clearing', body), fields)
  await refused({ amount: 5 }, ['cardTransactionId'])
  await refused({ amount: 0, merchant: MERCHANT }, ['amount'])
  await refused({ amount: -1, merchant: MERCHANT }, ['amount'])
  await refused({ amount: 5, merchant: { mcc: 'x' } }, ['merchant.descriptor', 'merchant.mcc'])
  await refused({ amount: 5, merchant: 'SHOP' }, ['merchant'])
  await refused({ amount: 5, currency: 'EUR', merchant: MERCHANT }, ['currency'])
  const bought = await card.authorize(100)
  const named = await card.simulate('clearing', {
    cardTransactionId: bought.id,
    amount: 100,
    merchant: { descriptor: 7 },
  })
  assert.deepEqual(expectStatus(named, 202).merchant, MERCHANT, 'with an id it is ignored')
  const waiting = await newCard(p, { platformCustomerId: 'force-001' })
  const early = await waiting.simulate('clearing', { amount: 5, merchant: MERCHANT })
  assert.equal(expectError(early, 400, 'INVALID_INPUT')['state'], 'PROCESSING')
  const rejected = await newCard(p, { platformCustomerId: 'force-002' })
  const never = await rejected.simulate('clearing', { amount: 5, merchant: MERCHANT })
  assert.equal(expectError(never, 400, 'INVALID_INPUT')['state'], 'CLOSED')
})

test('CTXN-19 CORE-41 a force post under one key is posted once', async () => {
  const card = await newCard(p)
  const path = `/sandbox/cards/${card.id}/simulate/clearing` as const
  const options = { headers: { 'Idempotency-Key': 'forced-once' } }
  const body = { amount: 40, merchant: MERCHANT }
  const first = expectStatus(await p.api.post(path, body, options), 202)
  assert.deepEqual(expectStatus(await p.api.post(path, body, options), 202), first)
  assert.equal(await balanceOf(card), 49_960)
})

const FEE_CONFIG = {
  feeType: 'CROSS_CURRENCY_TRANSACTION',
  sourceCurrency: 'USD',
  variableFeeBps: 30,
  fixedFee: { amount: 50, currency: 'USD' },
}

test('CTXN-22 K8 a clearing in another currency costs what a quote for it would ask', async () => {
  const own = await kit.platform({ currencies: ['USD', 'EUR'] })
  const card = await newCard(own)
  const bought = await card.authorize(5_000)
  const partly = await card.clear(bought, 4_000, 'EUR')
  assert.deepEqual(shown(partly), ['PARTIALLY_SETTLED', 1, 4_370, 1, 5_000])
  assert.deepEqual((await booked(bought)).slice(2), [
    'card.cleared CARD_RESERVE USD -4370',
    'card.cleared REVENUE:fees USD 22',
    'card.cleared FX USD 4348',
    'card.cleared FX EUR -4000',
    'card.cleared CARD_NETWORK EUR 4000',
  ])
  const entries = items(await operate(kit, 'audit list', '--resource', bought.id))
  const kept = entries.find(({ action }) => action === ('clearForeignAmount' as unknown))
  assert.equal(kept?.['note'], '4000 EUR for 4370 USD')
  expectStatus(await own.api.patch('/config', { feeConfigs: [FEE_CONFIG] }), 200)
  const to = await payments.payee(own, 'EUR_ACCOUNT')
  const platformAccount = await payments.platformAccount(own, 'USD')
  const amount = 862
  const quoted = expectStatus(
    await payments.quote(own, { from: card.accountId, to, amount, side: 'RECEIVING' }),
    201,
  )
  const asked = Number(quoted.totalSendingAmount)
  const fee = Number(quoted.platformFeesIncluded)
  assert.ok(fee > 50)
  const forced = await card.forcePost(amount, { currency: { code: 'EUR' } })
  assert.deepEqual(shown(forced), ['SETTLED', 1, asked, 1, asked])
  assert.equal(await payments.balanceOf(own, platformAccount), fee, 'the platform earns its fee')
  const short = await card.forcePost(90_000, { currency: { code: 'EUR' } })
  assert.equal(short.status, 'EXCEPTION')
  assert.equal(short.settledAmount?.currency.code, 'USD')
  assert.equal(await shortfallOf(short), short.settledAmount.amount)
  assert.ok((await booked(short)).includes('card.cleared_short CARD_NETWORK EUR 90000'))
})

test('CTXN-22 the card’s currency, dollars on dollar coins and an amount of 0 need no price; a pair without one is refused', async () => {
  const card = await newCard(p)
  const bought = await card.authorize(500)
  assert.deepEqual(shown(await card.clear(bought, 200, 'USD')).slice(0, 3), [
    'PARTIALLY_SETTLED',
    1,
    200,
  ])
  const clearing = (body: object) =>
    card.simulate('clearing', { cardTransactionId: bought.id, amount: 1, ...body })
  expectError(await clearing({ currency: { code: 'XYZ' } }), 400, 'INVALID_CURRENCY')
  const vast = await clearing({ amount: 9_000_000_000_000_000, currency: { code: 'EUR' } })
  expectError(vast, 400, 'AMOUNT_OUT_OF_RANGE')
  const credit = await card.authorize(100, 'PAYDAY', 'credit_authorization')
  const foreignCredit = await clearing({
    cardTransactionId: credit.id,
    currency: { code: 'EUR' },
  })
  expectError(foreignCredit, 400, 'INVALID_CURRENCY')
  assert.equal((await card.clear(bought, 0, 'MXN')).status, 'SETTLED')
  const { accounts } = card
  await fund(p, accounts['USDC'] ?? '', 50_000_000)
  const issued = expectStatus(
    await p.api.post('/cards', {
      customerId: card.customerId,
      form: 'VIRTUAL',
      fundingSource: accounts['USDC'],
    }),
    201,
  )
  const path = `/sandbox/cards/${issued.id}/simulate/clearing` as const
  const paid = await p.api.post(path, {
    amount: 1_000,
    currency: { code: 'USD' },
    merchant: MERCHANT,
  })
  assert.deepEqual(shown(expectStatus(paid, 202)), ['SETTLED', 1, 10_000_000, 1, 10_000_000])
})

test('CTXN-22 RATE-11 a stale price is used, the last known one', async () => {
  const { db, clock } = kit.florin.deps
  await operate(kit, 'rates set --price SEK=10.5')
  const platform = await findPlatform(db.read, HOUSE_PLATFORM_IDS.PRODUCTION)
  assert.ok(platform)
  const ports = kit.florin.deps.providers.portsOf(platform)
  const now = addMs(clock.now(), 3_600_000)
  const wanted = { platform, now, ports, sending: 'USD', receiving: 'SEK' }
  const pair = { platformId: platform.id, sending: 'USD', receiving: 'SEK' }
  assert.equal((await readRates(db.read, [wanted])).rateOf(pair), undefined)
  const rate = await readLastRate(db.read, wanted)
  assert.deepEqual([rate?.numerator, rate?.denominator], [21n, 2n])
  assert.equal(await readLastRate(db.read, { ...wanted, receiving: 'BWP' }), undefined)
})
