/**
 * A seeded life of a hundred cards. A plain model of what each transaction must show is kept beside the service; at
 * every step the answer, the account and, by the check after the test, the ledger agree with it (CTXN-17).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CardTransaction } from '../../../sdk/src/index.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { checkLedger } from '../../src/ledger/reports/check-ledger.ts'
import { expectStatus, type HasId, type Shown } from '../kit/api.ts'
import { advance, cardActions, fund, issueCard, newCardholder } from '../kit/cards.ts'
import { startOwnKit } from '../kit/florin.ts'
import { operate } from '../kit/operator.ts'
import { randomFrom } from '../kit/random/random-from.ts'
import * as model from './card-model.ts'

const SEED = 20_260_454
const CARDS = 100
const HOLDERS = 20
const STEPS = 500

/** Time moves by the sandbox's clock alone, so that nothing comes due because the machine is slow. */
const startedAt = systemClock.now()
const kit = await startOwnKit({}, { clock: { now: () => startedAt } })
const p = await kit.platform({ currencies: ['USD', 'EUR'] })
let seconds = 0

const random = randomFrom(SEED)
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T

type Card = {
  actions: ReturnType<typeof cardActions>
  account: model.ModelAccount
  isClosed: boolean
}
type Purchase = model.Purchase & { transaction: HasId; card: Card }

/** What has to happen in such a life, or it proves less than it says; and what of it has happened. */
const NOTEWORTHY = [
  'a clearing in another currency',
  'a clearing of what was refunded',
  'a clearing on a pending single message',
  'a clearing that could not be pulled',
  'a failed pull after an unpaid reversal',
  'a force post',
  'a force post that could not be pulled',
  'a recovered clearing',
  'a recovered reversal',
  'a return on a pending pull',
  'a return that repays what was borne',
  'a reversal',
  'a second clearing of an exception',
  'an advice on a pending pull',
  'an advice that could not be pulled',
  'an unpaid reversal',
] as const
const happened = new Set<(typeof NOTEWORTHY)[number]>()

async function start(): Promise<Card[]> {
  const cards: Card[] = []
  for (let n = 0; n < HOLDERS; n += 1) {
    const funds = 1_000 + random(20_000)
    const holder = await newCardholder(p, { funds })
    const account = { id: holder.accounts['USD'] ?? '', available: funds, held: 0 }
    for (let m = 0; m < CARDS / HOLDERS; m += 1) {
      const { id } = await issueCard(p, holder)
      cards.push({ actions: cardActions(p, id), account, isClosed: false })
    }
  }
  return cards
}

const KINDS: readonly model.Kind[] = [
  'authorization',
  'authorization',
  'financial_authorization',
  'financial_authorization',
  'credit_authorization',
  'financial_credit_authorization',
]

/** How the confirmation comes, by the descriptor's suffix. */
const CONFIRMATIONS = [
  { descriptor: 'SHOP' },
  { descriptor: 'SHOP' },
  { descriptor: 'SLOW 005', after: 30, fails: false },
  { descriptor: 'ODD 006', after: 5, fails: true },
] as const

/** Now and then somebody spends all there is. */
const amountOn = ({ available }: model.ModelAccount): number =>
  random(4) === 0 && available > 0 ? available : 1 + random(4_000)

async function buy(card: Card): Promise<Purchase | undefined> {
  const { account, actions } = card
  const amount = amountOn(account)
  const kind = pick(KINDS)
  const way = pick(CONFIRMATIONS)
  const transaction = await actions.authorize(amount, way.descriptor, kind)
  const isDebit = kind === 'authorization' || kind === 'financial_authorization'
  if (card.isClosed || (isDebit && amount > account.available)) {
    assert.equal(transaction.status, 'DECLINED')
    return undefined
  }
  const later = 'after' in way ? { fails: way.fails, dueAt: seconds + way.after } : undefined
  const purchase = { ...model.approve({ account, kind, amount, later }), transaction, card }
  await mustAgree(purchase, transaction)
  return purchase
}

/** Now and then the network presents euros; of a purchase in dollars, and what that comes to. */
const CURRENCIES = [
  { code: 'USD', priceOf: (amount: number) => amount },
  { code: 'USD', priceOf: (amount: number) => amount },
  { code: 'EUR', priceOf: model.priceOfEuros },
] as const

async function clear(purchase: Purchase) {
  const { card, authorized, transaction, isCredit, status } = purchase
  const isOpen = model.isOpen(purchase)
  const room = authorized - model.settledOf(purchase) + (isCredit ? 0 : 200)
  const amount = isOpen && random(6) === 0 ? 0 : 1 + random(Math.max(1, isOpen ? room : 2_000))
  const { code, priceOf } = isCredit ? CURRENCIES[0] : pick(CURRENCIES)
  const answer = await card.actions.clear(transaction, amount, code)
  if (code === 'EUR' && amount > 0) happened.add('a clearing in another currency')
  if (status === 'REFUNDED') happened.add('a clearing of what was refunded')
  if (status === 'EXCEPTION') happened.add('a second clearing of an exception')
  if (!isOpen && purchase.pending) happened.add('a clearing on a pending single message')
  if (amount === 0) model.end(purchase)
  else model.clear(purchase, priceOf(amount), !card.isClosed)
  if (purchase.status === 'EXCEPTION') happened.add('a clearing that could not be pulled')
  return answer
}

async function forcePost(card: Card): Promise<Purchase> {
  const { account, actions } = card
  const amount = amountOn(account)
  const { code, priceOf } = pick(CURRENCIES)
  const transaction = await actions.forcePost(amount, { currency: { code } })
  const posted = model.forcePost(account, priceOf(amount), !card.isClosed)
  const isShort = posted.status === 'EXCEPTION'
  happened.add(isShort ? 'a force post that could not be pulled' : 'a force post')
  const purchase = { ...posted, transaction, card }
  await mustAgree(purchase, transaction)
  return purchase
}

async function advise(purchase: Purchase) {
  const { card, transaction, authorized, pulled, pending } = purchase
  const settled = model.settledOf(purchase)
  const least = Math.max(1, settled)
  const amount = random(8) === 0 ? least : least + random(authorized - settled + 1_000)
  const answer = await card.actions.advise(transaction, amount)
  model.advise(purchase, amount, !card.isClosed)
  if (pending) happened.add('an advice on a pending pull')
  if (amount > authorized && pulled > 0 && purchase.pulled === pulled) {
    happened.add('an advice that could not be pulled')
  }
  return answer
}

async function creditReturn(purchase: Purchase) {
  const left = model.settledOf(purchase) - model.refundedOf(purchase)
  const amount = random(2) === 0 ? left : 1 + random(left)
  const answer = await purchase.card.actions.creditReturn(purchase.transaction, amount)
  if (purchase.pending) happened.add('a return on a pending pull')
  if (model.shortOf(purchase) > 0) happened.add('a return that repays what was borne')
  model.creditReturn(purchase, amount)
  return answer
}

async function reverse(purchase: Purchase) {
  const answer = await purchase.card.actions.reverse(purchase.transaction)
  model.reverse(purchase)
  happened.add(purchase.short.reversed > 0 ? 'an unpaid reversal' : 'a reversal')
  return answer
}

async function retry(purchase: Purchase) {
  const { card, account, transaction } = purchase
  const line = `cards retry-pull ${transaction.id}`
  const refusal = card.isClosed
    ? 'CONFLICT'
    : model.shortOf(purchase) > account.available && 'INSUFFICIENT_BALANCE'
  if (refusal) {
    await assert.rejects(operate(kit, line), { code: refusal })
    return card.actions.transaction(transaction)
  }
  const answer = await operate<Shown<CardTransaction>>(kit, line)
  happened.add(purchase.short.reversed > 0 ? 'a recovered reversal' : 'a recovered clearing')
  model.recover(purchase)
  return answer
}

async function wait(purchases: readonly Purchase[]): Promise<void> {
  const by = 1 + random(12)
  await advance(p, by)
  seconds += by
  for (const purchase of purchases) {
    const { pending, short } = purchase
    if (!pending || pending.dueAt > seconds) continue
    if (pending.fails && short.reversed > 0) happened.add('a failed pull after an unpaid reversal')
    model.settlePending(purchase)
    await mustAgree(purchase, await purchase.card.actions.transaction(purchase.transaction))
  }
}

async function mustAgree(purchase: Purchase, answer: Shown<CardTransaction>): Promise<void> {
  const sums = [answer.settlementSummary, answer.refundSummary, answer.pullSummary]
  const shown = {
    status: answer.status,
    authorized: answer.authorizedAmount.amount,
    sums: sums.map((one) => [one?.count, one?.totalAmount]),
    pending: answer.pullSummary?.pendingCount,
  }
  const { status, authorized, settlements, returns, pulls, pulled, pending } = purchase
  const expected = {
    status,
    authorized,
    sums: [
      [settlements.length, model.settledOf(purchase)],
      [returns.length, model.refundedOf(purchase)],
      [pulls, pulled],
    ],
    pending: pending && !purchase.isCredit ? 1 : 0,
  }
  assert.deepEqual(shown, expected, `seed ${SEED}`)
  if (status !== 'EXCEPTION') return
  const { shortfall } = await operate(kit, `card-exceptions show ${answer.id}`)
  assert.equal(shortfall?.['amount'], model.shortOf(purchase), `seed ${SEED}`)
}

type FollowUp = Readonly<{
  play: (purchase: Purchase) => Promise<Shown<CardTransaction>>
  isPossible: (purchase: Purchase) => boolean
}>

const FOLLOW_UPS: readonly FollowUp[] = [
  { play: clear, isPossible: model.isOpen },
  { play: clear, isPossible: model.isOpen },
  { play: clear, isPossible: (one) => model.isClearable(one) && one.status !== 'AUTHORIZED' },
  { play: advise, isPossible: model.isOpen },
  {
    play: creditReturn,
    isPossible: (one) => !one.isCredit && model.settledOf(one) > model.refundedOf(one),
  },
  {
    play: creditReturn,
    isPossible: (one) =>
      !one.isCredit && model.settledOf(one) > model.refundedOf(one) && one.pending !== undefined,
  },
  { play: reverse, isPossible: ({ status }) => status === 'REFUNDED' },
  { play: reverse, isPossible: ({ status }) => status === 'REFUNDED' },
  { play: retry, isPossible: (one) => model.shortOf(one) > 0 },
]

/** What is still to be confirmed does not stay so for long: half of what happens, happens to that. */
async function followUp(purchases: readonly Purchase[]): Promise<void> {
  const { play, isPossible } = pick(FOLLOW_UPS)
  const possible = purchases.filter(isPossible)
  const pending = possible.filter((one) => one.pending)
  const chosen = pending.length > 0 && random(2) === 0 ? pending : possible
  if (chosen.length === 0) return
  const purchase = pick(chosen)
  await mustAgree(purchase, await play(purchase))
}

async function step(cards: readonly Card[], purchases: Purchase[]): Promise<void> {
  const pending = purchases.filter((one) => one.pending)
  const card = pending.length > 0 && random(2) === 0 ? pick(pending).card : pick(cards)
  const choice = random(32)
  if (choice < 10) {
    const purchase = await buy(card)
    if (purchase) purchases.push(purchase)
  } else if (choice < 26) await followUp(purchases)
  else if (choice === 26) {
    await fund(p, card.account.id, 500)
    card.account.available += 500
  } else if (choice < 29) await wait(purchases)
  else if (choice < 31) purchases.push(await forcePost(card))
  else if (!card.isClosed && random(4) === 0) {
    expectStatus(await card.actions.patch({ state: 'CLOSED' }), 200)
    card.isClosed = true
  }
}

async function mustBalance(cards: readonly Card[]): Promise<void> {
  for (const account of new Set(cards.map((card) => card.account))) {
    const { balance, totalBalance } = await cards[0]!.actions.balances(account.id)
    assert.deepEqual([balance, totalBalance], [account.available, account.available + account.held])
  }
}

test('CTXN-17 aggregates, holds and ledger of a hundred cards agree at every step', async () => {
  const cards = await start()
  const purchases: Purchase[] = []
  for (let n = 0; n < STEPS; n += 1) {
    await step(cards, purchases)
    if (n % 50 === 0) assert.deepEqual((await checkLedger(kit.florin.deps.db)).problems, [])
  }
  await mustBalance(cards)
  assert.deepEqual([...happened].sort(), NOTEWORTHY, `seed ${SEED}`)
  await advance(p, 604_801)
  for (const purchase of purchases) {
    if (purchase.pending) model.settlePending(purchase)
    if (model.isOpen(purchase)) model.end(purchase)
    await mustAgree(purchase, await purchase.card.actions.transaction(purchase.transaction))
  }
  assert.ok(cards.every(({ account }) => account.held === 0))
  await mustBalance(cards)
})
