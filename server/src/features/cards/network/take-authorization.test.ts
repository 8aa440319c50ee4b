import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, text } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { balanceOf } from '../../../../test/kit/payments.ts'
import {
  cardProvider,
  exceptionsOf,
  outsideCard,
} from '../../../../test/kit/setups/card-provider.ts'
import { mustParseId, newUuid } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'

const kit = await startOwnKit()
const { db } = kit.florin.deps
const setup = await cardProvider(kit)
const { platform, provider } = setup

const MERCHANT = { descriptor: 'BLUE DOOR COFFEE', mcc: '5814', country: 'US' }

const asking = (cardId: string, amount: number, more: object = {}) => ({
  networkReference: newUuid(),
  kind: 'AUTHORIZATION',
  cardId,
  amount: { amount, currency: 'USD' },
  merchant: MERCHANT,
  at: new Date().toISOString(),
  ...more,
})

const ask = (body: object, messageId?: string) => provider.post('authorizations', body, messageId)

async function newCard(funds?: number) {
  const card = await outsideCard(setup, funds === undefined ? {} : { funds })
  const account = card.accounts['USD'] ?? ''
  return { ...card, balance: () => balanceOf(platform, account) }
}

const countTransactions = async (cardId: string): Promise<number> => {
  const { count } = await db.read.one<{ count: number }>(
    sql`select count(*)::int as count from card_transactions where card_id = ${mustParseId('card', cardId)}`,
  )
  return count
}

test('PROV-112 PROV-113 an authorization is decided as every other one, by either name of the card', async () => {
  const { id, processorRef, balance } = await newCard()
  const answer = await ask(asking(id, 1_250))
  const cardTransactionId = text(answer['cardTransactionId'])
  assert.deepEqual(answer, {
    status: 200,
    decision: 'APPROVED',
    cardTransactionId,
    approvedAmount: { amount: 1_250, currency: 'USD' },
  })
  assert.equal(await balance(), 48_750)
  const shown = expectStatus(await platform.api.get(`/transactions/${cardTransactionId}`), 200)
  assert.equal(shown.status, 'AUTHORIZED')
  const { cardId: _, ...named } = asking(id, 60_000, { processorRef })
  const declined = await ask(named)
  assert.deepEqual([declined['decision'], declined['declineReason']], [
    'DECLINED',
    'INSUFFICIENT_FUNDS',
  ] as unknown[])
  const financial = await ask(asking(id, 750, { kind: 'FINANCIAL_AUTHORIZATION' }))
  assert.equal(text(financial['decision']), 'APPROVED')
  assert.equal(await balance(), 48_000)
  const magic = { merchant: { ...MERCHANT, descriptor: 'SHOP 002' } }
  assert.equal(text((await ask(asking(id, 1_000, magic)))['decision']), 'APPROVED')
})

test('PROV-112 authorizations that come at once are each for their own card, however it is named', async () => {
  const cards = [await newCard(), await newCard()] as const
  const foreign = await outsideCard(await cardProvider(kit))
  const byRef = ({ cardId: _, ...body }: ReturnType<typeof asking>, processorRef: string) => ({
    ...body,
    processorRef,
  })
  const [one, two] = cards
  const answers = await Promise.all([
    ask(asking(one.id, 100)),
    ask(byRef(asking('', 200), two.processorRef)),
    ask(asking(foreign.id, 1)),
    ask(byRef(asking('', 1), newUuid())),
    ask(asking(one.id, 1, { processorRef: two.processorRef })),
    ask(asking(two.id, 400, { processorRef: two.processorRef })),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 404, 404, 404, 200] as unknown[],
  )
  assert.deepEqual(await Promise.all(cards.map(({ balance }) => balance())), [49_900, 49_400])
})

test('PROV-113 PROV-115 a balance inquiry answers the balance, and the same one again', async () => {
  const { id, balance } = await newCard()
  const inquiry = asking(id, 0, { kind: 'BALANCE_INQUIRY' })
  const first = await ask(inquiry)
  assert.deepEqual(first['availableBalance'], { amount: 50_000, currency: 'USD' } as unknown)
  await ask(asking(id, 100))
  assert.deepEqual(await ask(inquiry), first)
  assert.equal(await balance(), 49_900)
})

test('PROV-112 what is wrong in an authorization is refused, and another provider’s card is not found', async () => {
  const { id } = await newCard()
  assert.equal((await ask(asking(id, 0)))['status'], 400 as unknown)
  const foreign = await ask(asking(id, 5, { amount: { amount: 5, currency: 'EUR' } }))
  assert.equal(text(foreign['code']), 'INVALID_CURRENCY')
  const other = await outsideCard(await cardProvider(kit))
  for (const cardId of [other.id, `Card:${newUuid()}`]) {
    const answer = await ask(asking(cardId, 5))
    assert.deepEqual([answer['status'], answer['code']], [404, 'REFERENCE_NOT_FOUND'] as unknown[])
  }
  assert.equal(await countTransactions(id), 0)
})

test('PROV-115 the same authorization again gets the stored decision, also with other content', async () => {
  const { id, balance } = await newCard()
  const body = asking(id, 1_000)
  const first = await ask(body)
  assert.deepEqual(await ask({ ...body, at: new Date().toISOString(), deadlineMs: 1_900 }), first)
  assert.deepEqual(await exceptionsOf(kit, platform), [])
  const changed = { ...body, amount: { amount: 2_000, currency: 'USD' } }
  assert.deepEqual(await ask(changed), first)
  assert.deepEqual(await ask(changed), first)
  const [exception, ...more] = await exceptionsOf(kit, platform)
  assert.equal(exception?.type, 'AUTHORIZATION_CHANGED')
  assert.equal(exception.subject, body.networkReference)
  assert.equal(more.length, 0)
  const otherKind = await ask({ ...body, kind: 'FINANCIAL_AUTHORIZATION' })
  assert.notEqual(otherKind['cardTransactionId'], first['cardTransactionId'])
  assert.equal(await balance(), 48_000)
})

test('PROV-115 of racing equal authorizations one is decided, and all get its answer', async () => {
  const { id, balance } = await newCard()
  const body = asking(id, 1_000)
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(body)))
  for (const answer of answers) assert.deepEqual(answer, answers[0])
  assert.equal(text(answers[0]?.['decision']), 'APPROVED')
  assert.equal(await countTransactions(id), 1)
  assert.equal(await balance(), 49_000)
})

test('PROV-24 PROV-30 a message id with another body is refused, and authorizations are not counted', async () => {
  const { id } = await newCard()
  const messageId = newUuid()
  const body = asking(id, 10)
  const first = await ask(body, messageId)
  assert.deepEqual(await ask(body, messageId), first)
  const other = await ask(asking(id, 20), messageId)
  assert.deepEqual([other['status'], other['code']], [409, 'CONFLICT'] as unknown[])
  // More at once would come too late for their deadline on a slow machine.
  for (let group = 0; group < 8; group += 1) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(asking(id, 1))))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]) as unknown)
  }
})

test('PROV-24 of different bodies that come at once under one message id, one has an effect', async () => {
  const { id, balance } = await newCard()
  for (let round = 0; round < 3; round += 1) {
    const before = await balance()
    const messageId = newUuid()
    const bodies = Array.from({ length: 12 }, (_, n) =>
      n % 4 === 3 ? asking(id, 0, { kind: 'BALANCE_INQUIRY' }) : asking(id, 10 + n),
    )
    const answers = await Promise.all([...bodies, ...bodies].map((body) => ask(body, messageId)))
    const taken = answers.flatMap(({ status }, n) => (status === (200 as unknown) ? [n % 12] : []))
    const refused = answers.filter(({ code }) => code === ('CONFLICT' as unknown))
    assert.equal(new Set(taken).size, 1, 'one body is answered')
    assert.equal(taken.length + refused.length, answers.length, 'the others are refused')
    const amount = bodies[taken[0] ?? 0]?.amount.amount ?? 0
    assert.equal(await balance(), before - amount)
  }
})

test('PROV-24 providers may use the same message id, and a day later so may the same one', async () => {
  const { id } = await newCard()
  const other = await cardProvider(kit)
  const foreign = await outsideCard(other)
  const messageId = newUuid()
  const body = asking(id, 10)
  const first = await ask(body, messageId)
  const [again, ofOther] = await Promise.all([
    ask(body, messageId),
    other.provider.post('authorizations', asking(foreign.id, 20), messageId),
  ])
  assert.deepEqual(again, first)
  assert.equal(text(ofOther['decision']), 'APPROVED')
  await db.read.run(
    sql`update provider_messages set received_at = received_at - interval '25 hours' where message_id = ${messageId}`,
  )
  const later = asking(id, 30)
  assert.equal(text((await ask(later, messageId))['decision']), 'APPROVED')
  assert.equal((await ask(asking(id, 40), messageId))['status'], 409 as unknown)
  assert.equal((await ask(later, messageId))['status'], 200 as unknown)
})
