import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { expectError, expectStatus } from '../../../test/kit/api.ts'
import { connect, openReceiver } from '../../../test/kit/outside/connect-receiver.ts'
import { emitEvent } from '../../../test/kit/outside/emit-event.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { impatientOutgoing } from '../../../test/kit/outside/impatient-outgoing.ts'
import { findPlatform } from '../../infra/platforms.ts'
import { platformTime } from '../../kernel/platform.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { askPlatform } from './ask-platform.ts'

const { outgoing } = impatientOutgoing(2_000)
const kit = await startOwnKit({}, { outgoing })
const { deps } = kit.florin

const untilAttempts = ({ api }: TestPlatform, id: string, count: number) =>
  eventually(async () => {
    const event = expectStatus(await api.get(`/events/${id}`), 200)
    assert.equal(event.attempts.length, count)
    return event
  })

/** A platform whose endpoint has answered and left its connection open, and now takes what it is sent and hangs up. */
async function hangingUp() {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  const url = await connect(platform, receiver)
  const delivered = await emitEvent(kit, platform)
  await untilAttempts(platform, delivered, 1)
  receiver.answerWith((_delivery, response) => void response.destroy())
  const sent = (id: string) => receiver.deliveries.filter(({ event }) => event.id === id).length
  return { platform, receiver, url, delivered, sent }
}

test('HOOK-40 HOOK-41 a TEST whose receiver hangs up is not sent again', async () => {
  const { platform, receiver, url } = await hangingUp()
  const before = receiver.ofType('TEST').length
  const answer = await platform.api.post('/sandbox/webhooks/test')
  expectError(answer, 400, 'WEBHOOK_DELIVERY_ERROR')
  assert.equal(receiver.ofType('TEST').length, before + 1)
  const webhookEndpoint = `${url}/new`
  expectStatus(await platform.api.patch('/config', { webhookEndpoint }), 200)
  await eventually(async () => {
    const { data } = expectStatus(await platform.api.get('/events?type=TEST'), 200)
    assert.equal(data[0]?.deliveryStatus, 'FAILED')
  })
  assert.equal(receiver.ofType('TEST').length, before + 2)
})

test('HOOK-44 a redelivery whose receiver hangs up is one attempt', async () => {
  const { platform, delivered, sent } = await hangingUp()
  expectStatus(await platform.api.post(`/events/${delivered}/redeliver`), 202)
  await untilAttempts(platform, delivered, 2)
  assert.equal(sent(delivered), 2)
})

test('A3 a question whose receiver hangs up is not asked again', async () => {
  const { platform, sent } = await hangingUp()
  const row = await findPlatform(deps.db.read, mustParseId('platform', platform.platformId))
  assert.ok(row)
  const id = await emitEvent(kit, platform, { type: 'INCOMING_PAYMENT.PENDING', sending: 'ASKED' })
  const at = platformTime(row, deps.clock.now())
  const eventId = mustParseId('webhook', id)
  const asked = await askPlatform(deps, row, { eventId, timeoutMs: 5_000, at })
  assert.equal(asked?.answer.ok, false)
  assert.equal(sent(id), 1)
})

for (const [what, leave] of [
  ['never ends', (response: ServerResponse) => void response.write('still ')],
  ['breaks off', (response: ServerResponse) => void response.write('x', () => response.destroy())],
] as const) {
  test(`HOOK-8 a status counts though the body that follows ${what}`, async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    await connect(platform, receiver)
    for (const [status, becomes] of [
      [200, 'DELIVERED'],
      [500, 'PENDING'],
    ] as const) {
      receiver.answerWith((_delivery, response) => leave(response.writeHead(status)))
      const event = await untilAttempts(platform, await emitEvent(kit, platform), 1)
      assert.equal(event.deliveryStatus, becomes)
      assert.equal(event.attempts[0]?.responseStatus, status)
      assert.equal(event.attempts[0].error, undefined)
    }
    receiver.answerWith((_delivery, response) => leave(response.writeHead(200)))
    const answer = await platform.api.post('/sandbox/webhooks/test')
    expectError(answer, 400, 'WEBHOOK_DELIVERY_ERROR')
  })
}
