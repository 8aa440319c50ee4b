/** Chapter 40, section 11: the acceptance scenarios of cards. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CardTransaction } from '../../../sdk/src/index.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  text,
  type HasId,
  type Shown,
} from '../kit/api.ts'
import { advance, issueCard, newCard, newCardholder } from '../kit/cards.ts'
import { connect, openReceiver } from '../kit/outside/connect-receiver.ts'
import { createCustomer } from '../kit/customers.ts'
import { eventually } from '../kit/eventually.ts'
import { startKit } from '../kit/florin.ts'

const kit = await startKit()
const { origin } = new URL(kit.baseUrl)
const receiver = await openReceiver()

/** S: a platform with USD, EUR, MXN and USDC; Mira Aldana with 50,000 and an active card. */
async function setup(card: object = {}) {
  const p = await kit.platform({ currencies: ['USD', 'EUR', 'MXN', 'USDC'] })
  const own = await newCard(p, { card })
  const balance = async (): Promise<number> => (await own.balances(own.accountId)).balance
  return { p, balance, ...own }
}

const pulls = ({ pullSummary }: Shown<CardTransaction>): unknown[] => [
  pullSummary?.count,
  pullSummary?.totalAmount,
  pullSummary?.pendingCount,
]
const outcome = ({ status, declineReason }: Shown<CardTransaction>): unknown[] => [
  status,
  declineReason,
]
/** The statuses by which the receiver was told of a transaction, in order. */
const emitted = ({ id }: HasId): string[] =>
  receiver.deliveries
    .filter(({ event }) => event.data?.['id'] === id)
    .map(({ event }) => event.type)

test('scenario 1: a card is issued, activated and told of', async () => {
  const p = await kit.platform()
  await connect(p, receiver)
  const { customerId, accounts } = await newCardholder(p)
  const body = { customerId, form: 'VIRTUAL', fundingSource: accounts['USD'] }
  const made = expectStatus(await p.api.post('/cards', body), 201)
  assert.equal(made.state, 'PROCESSING')
  assert.equal('last4' in made, false)
  const card = await eventually(async () => {
    const read = expectStatus(await p.api.get(`/cards/${made.id}`), 200)
    assert.equal(read.state, 'ACTIVE')
    return read
  })
  assert.match(text(card.last4), /^\d{4}$/)
  assert.equal(card.currency, 'USD')
  await eventually(() => {
    const delivery = receiver.ofType('CARD.STATE_CHANGE').at(-1)
    assert.equal(delivery?.event.data['state'], 'ACTIVE')
  })
})

test('scenarios 2 to 4: the other names, an unverified holder, accounts that do not fit', async () => {
  const { p, customerId, accounts } = await setup()
  const body = { cardholderId: customerId, form: 'VIRTUAL', fundingSources: [accounts['USD']] }
  const answer = await p.api.post('/cards', { ...body, platformCardId: 'mine' })
  assert.notEqual(expectStatus(answer, 201).platformCardId, 'mine')
  assert.equal(answer.headers.get('ignored-fields'), 'platformCardId')
  const pia = await createCustomer(p, { fullName: 'Pia Ohne 001' })
  const refused = await p.api.post('/cards', { ...body, cardholderId: pia.id })
  expectError(refused, 400, 'CARDHOLDER_KYC_NOT_APPROVED')
  const query = { customerId: pia.id }
  assert.deepEqual(expectStatus(await p.api.get('/cards', { query }), 200).data, [])
  const other = await newCardholder(p)
  for (const [account, reason] of [
    [accounts['MXN'], 'CURRENCY_NOT_ELIGIBLE'],
    [other.accounts['USD'], 'NOT_OWNED'],
  ]) {
    const ineligible = await p.api.post('/cards', { ...body, fundingSources: [account] })
    const details = expectError(ineligible, 400, 'FUNDING_SOURCE_INELIGIBLE')
    assert.equal(details['reason'], reason)
  }
})

test('scenarios 5 to 7: a coffee, its tip, its returns, and a return that never was', async () => {
  const { p, balance, authorize, clear, creditReturn, simulate, reverse } = await setup()
  await connect(p, receiver)
  const bought = await authorize(1_250, 'BLUE DOOR COFFEE')
  assert.deepEqual([bought.status, pulls(bought)], ['AUTHORIZED', [1, 1_250, 0]])
  assert.equal(await balance(), 48_750)
  const cleared = await clear(bought, 1_500)
  assert.equal(cleared.status, 'SETTLED')
  assert.equal(cleared.pullSummary?.count, 2)
  assert.equal(cleared.settlementSummary?.totalAmount, 1_500)
  assert.equal(await balance(), 48_500)
  await eventually(() =>
    assert.deepEqual(emitted(bought), ['CARD_TRANSACTION.AUTHORIZED', 'CARD_TRANSACTION.SETTLED']),
  )
  const some = await creditReturn(bought, 600)
  assert.deepEqual([some.status, some.refundedAmount?.amount], ['SETTLED', 600])
  assert.equal(await balance(), 49_100)
  assert.equal((await creditReturn(bought, 900)).status, 'REFUNDED')
  assert.equal(await balance(), 50_000)
  expectFields(await simulate('return', { cardTransactionId: bought.id, amount: 1 }), [
    'cardTransactionId',
  ])
  const reversed = await reverse(bought)
  assert.deepEqual([reversed.status, reversed.refundedAmount?.amount], ['SETTLED', 600])
  assert.equal(await balance(), 49_100)
})

test('scenario 8: the balance to the last cent, and a cent more', async () => {
  const { balance, authorize, clear } = await setup()
  assert.deepEqual(outcome(await authorize(50_001)), ['DECLINED', 'INSUFFICIENT_FUNDS'])
  assert.equal(await balance(), 50_000)
  const bought = await authorize(50_000)
  assert.deepEqual([bought.status, await balance()], ['AUTHORIZED', 0])
  const over = await clear(bought, 50_001)
  assert.equal(over.status, 'EXCEPTION')
  assert.equal(over.settlementSummary?.totalAmount, 50_001)
  assert.deepEqual(pulls(over).slice(0, 2), [2, 50_000])
})

test('scenario 9: the rest of a partial clearing comes back after a week', async () => {
  const { p, balance, authorize, clear, transaction } = await setup()
  const bought = await authorize(4_000)
  assert.equal((await clear(bought, 1_000)).status, 'PARTIALLY_SETTLED')
  await advance(p, 604_801)
  const ended = await transaction(bought)
  assert.deepEqual([ended.status, ended.settledAmount?.amount], ['SETTLED', 1_000])
  assert.equal(await balance(), 49_000)
})

test('scenario 10: an advice up and down', async () => {
  const { balance, authorize, advise, clear } = await setup()
  const bought = await authorize(2_000)
  const up = await advise(bought, 3_500)
  assert.deepEqual([up.authorizedAmount.amount, await balance()], [3_500, 46_500])
  await advise(bought, 500)
  assert.equal(await balance(), 49_500)
  assert.equal((await clear(bought, 500)).status, 'SETTLED')
})

test('scenarios 11 and 12: a pull that is confirmed late, and one that is not', async () => {
  const { p, authorize, transaction, balances, accountId } = await setup()
  await connect(p, receiver)
  const slow = await authorize(700, 'SLOW PUMP 005')
  assert.equal(slow.pullSummary?.pendingCount, 1)
  assert.deepEqual(await balances(accountId), { balance: 49_300, totalBalance: 50_000 })
  await advance(p, 31)
  assert.equal((await transaction(slow)).pullSummary?.pendingCount, 0)
  assert.deepEqual(await balances(accountId), { balance: 49_300, totalBalance: 49_300 })
  const odd = await authorize(700, 'ODD SHOP 006')
  assert.equal(odd.status, 'AUTHORIZED')
  await advance(p, 6)
  assert.equal((await transaction(odd)).status, 'EXCEPTION')
  assert.equal((await balances(accountId)).balance, 49_300)
  await eventually(() => assert.equal(emitted(odd).at(-1), 'CARD_TRANSACTION.EXCEPTION'))
})

test('scenario 13: frozen for new purchases, not for old ones', async () => {
  const { authorize, clear, patch } = await setup()
  const earlier = await authorize(100)
  expectStatus(await patch({ state: 'FROZEN' }), 200)
  assert.deepEqual(outcome(await authorize(100)), ['DECLINED', 'CARD_PAUSED'])
  assert.equal((await clear(earlier, 100)).status, 'SETTLED')
  expectError(await patch({ state: 'FROZEN' }), 409, 'INVALID_STATE_TRANSITION')
  expectStatus(await patch({ state: 'ACTIVE' }), 200)
  assert.equal((await authorize(100)).status, 'AUTHORIZED')
})

test('scenario 14: a limit per purchase', async () => {
  const { authorize, patch } = await setup({ maxSpendPerTransaction: 5_000 })
  assert.equal((await authorize(5_000)).status, 'AUTHORIZED')
  assert.deepEqual(outcome(await authorize(5_001)), ['DECLINED', 'SPENDING_LIMIT_EXCEEDED'])
  expectStatus(await patch({ maxSpendPerTransaction: null }), 200)
  assert.equal((await authorize(5_001)).status, 'AUTHORIZED')
})

test('scenario 15: closed for good, and still returned to', async () => {
  const { authorize, patch, creditReturn } = await setup()
  const bought = await authorize(100, 'ATM', 'financial_authorization')
  assert.equal(
    expectStatus(await patch({ state: 'CLOSED' }), 200).stateReason,
    'CLOSED_BY_PLATFORM',
  )
  expectError(await patch({ state: 'CLOSED' }), 409, 'CARD_ALREADY_CLOSED')
  expectError(await patch({ maxSpendPerTransaction: 1 }), 409, 'CARD_NOT_MUTABLE')
  assert.equal((await creditReturn(bought, 100)).status, 'REFUNDED')
})

test('scenario 16: the number is on the cardholder’s screen and nowhere else', async () => {
  const { p, id, card, read, authorize, transaction } = await setup()
  await connect(p, receiver)
  const answer = expectStatus(await p.api.post(`/cards/${id}/reveal`), 200)
  const link = `${origin}${new URL(answer.panEmbedUrl).pathname}`
  const page = await (await fetch(link)).text()
  const number = (/id="pan">([\d ]{19})</.exec(page)?.[1] ?? '').replaceAll(' ', '')
  assert.equal(number.length, 16)
  assert.ok(number.endsWith(text(card.last4)))
  const bought = await authorize(100)
  await advance(p, 301)
  const late = await fetch(link)
  assert.equal(late.status, 410)
  assert.doesNotMatch(await late.text(), /\d{4}/)
  const events = await p.api.get('/events', { query: { limit: 100 } })
  const answers = [await read(), await transaction(bought), answer, events.body]
  const seen = JSON.stringify([answers, receiver.deliveries.map(({ event }) => event)])
  assert.ok(!seen.includes(number) && !seen.includes(number.replace(/(\d{4})(?=\d)/g, '$1 ')))
})

test('scenario 17: ten racing purchases, as many as the balance covers', async () => {
  const { balance, authorize } = await setup()
  const bought = await Promise.all(Array.from({ length: 10 }, () => authorize(6_000)))
  const count = (wanted: string): number =>
    bought.filter(({ status }) => status === (wanted as unknown)).length
  assert.deepEqual([count('AUTHORIZED'), count('DECLINED'), await balance()], [8, 2, 2_000])
})

test('scenario 18: cash out, cash in', async () => {
  const { balance, authorize } = await setup()
  const out = await authorize(8_000, 'ATM 24TH', 'financial_authorization')
  assert.equal(out.status, 'SETTLED')
  const back = await authorize(4_000, 'ATM 24TH', 'financial_credit_authorization')
  assert.deepEqual([back.status, back.direction], ['SETTLED', 'CREDIT'])
  assert.equal(await balance(), 46_000)
})

const settled = ({ status, settlementSummary }: Shown<CardTransaction>): unknown[] => [
  status,
  settlementSummary?.totalAmount,
]

test('scenario 19: a second clearing, and one after the week', async () => {
  const { p, balance, authorize, clear } = await setup()
  const bought = await authorize(2_000)
  assert.deepEqual(settled(await clear(bought, 2_000)), ['SETTLED', 2_000])
  const second = await clear(bought, 300)
  assert.deepEqual([settled(second), pulls(second)[0]], [['SETTLED', 2_300], 2])
  assert.equal(await balance(), 47_700)
  const silent = await authorize(1_000)
  await advance(p, 604_801)
  assert.deepEqual(settled(await clear(silent, 1_000)), ['SETTLED', 1_000])
})

test('scenario 20: clearings without authorization', async () => {
  const { balance, forcePost } = await setup()
  const posted = await forcePost(700)
  assert.deepEqual([posted.status, posted.authorizedAmount.amount], ['SETTLED', 0])
  assert.equal(await balance(), 49_300)
  assert.equal((await forcePost(60_000)).status, 'EXCEPTION')
  assert.equal(await balance(), 49_300)
})

test('scenario 21: a clearing in euros', async () => {
  const { authorize, clear } = await setup()
  const cleared = await clear(await authorize(5_000), 4_000, 'EUR')
  assert.deepEqual(settled(cleared), ['PARTIALLY_SETTLED', 4_370])
})

test('scenario 23: who may frame the page, and what a declined inquiry tells', async () => {
  const { p, id, inquire } = await setup()
  const answer = expectStatus(await p.api.post(`/cards/${id}/reveal`), 200)
  const page = await fetch(`${origin}${new URL(answer.panEmbedUrl).pathname}`)
  const policy = page.headers.get('content-security-policy') ?? ''
  const origins = (policy.split('frame-ancestors ')[1] ?? '').split(' ')
  assert.ok(origins.length > 0)
  for (const one of origins) assert.match(one, /^https?:\/\/(localhost|127\.0\.0\.1):\*$/)
  const merchant = { descriptor: 'ATM 002' }
  const inquiry = await inquire(merchant)
  assert.equal(inquiry.outcome, 'DECLINED')
  assert.ok(!('availableBalance' in inquiry))
})

test('AUTHZ-20 a card is issued on another account, and each pays for itself', async () => {
  const { p, customerId, accounts, balance } = await setup()
  const euros = await issueCard(p, { customerId, accounts }, { fundingSource: accounts['EUR'] })
  const body = { amount: 1, currency: { code: 'EUR' }, merchant: { descriptor: 'CAFE' } }
  const path = `/sandbox/cards/${euros.id}/simulate/authorization` as const
  const declined = expectStatus(await p.api.post(path, body), 202)
  assert.deepEqual(outcome(declined), ['DECLINED', 'INSUFFICIENT_FUNDS'])
  assert.equal(await balance(), 50_000)
})
