import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text, type Body } from '../../../../test/kit/api.ts'
import { advance, MERCHANT } from '../../../../test/kit/cards.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { balanceOf } from '../../../../test/kit/payments.ts'
import {
  cardProvider,
  exceptionsOf,
  outsideCard,
  readCard,
} from '../../../../test/kit/setups/card-provider.ts'
import { newUuid } from '../../../kernel/ids.ts'

const kit = await startOwnKit()

const usd = (amount: number) => ({ amount, currency: 'USD' })

async function newCard() {
  const setup = await cardProvider(kit)
  const { platform, provider } = setup
  const { id, accounts } = await outsideCard(setup)
  const at = new Date().toISOString()
  const read = async (transactionId: string) =>
    expectStatus(await platform.api.get(`/transactions/${transactionId}`), 200)
  const send = async (event: object) => {
    const whole = { eventId: newUuid(), cardId: id, at, ...event }
    const { results } = await provider.post('card-events', { events: [whole] })
    return items(results)[0] as Body
  }
  return {
    platform,
    provider,
    id,
    send,
    read,
    balance: () => balanceOf(platform, accounts['USD'] ?? ''),
    /** An authorization that was approved: what the network calls it, and how it stands. */
    async authorize(amount: number) {
      const networkReference = newUuid()
      const body = { networkReference, cardId: id, amount: usd(amount), merchant: MERCHANT, at }
      const answer = await provider.post('authorizations', { ...body, kind: 'AUTHORIZATION' })
      assert.equal(text(answer['decision']), 'APPROVED')
      const transactionId = text(answer['cardTransactionId'])
      return {
        networkReference,
        status: async () => (await read(transactionId)).status,
        transactionId,
      }
    },
  }
}

const resultOf = (item: Body): string => text(item['result'])

test('PROV-117 advice, clearings and the end of an authorization are booked once each', async () => {
  const { authorize, send, balance } = await newCard()
  const { networkReference, status } = await authorize(1_250)
  assert.equal(
    resultOf(await send({ type: 'ADVICE', networkReference, amount: usd(2_000) })),
    'APPLIED',
  )
  assert.equal(await balance(), 48_000)
  const clearing = {
    type: 'CLEARING',
    eventId: 'c1',
    networkReference,
    amount: usd(500),
    final: false,
  }
  assert.equal(resultOf(await send(clearing)), 'APPLIED')
  assert.equal(resultOf(await send(clearing)), 'DUPLICATE')
  assert.equal(await status(), 'PARTIALLY_SETTLED')
  const last = { type: 'CLEARING', networkReference, amount: usd(300), final: true }
  assert.equal(resultOf(await send(last)), 'APPLIED')
  assert.deepEqual([await status(), await balance()], ['SETTLED', 49_200])
  const second = { type: 'CLEARING', networkReference, amount: usd(200) }
  assert.equal(resultOf(await send(second)), 'APPLIED')
  assert.equal(await balance(), 49_000)
  const foreign = { type: 'CLEARING', networkReference, amount: { amount: 100, currency: 'EUR' } }
  assert.equal(resultOf(await send(foreign)), 'APPLIED')
  assert.ok((await balance()) < 48_900)
})

test('PROV-117 reversals lower an authorization, whole or in part, and expiry ends it', async () => {
  const { authorize, send, balance } = await newCard()
  const one = await authorize(1_000)
  const { networkReference } = one
  await send({ type: 'REVERSAL', networkReference, amount: usd(400) })
  assert.equal(await balance(), 49_400)
  await send({ type: 'CLEARING', networkReference, amount: usd(100) })
  await send({ type: 'REVERSAL', networkReference })
  assert.deepEqual([await one.status(), await balance()], ['SETTLED', 49_900])
  const two = await authorize(700)
  await send({ type: 'REVERSAL', networkReference: two.networkReference })
  assert.deepEqual([await two.status(), await balance()], ['SETTLED', 49_900])
  const three = await authorize(600)
  const expiry = { type: 'EXPIRY', networkReference: three.networkReference }
  assert.equal(resultOf(await send(expiry)), 'APPLIED')
  assert.equal(resultOf(await send(expiry)), 'APPLIED')
  assert.deepEqual([await three.status(), await balance()], ['SETTLED', 49_900])
})

test('PROV-117 returns and disputes are booked under their names, and undone in part', async () => {
  const { platform, authorize, send, balance } = await newCard()
  const { networkReference, status } = await authorize(1_500)
  await send({ type: 'CLEARING', networkReference, amount: usd(1_500) })
  const back = (type: string, returnId: string, amount?: number) =>
    send({ type, networkReference, returnId, ...(amount && { amount: usd(amount) }) })
  assert.equal(resultOf(await back('RETURN', 'r1', 500)), 'APPLIED')
  assert.equal(resultOf(await back('DISPUTE_CREDIT', 'd1', 200)), 'APPLIED')
  assert.equal(await balance(), 49_200)
  assert.equal(resultOf(await back('RETURN_REVERSAL', 'r1')), 'APPLIED')
  assert.deepEqual([await status(), await balance()], ['SETTLED', 48_700])
  assert.equal(resultOf(await back('DISPUTE_DEBIT', 'd1')), 'APPLIED')
  assert.equal(await balance(), 48_500)
  assert.equal(resultOf(await back('RETURN_REVERSAL', 'r1')), 'EXCEPTION')
  assert.equal(resultOf(await back('RETURN', 'r2', 1_501)), 'EXCEPTION')
  assert.equal(await balance(), 48_500)
  const types = (await exceptionsOf(kit, platform)).map(({ type }) => type)
  assert.deepEqual(types, ['EVENT_NOT_BOOKABLE', 'EVENT_NOT_BOOKABLE'])
})

test('PROV-117 an event before its authorization waits a minute, then a clearing is forced', async () => {
  const { platform, provider, id, authorize, send, balance } = await newCard()
  const networkReference = 'early'
  const early = { type: 'CLEARING', networkReference, amount: usd(300), merchant: MERCHANT }
  assert.equal(resultOf(await send(early)), 'WAITING')
  const forced = { type: 'CLEARING', networkReference: 'forced', amount: usd(50) }
  assert.equal(resultOf(await send({ ...forced, merchant: MERCHANT })), 'WAITING')
  assert.equal(resultOf(await send({ ...forced, networkReference: 'bare' })), 'WAITING')
  const at = new Date().toISOString()
  const asked = { networkReference, cardId: id, amount: usd(300), merchant: MERCHANT, at }
  await provider.post('authorizations', { ...asked, kind: 'AUTHORIZATION' })
  assert.equal(await balance(), 49_700)
  await advance(platform, 61)
  assert.equal(await balance(), 49_650)
  const [bare, ...more] = await exceptionsOf(kit, platform)
  assert.deepEqual([bare?.type, more.length], ['EVENT_NOT_BOOKABLE', 0])
  const back = { type: 'RETURN', networkReference: 'forced', returnId: 'x', amount: usd(50) }
  assert.equal(resultOf(await send(back)), 'APPLIED')
  assert.equal(await balance(), 49_700)
  const { status } = await authorize(10)
  assert.equal(await status(), 'AUTHORIZED')
})

test('PROV-117 the processor stops a card; cards that it did not issue are not found', async () => {
  const { platform, id, send } = await newCard()
  const { send: sendAsOther } = await newCard()
  const state = async () => (await readCard(platform, id)).state
  assert.equal(resultOf(await send({ type: 'CARD_STATE', state: 'FROZEN' })), 'APPLIED')
  assert.equal(await state(), 'FROZEN')
  assert.equal(resultOf(await send({ type: 'CARD_STATE', state: 'CLOSED' })), 'APPLIED')
  const card = await readCard(platform, id)
  assert.deepEqual([card.state, text(card.stateReason)], ['CLOSED', 'CLOSED_BY_SERVICE'])
  const foreign = await sendAsOther({ type: 'CARD_STATE', state: 'CLOSED', cardId: id })
  assert.deepEqual([resultOf(foreign), text(foreign['code'])], ['REJECTED', 'REFERENCE_NOT_FOUND'])
})

test('PROV-117 what no rule can book, and another event under the same id, is left to an operator', async () => {
  const { platform, authorize, send, balance } = await newCard()
  const { networkReference } = await authorize(100)
  const unpriced = { type: 'CLEARING', networkReference, amount: { amount: 1, currency: 'XTS' } }
  assert.equal(resultOf(await send(unpriced)), 'EXCEPTION')
  const event = { type: 'CLEARING', eventId: 'same', networkReference, amount: usd(40) }
  assert.equal(resultOf(await send(event)), 'APPLIED')
  assert.equal(resultOf(await send({ ...event, amount: usd(41) })), 'EXCEPTION')
  assert.equal(await balance(), 49_900)
  assert.equal((await exceptionsOf(kit, platform)).length, 2)
})
