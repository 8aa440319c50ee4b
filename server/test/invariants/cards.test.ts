/**
 * A seeded life of a hundred cards. A plain model of what each transaction must show is kept beside the service; at
 * every step the answer, the account and, by the check after the test, the ledger agree with it (CTXN-17).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLedger } from '../../src/ledger/check-ledger.ts'
import { expectStatus, text, type Body } from '../kit/api.ts'
import { advance, cardActions, fund, issueCard, newCardholder } from '../kit/cards.ts'
import { startKit } from '../kit/florin.ts'

const SEED = 20_260_401
const CARDS = 100
const HOLDERS = 20
const STEPS = 400

const kit = await startKit()
const p = await kit.platform({ currencies: ['USD'] })

/** Mulberry32: small, and the same everywhere. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const random = randomFrom(SEED)
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T

type Account = { id: string; available: number; held: number }
type Purchase = {
  transaction: Body
  card: Card
  isCredit: boolean
  status: string
  authorized: number
  settled: number
  refunded: number
  pulled: number
  isPending: boolean
  shortfall: number
}
type Card = { actions: ReturnType<typeof cardActions>; account: Account; isClosed: boolean }

const isOpen = ({ status }: Purchase): boolean =>
  status === 'AUTHORIZED' || status === 'PARTIALLY_SETTLED'
const statusAtEnd = ({ settled, refunded }: Purchase): string =>
  settled > 0 && refunded === settled ? 'REFUNDED' : 'SETTLED'

async function start(): Promise<Card[]> {
  const cards: Card[] = []
  for (let n = 0; n < HOLDERS; n += 1) {
    const funds = 1_000 + random(20_000)
    const holder = await newCardholder(p, { funds })
    const account = { id: holder.accounts['USD'] ?? '', available: funds, held: 0 }
    for (let m = 0; m < CARDS / HOLDERS; m += 1) {
      const { id } = await issueCard(p, holder)
      cards.push({ actions: cardActions(p, text(id)), account, isClosed: false })
    }
  }
  return cards
}

function bought(card: Card, transaction: Body, amount: number): Purchase {
  return {
    transaction,
    card,
    isCredit: false,
    status: 'AUTHORIZED',
    authorized: amount,
    settled: 0,
    refunded: 0,
    pulled: 0,
    isPending: false,
    shortfall: 0,
  }
}

async function buy(card: Card): Promise<Purchase | undefined> {
  const amount = 1 + random(4_000)
  const kind = pick([
    'authorization',
    'authorization',
    'financial_authorization',
    'credit_authorization',
  ])
  const isSlow = kind === 'authorization' && random(5) === 0
  const descriptor = isSlow ? 'SLOW 005' : 'SHOP'
  const transaction = await card.actions.authorize(amount, descriptor, kind)
  const purchase = bought(card, transaction, amount)
  const { account } = card
  purchase.isCredit = kind === 'credit_authorization'
  if (card.isClosed || (!purchase.isCredit && amount > account.available)) {
    assert.equal(transaction['status'], 'DECLINED')
    return undefined
  }
  if (purchase.isCredit) return purchase
  account.available -= amount
  purchase.pulled = amount
  if (isSlow) {
    account.held += amount
    purchase.isPending = true
  }
  if (kind === 'financial_authorization') {
    purchase.settled = amount
    purchase.status = 'SETTLED'
  }
  return purchase
}

function confirm(purchase: Purchase): void {
  if (purchase.isPending) purchase.card.account.held -= purchase.pulled
  purchase.isPending = false
}

async function clear(purchase: Purchase): Promise<Body> {
  const { card, authorized, settled } = purchase
  const { account } = card
  const room = purchase.isCredit ? authorized - settled : authorized - settled + 200
  const amount = random(6) === 0 ? 0 : 1 + random(Math.max(1, room))
  const answer = await card.actions.clear(purchase.transaction, amount)
  confirm(purchase)
  if (amount === 0) {
    if (!purchase.isCredit) {
      account.available += purchase.pulled - settled
      purchase.pulled = settled
    }
    purchase.status = statusAtEnd(purchase)
    return answer
  }
  purchase.settled += amount
  purchase.status = purchase.settled < authorized ? 'PARTIALLY_SETTLED' : 'SETTLED'
  if (purchase.isCredit) {
    account.available += amount
    return answer
  }
  const missing = purchase.settled - purchase.pulled
  if (missing <= 0) return answer
  if (missing > (card.isClosed ? 0 : account.available)) {
    purchase.status = 'EXCEPTION'
    purchase.shortfall = missing
    return answer
  }
  account.available -= missing
  purchase.pulled += missing
  return answer
}

async function giveBack(purchase: Purchase): Promise<Body> {
  const amount = 1 + random(purchase.settled - purchase.refunded)
  const answer = await purchase.card.actions.giveBack(purchase.transaction, amount)
  const repaid = Math.min(amount, purchase.shortfall)
  purchase.shortfall -= repaid
  purchase.card.account.available += amount - repaid
  purchase.refunded += amount
  if (purchase.status !== 'PARTIALLY_SETTLED' && purchase.shortfall === 0) {
    purchase.status = statusAtEnd(purchase)
  }
  return answer
}

function mustAgree(purchase: Purchase, answer: Body): void {
  const shown = {
    status: answer['status'],
    settled: answer['settlementSummary']?.['totalAmount'],
    refunded: answer['refundSummary']?.['totalAmount'],
    pulled: answer['pullSummary']?.['totalAmount'],
    pending: answer['pullSummary']?.['pendingCount'],
  }
  const { status, settled, refunded, pulled, isPending } = purchase
  const expected = { status, settled, refunded, pulled, pending: isPending ? 1 : 0 }
  assert.deepEqual(shown, expected, `seed ${SEED}`)
}

async function step(cards: readonly Card[], purchases: Purchase[]): Promise<void> {
  const card = pick(cards)
  const open = purchases.filter(isOpen)
  const returnable = purchases.filter(
    (one) => !one.isCredit && one.settled > one.refunded && !one.isPending,
  )
  const choice = random(20)
  if (choice < 8 || open.length === 0) {
    const purchase = await buy(card)
    if (purchase) purchases.push(purchase)
    return
  }
  if (choice < 14) {
    const purchase = pick(open)
    mustAgree(purchase, await clear(purchase))
  } else if (choice < 17 && returnable.length > 0) {
    const purchase = pick(returnable)
    mustAgree(purchase, await giveBack(purchase))
  } else if (choice === 17) {
    await fund(p, card.account.id, 500)
    card.account.available += 500
  } else if (choice === 18) {
    await advance(p, 31)
    purchases.forEach(confirm)
  } else if (!card.isClosed && random(4) === 0) {
    expectStatus(await card.actions.patch({ state: 'CLOSED' }), 200)
    card.isClosed = true
  }
}

test('CTXN-17 aggregates, holds and ledger of a hundred cards agree at every step', async () => {
  const cards = await start()
  const purchases: Purchase[] = []
  for (let n = 0; n < STEPS; n += 1) {
    await step(cards, purchases)
    if (n % 50 === 0) assert.deepEqual((await checkLedger(kit.florin.deps.db)).problems, [])
  }
  for (const purchase of purchases) {
    mustAgree(purchase, await purchase.card.actions.transaction(purchase.transaction))
  }
  for (const account of new Set(cards.map((card) => card.account))) {
    const { balance, totalBalance } = await cards[0]!.actions.balances(account.id)
    assert.deepEqual([balance, totalBalance], [account.available, account.available + account.held])
  }
  await advance(p, 604_801)
  for (const purchase of purchases) {
    confirm(purchase)
    if (!isOpen(purchase)) continue
    if (!purchase.isCredit) {
      purchase.card.account.available += purchase.pulled - purchase.settled
      purchase.pulled = purchase.settled
    }
    purchase.status = statusAtEnd(purchase)
    mustAgree(purchase, await purchase.card.actions.transaction(purchase.transaction))
  }
  for (const account of new Set(cards.map((card) => card.account))) {
    const { balance } = await cards[0]!.actions.balances(account.id)
    assert.equal(balance, account.available, 'nothing stays reserved')
  }
})
