import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, text } from '../../../../test/kit/api.ts'
import { advance, newCardholder } from '../../../../test/kit/cards.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import type { Reply } from '../../../../test/kit/outside/scripted-provider.ts'
import {
  askForCard,
  cardProvider,
  exceptionsOf,
  issueAll,
  outsideCard,
  type CardSetup,
} from '../../../../test/kit/setups/card-provider.ts'
import { sql } from '../../../infra/db/statement/sql.ts'

const kit = await startOwnKit()

const statesOf = ({ provider }: CardSetup) =>
  provider.orders().filter(({ type }) => text(type) === 'CARD_STATE')

const ordersOf = (cardId: string) =>
  kit.florin.deps.db.read.many<{ state: string; failureReason: string | null }>(
    sql`select state, failure_reason from provider_orders
        where subject = ${cardId} and type = 'CARD_STATE' order by created_at, id`,
  )

test('PROV-111 the processor is told of every move, in versions that rise', async () => {
  const setup = await cardProvider(kit)
  const { platform } = setup
  const { id, processorRef } = await outsideCard(setup)
  for (const [index, state] of ['FROZEN', 'ACTIVE', 'CLOSED'].entries()) {
    const card = expectStatus(await platform.api.patch(`/cards/${id}`, { state }), 200)
    assert.equal(card.state, state)
    await eventually(() => assert.equal(statesOf(setup).length, index + 1))
    const { cardId, processorRef: ref, state: ordered, version } = statesOf(setup)[index] ?? {}
    assert.deepEqual([cardId, ref, ordered, version], [
      id,
      processorRef,
      state,
      index + 1,
    ] as unknown[])
    await eventually(async () => assert.equal((await ordersOf(id)).at(-1)?.state, 'DECIDED'))
  }
  assert.deepEqual(await exceptionsOf(kit, platform), [])
})

test('PROV-111 CARD-21 the card moves at once, and a newer order ends the older', async () => {
  const setup = await cardProvider(kit)
  const { platform, provider } = setup
  const { id } = await outsideCard(setup)
  provider.answer(() => ({ status: 500, json: {} }))
  expectStatus(await platform.api.patch(`/cards/${id}`, { state: 'FROZEN' }), 200)
  await eventually(() => assert.equal(statesOf(setup).length, 1))
  expectStatus(await platform.api.patch(`/cards/${id}`, { state: 'CLOSED' }), 200)
  await eventually(() => assert.equal(statesOf(setup).length, 2))
  expectError(
    await platform.api.patch(`/cards/${id}`, { state: 'ACTIVE' }),
    409,
    'INVALID_STATE_TRANSITION',
  )
  provider.answer(issueAll)
  await advance(platform, 60)
  assert.deepEqual(await ordersOf(id), [
    { state: 'FAILED', failureReason: 'SUPERSEDED' },
    { state: 'DECIDED', failureReason: null },
  ])
  const sent = provider.received.filter(({ bytes }) => bytes.includes('"FROZEN"'))
  assert.equal(sent.length, 1, 'what is superseded is not sent again')
  assert.deepEqual(await exceptionsOf(kit, platform), [])
})

test('PROV-111 PROV-55 a refusal is left to an operator, and our decisions go on', async () => {
  const setup = await cardProvider(kit)
  const { platform, provider } = setup
  const { id } = await outsideCard(setup)
  provider.answer(() => ({ json: { state: 'REFUSED', reason: 'OTHER' } }))
  expectStatus(await platform.api.patch(`/cards/${id}`, { state: 'FROZEN' }), 200)
  await eventually(async () => assert.equal((await exceptionsOf(kit, platform)).length, 1))
  const [exception] = await exceptionsOf(kit, platform)
  assert.deepEqual([exception?.type, exception?.subject], ['STATE_REFUSED', id])
  const card = expectStatus(await platform.api.get(`/cards/${id}`), 200)
  assert.equal(card.state, 'FROZEN')
})

test('PROV-111 a card that was closed while it was made is closed at the processor', async () => {
  const setup = await cardProvider(kit)
  const { platform, provider } = setup
  const unheard: Reply = { status: 500, json: {} }
  provider.answer(() => unheard)
  const { id } = await askForCard(platform, await newCardholder(platform))
  await eventually(() => assert.equal(provider.received.length, 1))
  await operate(kit, `cards close ${id}`)
  provider.answer(issueAll)
  await advance(platform, 5)
  await eventually(() => assert.equal(statesOf(setup).length, 1))
  assert.equal(text(statesOf(setup)[0]?.['state']), 'CLOSED')
})
