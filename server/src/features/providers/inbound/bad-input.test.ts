import assert from 'node:assert/strict'
import { test } from 'node:test'
import { items, text, type Body } from '../../../../test/kit/api.ts'
import { MERCHANT } from '../../../../test/kit/cards.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { balanceOf } from '../../../../test/kit/payments.ts'
import {
  cardProvider,
  exceptionsOf,
  outsideCard,
} from '../../../../test/kit/setups/card-provider.ts'
import { depositSetup, dollars } from '../../../../test/kit/setups/deposit-provider.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { AMOUNT_MAX } from '../../../kernel/money/money.ts'

const kit = await startOwnKit()
const at = new Date().toISOString()
const usd = (amount: unknown) => ({ amount, currency: 'USD' })

/** What is wrong in place of an amount of money, wherever a provider states one. */
const WRONG_AMOUNTS: readonly (readonly [string, unknown])[] = [
  ['below zero', usd(-1)],
  ['a fraction', usd(1.5)],
  ['a text', usd('100')],
  ['null', usd(null)],
  ['above what can be booked', usd(Number(AMOUNT_MAX) + 2)],
  ['without currency', { amount: 1 }],
  ['not an object', 100],
]

const setup = await cardProvider(kit)
const card = await outsideCard(setup)
const deposits = await depositSetup(kit)

const nothingOpen = async (platform: TestPlatform): Promise<void> =>
  assert.deepEqual(await exceptionsOf(kit, platform), [])

const cardBalance = () => balanceOf(setup.platform, card.accounts['USD'] ?? '')

const asking = (more: object) => ({
  ...{ networkReference: newUuid(), kind: 'AUTHORIZATION', cardId: card.id },
  ...{ amount: usd(100), merchant: MERCHANT, at, ...more },
})

const WRONG_AUTHORIZATIONS: readonly (readonly [string, object])[] = [
  ...WRONG_AMOUNTS.map(([what, amount]) => [`an amount ${what}`, { amount }] as const),
  ['an amount of nothing', { amount: usd(0) }],
  ['no reference', { networkReference: '' }],
  ['a reference of 129 characters', { networkReference: 'x'.repeat(129) }],
  ['another kind', { kind: 'GIFT' }],
  ['neither name of the card', { cardId: undefined }],
  ['an id that is no card’s', { cardId: 'Account:1' }],
  ['no merchant', { merchant: undefined }],
  ['a merchant code of letters', { merchant: { ...MERCHANT, mcc: 'abcd' } }],
  ['a time that is none', { at: 'yesterday' }],
  ['a deadline that nobody can keep', { deadlineMs: 499 }],
  ['a stand-in without decision', { standIn: { at } }],
  ['a stand-in with another word', { standIn: { decision: 'MAYBE', at } }],
]

for (const [what, more] of WRONG_AUTHORIZATIONS) {
  test(`PROV-112 an authorization with ${what} is refused and decides nothing`, async () => {
    const answer = await setup.provider.post('authorizations', asking(more))
    assert.deepEqual([answer['status'], answer['code']], [400, 'INVALID_INPUT'] as unknown[])
    assert.equal(await cardBalance(), 50_000)
    await nothingOpen(setup.platform)
  })
}

test('PROV-112 AUTHZ-22 a currency that is not the card’s, or none, is refused', async () => {
  for (const currency of ['EUR', 'XTS', 'usd']) {
    const answer = await setup.provider.post(
      'authorizations',
      asking({ amount: { amount: 1, currency } }),
    )
    assert.equal(answer['status'], 400 as unknown, currency)
  }
  assert.equal(await cardBalance(), 50_000)
})

const WRONG_EVENTS: readonly (readonly [string, object])[] = [
  ...WRONG_AMOUNTS.map(([what, amount]) => [`an amount ${what}`, { amount }] as const),
  ['no id', { eventId: undefined }],
  ['another type', { type: 'GIFT' }],
  ['no card', { cardId: undefined }],
  ['a time that is none', { at: '' }],
]

for (const [what, more] of WRONG_EVENTS) {
  test(`PROV-117 a card event with ${what} is rejected and books nothing`, async () => {
    const event = {
      ...{ eventId: newUuid(), type: 'CLEARING', networkReference: newUuid(), cardId: card.id },
      ...{ amount: usd(100), merchant: MERCHANT, at, ...more },
    }
    const { results } = await setup.provider.post('card-events', { events: [event] })
    const [result] = items(results)
    assert.deepEqual([result?.['result'], result?.['code']], ['REJECTED', 'INVALID_INPUT'])
    assert.equal(await cardBalance(), 50_000)
    await nothingOpen(setup.platform)
  })
}

const WRONG_DEPOSITS: readonly (readonly [string, object])[] = [
  ...WRONG_AMOUNTS.map(([what, amount]) => [`an amount ${what}`, { amount }] as const),
  ['an amount of nothing', { amount: usd(0) }],
  ['no id', { depositId: '' }],
  ['another state', { state: 'LOST' }],
  ['a time that is none', { at: 'soon' }],
]

for (const [what, more] of WRONG_DEPOSITS) {
  test(`PROV-80 PROV-81 a deposit with ${what} is rejected and credits nothing`, async () => {
    const item = { ...dollars(100, { to: { accountNumber: deposits.number } }), ...more }
    const result = await deposits.send(item)
    assert.deepEqual([result['result'], result['code']], ['REJECTED', 'INVALID_INPUT'])
    assert.equal(await balanceOf(deposits.platform, deposits.account), 0)
    await nothingOpen(deposits.platform)
  })
}

test('PROV-81 a deposit of a currency that does not exist is rejected, to two places too', async () => {
  const { number } = deposits
  const to = { accountNumber: number, iban: 'DE89370400440532013000' }
  const wrong: readonly object[] = [
    dollars(100, { to: { accountNumber: number }, amount: { amount: 100, currency: 'ZZZ' } }),
    dollars(100, { to }),
  ]
  for (const item of wrong) {
    const result: Body = await deposits.send(item)
    assert.equal(text(result['result']), 'REJECTED', JSON.stringify(item))
  }
  assert.equal(await balanceOf(deposits.platform, deposits.account), 0)
})
