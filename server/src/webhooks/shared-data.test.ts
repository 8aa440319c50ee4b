import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus } from '../../test/kit/api.ts'
import { createCustomer } from '../../test/kit/customers.ts'
import { eventually } from '../../test/kit/eventually.ts'
import { startKit, type TestPlatform } from '../../test/kit/florin.ts'
import { operate } from '../../test/kit/operator.ts'
import { advance, connect, openReceiver } from '../../test/kit/outside/connect-receiver.ts'
import { emitEvents } from '../../test/kit/outside/emit-event.ts'
import { fund, payee, platformAccount, quoteBody } from '../../test/kit/payments.ts'
import { sql } from '../infra/db/statement/sql.ts'
import { mustParseId, newUuid } from '../kernel/ids.ts'

const kit = await startKit()
const { read } = kit.florin.deps.db
const DAY_SECONDS = 86_400

/** How many of a platform's events are kept as a difference. */
async function countDifferences({ platformId }: TestPlatform): Promise<number> {
  const id = mustParseId('platform', platformId)
  const { count } = await read.one<{ count: number }>(
    sql`select count(*)::int as count from event_rows where platform_id = ${id} and base_id is not null`,
  )
  return count
}

/** The data of one card's events: long, and the same but for the state. */
const states = (...names: readonly string[]) => {
  const card = { id: `Card:${newUuid()}`, holder: 'Žofie "x" \u2028 😀', filling: 'x'.repeat(500) }
  return names.map((state) => ({ data: { ...card, state } }))
}

test('HOOK-4 HOOK-5 events of one resource that are written together arrive byte for byte as rendered', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  const events = [...states('PENDING', 'PROCESSING', 'ACTIVE'), ...states('FROZEN', 'CLOSED')]
  const ids = await emitEvents(kit, platform, events)
  assert.equal(await countDifferences(platform), 3)
  await eventually(() => assert.equal(receiver.ofType('CARD.STATE_CHANGE').length, ids.length))
  const sent = receiver.ofType('CARD.STATE_CHANGE')
  for (const [index, id] of ids.entries()) {
    const delivery = sent.find(({ event }) => event.id === id)
    const head = `{"id":"${id}","type":"CARD.STATE_CHANGE","timestamp":"${delivery?.event.timestamp}"`
    const body = `${head},"data":${JSON.stringify(events[index]?.data)}}`
    assert.equal(delivery?.raw.toString(), body)
    const { data } = expectStatus(await platform.api.get(`/events/${id}`), 200)
    assert.deepEqual(data, events[index]?.data)
  }
})

test('HOOK-5 the events of a payment share its data, and each shows it as it was', async () => {
  const platform = await kit.platform()
  const account = await platformAccount(platform, 'USD')
  await fund(platform, account, 10_000)
  const to = await payee(platform, 'EUR_ACCOUNT')
  const body = { ...quoteBody({ from: account, to, amount: 1_000 }), immediatelyExecute: true }
  const { transactionId } = expectStatus(await platform.api.post('/quotes', body), 201)
  const { data } = expectStatus(await platform.api.get('/events'), 200)
  const events = data.filter((event) => String(event.data['id']) === transactionId).toReversed()
  assert.deepEqual(
    events.map(({ type }) => type),
    ['OUTGOING_PAYMENT.PENDING', 'OUTGOING_PAYMENT.PROCESSING', 'OUTGOING_PAYMENT.COMPLETED'],
  )
  assert.deepEqual(
    events.map((event) => event.data['status']),
    ['PENDING', 'PROCESSING', 'COMPLETED'],
  )
  assert.equal(await countDifferences(platform), 2)
})

test('HOOK-43 an event is kept as long as an older one that is made of its data', async () => {
  const platform = await kit.platform()
  const events = states('PENDING', 'ACTIVE')
  const [older = '', newer = ''] = await emitEvents(kit, platform, events)
  const [platformId, eventId] = [
    mustParseId('platform', platform.platformId),
    mustParseId('webhook', older),
  ]
  await read.run(
    sql`insert into event_deliveries (platform_id, event_id, position, sequence, at, sending, status)
        select platform_id, id, position, 1, at, 'RETRIED', 'PENDING' from events
        where platform_id = ${platformId} and id = ${eventId}`,
  )
  await advance(platform, 32 * DAY_SECONDS)
  for (const [index, id] of [older, newer].entries()) {
    const { data } = expectStatus(await platform.api.get(`/events/${id}`), 200)
    assert.deepEqual(data, events[index]?.data)
  }
  await read.run(
    sql`update event_deliveries set status = 'FAILED' where platform_id = ${platformId} and event_id = ${eventId}`,
  )
  await advance(platform, 2 * DAY_SECONDS)
  for (const id of [older, newer])
    expectError(await platform.api.get(`/events/${id}`), 404, 'REFERENCE_NOT_FOUND')
})

test('OPER-73 with an event that names the erased customer goes what is made of its data', async () => {
  const platform = await kit.platform()
  const { id: customerId } = await createCustomer(platform)
  const [first, last] = states('PENDING', 'ACTIVE')
  const other = states('ACTIVE')
  const named = { data: { ...last?.data, customerId } }
  const [older, newer, unnamed] = await emitEvents(kit, platform, [first ?? {}, named, ...other])
  assert.equal(await countDifferences(platform), 1)
  expectStatus(await platform.api.delete(`/customers/${customerId}`), 200)
  await operate(kit, `customers erase ${customerId} --override-period --note gone`)
  for (const id of [older, newer])
    expectError(await platform.api.get(`/events/${id ?? ''}`), 404, 'REFERENCE_NOT_FOUND')
  expectStatus(await platform.api.get(`/events/${unnamed ?? ''}`), 200)
})

test('CORE-81 a process of an older build writes its events whole, and they are shown', async () => {
  const platform = await kit.platform()
  const [platformId, id] = [mustParseId('platform', platform.platformId), newUuid()]
  const data = { id: 'Card:1', state: 'ACTIVE' }
  const event = {
    id: `Webhook:${id}`,
    type: 'CARD.STATE_CHANGE',
    timestamp: '2026-01-01T00:00:00Z',
    data,
  }
  await read.run(
    sql`insert into events (platform_id, id, position, type, resource_id, at, body)
        values (${platformId}, ${id}, nextval('event_positions'), ${event.type}, 'Card:1', ${event.timestamp},
          ${JSON.stringify(event)})`,
  )
  const shown = expectStatus(await platform.api.get(`/events/Webhook:${id}`), 200)
  assert.deepEqual(shown.data, data)
})
