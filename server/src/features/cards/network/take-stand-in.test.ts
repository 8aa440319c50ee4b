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
} from '../../../../test/kit/setups/card-provider.ts'
import { newUuid } from '../../../kernel/ids.ts'

const kit = await startOwnKit()
const setup = await cardProvider(kit)
const { platform, provider } = setup
const at = new Date().toISOString()
const usd = (amount: number) => ({ amount, currency: 'USD' })

type Decision = 'APPROVED' | 'DECLINED'

async function newCard(funds = 50_000) {
  const { id, accounts } = await outsideCard(setup, { funds })
  return {
    id,
    balance: () => balanceOf(platform, accounts['USD'] ?? ''),
    /** One authorization: asked for, and decided by the provider. */
    authorization(amount: number, kind = 'AUTHORIZATION') {
      const body = {
        ...{ networkReference: newUuid(), kind, cardId: id, amount: usd(amount) },
        ...{ merchant: MERCHANT, at },
      }
      const { networkReference } = body
      return {
        networkReference,
        ask: () => provider.post('authorizations', body),
        standIn: (decision: Decision, more: object = {}, messageId?: string): Promise<Body> =>
          provider.post(
            'authorizations',
            { ...body, standIn: { decision, at }, ...more },
            messageId,
          ),
        send: (event: object): Promise<Body> =>
          sendEvent({ cardId: id, networkReference, ...event }),
      }
    },
  }
}

async function sendEvent(event: object): Promise<Body> {
  const whole = { eventId: newUuid(), at, ...event }
  const { results } = await provider.post('card-events', { events: [whole] })
  return items(results)[0] as Body
}

const read = async (answer: Body) =>
  expectStatus(await platform.api.get(`/transactions/${text(answer['cardTransactionId'])}`), 200)

const pulls = ({ pullSummary }: Awaited<ReturnType<typeof read>>): unknown => pullSummary
const decisionOf = ({ decision, declineReason }: Body): unknown[] => [decision, declineReason]
const UNAVAILABLE = ['DECLINED', 'ISSUER_UNAVAILABLE']
const exceptionTypes = async () => (await exceptionsOf(kit, platform)).map(({ type }) => type)

test('PROV-116 an approval by the provider pulls once, however often it is sent', async () => {
  const { authorization, balance } = await newCard()
  const { ask, standIn, send } = authorization(1_250)
  const first = await standIn('APPROVED')
  assert.deepEqual(decisionOf(first), ['APPROVED', undefined])
  assert.deepEqual(first['approvedAmount'], usd(1_250) as unknown)
  const transaction = await read(first)
  assert.equal(transaction.status, 'AUTHORIZED')
  assert.deepEqual(pulls(transaction), { count: 1, totalAmount: 1_250, pendingCount: 0 })
  const again = await Promise.all([standIn('APPROVED'), standIn('APPROVED'), ask()])
  for (const answer of again) assert.deepEqual(answer, first)
  assert.equal(await balance(), 48_750)
  await send({ type: 'CLEARING', amount: usd(1_250) })
  assert.equal((await read(first)).status, 'SETTLED')
  assert.equal(await balance(), 48_750)
})

test('PROV-116 of racing stand-ins one is booked', async () => {
  const { authorization, balance } = await newCard()
  const { standIn } = authorization(1_000)
  const answers = await Promise.all(Array.from({ length: 10 }, () => standIn('APPROVED')))
  for (const answer of answers) assert.deepEqual(answer, answers[0])
  assert.equal(await balance(), 49_000)
})

test('PROV-116 an approval stands against every check; what cannot be pulled is tried at clearing', async () => {
  const { id, authorization, balance } = await newCard(1_000)
  const tooMuch = authorization(1_500)
  const answer = await tooMuch.standIn('APPROVED')
  const transaction = await read(answer)
  assert.equal(transaction.status, 'AUTHORIZED')
  assert.deepEqual(pulls(transaction), { count: 1, totalAmount: 0, pendingCount: 0 })
  assert.equal(await balance(), 1_000)
  await tooMuch.send({ type: 'CLEARING', amount: usd(800) })
  assert.deepEqual(pulls(await read(answer)), { count: 2, totalAmount: 800, pendingCount: 0 })
  assert.equal(await balance(), 200)
  await tooMuch.send({ type: 'CLEARING', amount: usd(700) })
  assert.equal((await read(answer)).status, 'EXCEPTION')
  assert.equal(await balance(), 200)
  expectStatus(await platform.api.patch(`/cards/${id}`, { state: 'FROZEN' }), 200)
  assert.deepEqual(decisionOf(await authorization(50).standIn('APPROVED')), ['APPROVED', undefined])
  assert.equal(await balance(), 150)
  expectStatus(await platform.api.patch(`/cards/${id}`, { state: 'CLOSED' }), 200)
  const ofClosed = await read(await authorization(50).standIn('APPROVED'))
  assert.deepEqual(pulls(ofClosed), { count: 1, totalAmount: 0, pendingCount: 0 })
  assert.equal(await balance(), 150)
})

test('PROV-116 CTXN-20 an approval by the provider ends after seven days like any other', async () => {
  const { authorization, balance } = await newCard()
  const answer = await authorization(600).standIn('APPROVED')
  await advance(platform, 604_801)
  assert.equal((await read(answer)).status, 'SETTLED')
  assert.equal(await balance(), 50_000)
})

test('PROV-116 a decline by the provider is kept as ISSUER_UNAVAILABLE and moves nothing', async () => {
  const { authorization, balance } = await newCard()
  const { ask, standIn } = authorization(1_250)
  const first = await standIn('DECLINED')
  assert.deepEqual(decisionOf(first), UNAVAILABLE)
  const transaction = await read(first)
  assert.deepEqual([transaction.status, text(transaction.declineReason)], UNAVAILABLE)
  assert.deepEqual(await ask(), first)
  assert.equal(await balance(), 50_000)
})

test('PROV-116 a stand-in equal to the decision changes nothing', async () => {
  const { authorization, balance } = await newCard()
  const approved = authorization(1_000)
  const first = await approved.ask()
  assert.deepEqual(await approved.standIn('APPROVED'), first)
  assert.equal(await balance(), 49_000)
  const declined = authorization(90_000)
  const refusal = await declined.ask()
  assert.deepEqual(await declined.standIn('DECLINED'), refusal)
  assert.deepEqual(decisionOf(refusal), ['DECLINED', 'INSUFFICIENT_FUNDS'])
})

test('PROV-116 CTXN-9 what was approved and the provider declined is released', async () => {
  const { authorization, balance } = await newCard()
  const { ask, standIn, send } = authorization(1_000)
  const approved = await ask()
  assert.equal(await balance(), 49_000)
  const answer = await standIn('DECLINED')
  assert.deepEqual(decisionOf(answer), UNAVAILABLE)
  assert.deepEqual(answer['cardTransactionId'], approved['cardTransactionId'])
  const ended = await read(approved)
  assert.deepEqual([ended.status, await balance()], ['SETTLED', 50_000])
  assert.deepEqual(await standIn('DECLINED'), answer)
  assert.deepEqual(await ask(), answer)
  assert.equal(await balance(), 50_000)
  const late = await send({ type: 'CLEARING', amount: usd(400) })
  assert.deepEqual(late['transactionId'], approved['cardTransactionId'])
  assert.equal(await balance(), 49_600)
})

test('PROV-116 a purchase in one message that the provider declined is returned', async () => {
  const { authorization, balance } = await newCard()
  const purchase = authorization(1_000, 'FINANCIAL_AUTHORIZATION')
  const approved = await purchase.ask()
  await purchase.standIn('DECLINED')
  assert.equal((await read(approved)).status, 'REFUNDED')
  assert.equal(await balance(), 50_000)
  const credit = authorization(700, 'FINANCIAL_CREDIT_AUTHORIZATION')
  const credited = await credit.ask()
  await credit.standIn('DECLINED')
  assert.equal(await balance(), 50_700)
  const [exception] = (await exceptionsOf(kit, platform)).filter(
    ({ type }) => type === 'EVENT_NOT_BOOKABLE',
  )
  assert.equal(exception?.subject, text(credited['cardTransactionId']))
})

test('PROV-116 a message that clears at once is borne by the service where it cannot be pulled', async () => {
  const { authorization, balance } = await newCard(100)
  const short = await authorization(1_000, 'FINANCIAL_AUTHORIZATION').standIn('APPROVED')
  const transaction = await read(short)
  assert.equal(transaction.status, 'EXCEPTION')
  assert.deepEqual(pulls(transaction), { count: 1, totalAmount: 0, pendingCount: 0 })
  const paid = await authorization(60, 'FINANCIAL_AUTHORIZATION').standIn('APPROVED')
  assert.equal((await read(paid)).status, 'SETTLED')
  const credit = await authorization(500, 'FINANCIAL_CREDIT_AUTHORIZATION').standIn('APPROVED')
  assert.equal((await read(credit)).status, 'SETTLED')
  assert.equal(await balance(), 540)
})

test('PROV-116 what was declined and the provider approved gets a second transaction for its events', async () => {
  const { authorization, balance } = await newCard(1_000)
  const { ask, standIn, send } = authorization(1_200)
  const declined = await ask()
  const approved = await standIn('APPROVED')
  assert.equal(text(approved['decision']), 'APPROVED')
  assert.notEqual(approved['cardTransactionId'], declined['cardTransactionId'])
  assert.equal((await read(declined)).status, 'DECLINED')
  assert.deepEqual(await standIn('APPROVED'), approved)
  const cleared = await send({ type: 'CLEARING', amount: usd(900), final: true })
  assert.deepEqual(cleared['transactionId'], approved['cardTransactionId'])
  assert.equal((await read(approved)).status, 'SETTLED')
  assert.equal((await read(declined)).status, 'DECLINED')
  assert.equal(await balance(), 100)
})

test('PROV-115 PROV-116 other content, or a second word of the provider, changes nothing and is an exception', async () => {
  const { authorization, balance } = await newCard()
  const { standIn } = authorization(1_000)
  const first = await standIn('APPROVED')
  const before = (await exceptionTypes()).length
  assert.deepEqual(await standIn('APPROVED', { amount: usd(2_000) }), first)
  assert.deepEqual(await standIn('DECLINED'), first)
  assert.deepEqual(await standIn('DECLINED'), first)
  const opened = (await exceptionTypes()).slice(before)
  assert.deepEqual(opened, ['AUTHORIZATION_CHANGED', 'AUTHORIZATION_CHANGED'])
  assert.equal(await balance(), 49_000)
})

test('PROV-24 PROV-112 a stand-in with a used message id, a foreign currency or for an inquiry is refused', async () => {
  const { authorization, balance } = await newCard()
  const messageId = newUuid()
  const { standIn } = authorization(1_000)
  const first = await standIn('APPROVED', {}, messageId)
  assert.deepEqual(await standIn('APPROVED', {}, messageId), first)
  const other = await authorization(1_000).standIn('APPROVED', {}, messageId)
  assert.deepEqual([other['status'], other['code']], [409, 'CONFLICT'] as unknown[])
  const foreign = { amount: { amount: 5, currency: 'EUR' } }
  const wrong = await authorization(5).standIn('APPROVED', foreign)
  assert.deepEqual([wrong['status'], wrong['code']], [400, 'INVALID_CURRENCY'] as unknown[])
  const inquiry = await authorization(0, 'BALANCE_INQUIRY').standIn('APPROVED')
  assert.deepEqual([inquiry['status'], inquiry['code']], [400, 'INVALID_INPUT'] as unknown[])
  const unknown = await authorization(5).standIn('APPROVED', { cardId: `Card:${newUuid()}` })
  assert.deepEqual([unknown['status'], unknown['code']], [404, 'REFERENCE_NOT_FOUND'] as unknown[])
  assert.equal(await balance(), 49_000)
})

test('PROV-24 PROV-115 an inquiry is answered once by its message id and by its reference', async () => {
  const { authorization } = await newCard()
  const { networkReference, ask } = authorization(0, 'BALANCE_INQUIRY')
  const first = await ask()
  const { id: other } = await newCard()
  const body = {
    ...{ networkReference, kind: 'BALANCE_INQUIRY', cardId: other, amount: usd(0) },
    ...{ merchant: MERCHANT, at },
  }
  const messageId = newUuid()
  const before = (await exceptionTypes()).length
  assert.deepEqual(await provider.post('authorizations', body, messageId), first)
  assert.deepEqual((await exceptionTypes()).slice(before), ['AUTHORIZATION_CHANGED'])
  const reused = { ...body, networkReference: newUuid() }
  const refused = await provider.post('authorizations', reused, messageId)
  assert.deepEqual([refused['status'], refused['code']], [409, 'CONFLICT'] as unknown[])
})
