import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../test/kit/api.ts'
import { advance, openReceiver } from '../../../test/kit/outside/connect-receiver.ts'
import { emitEvent } from '../../../test/kit/outside/emit-event.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'

/** Without a worker, only a move of the clock dispatches events. */
const kit = await startOwnKit({}, { worker: false })

test('HOOK-16 an endpoint gets no events from before it was set, also while they are not dispatched yet', async () => {
  const platform = await kit.platform()
  const [first, second] = [await openReceiver(), await openReceiver()]
  const before = await emitEvent(kit, platform)
  expectStatus(await platform.api.patch('/config', { webhookEndpoint: first.url }), 200)
  const between = await emitEvent(kit, platform)
  expectStatus(await platform.api.patch('/config', { webhookEndpoint: second.url }), 200)
  const after = await emitEvent(kit, platform)
  await advance(platform, 1)
  const sent = second.deliveries.map(({ event }) => event)
  assert.deepEqual(
    sent.filter(({ type }) => type !== 'TEST').map(({ id }) => id),
    [between, after],
    'HOOK-17 what an earlier endpoint was to be sent goes to the later one',
  )
  assert.equal(sent.length, 4, 'HOOK-40 both were to be tested')
  const { data } = expectStatus(await platform.api.get('/events'), 200)
  const statuses = new Map(data.map((event) => [event.id as unknown, event.deliveryStatus]))
  assert.equal(statuses.get(before), 'SKIPPED')
  assert.equal(statuses.get(after), 'DELIVERED')
})
