import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, items, text } from '../../../test/kit/api.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { railsSetup, type RailsSetup } from '../../../test/kit/setups/rails.ts'
import { askBeforeSending } from '../store.ts'

const kit = await startOwnKit()
const { db, clock } = kit.florin.deps

const orderOf = async (transactionId: string) => {
  const [order] = items(await operate(kit, `orders list --transaction ${transactionId}`))
  assert.ok(order)
  return order
}

/** A payment whose order waits, as the backup has it. What `florin restore` does follows, and the service starts. */
async function restored(setup: RailsSetup, isSent: boolean) {
  const { provider, pay } = setup
  provider.answer(() => 'reset')
  if (!isSent) await operate(kit, `providers update ${provider.id} --status PAUSED`)
  await kit.florin.deps.providers.refresh()
  const transactionId = await pay()
  await eventually(async () => {
    const { state, lastError } = await orderOf(transactionId)
    assert.deepEqual([state, lastError !== undefined], [isSent ? 'UNKNOWN' : 'QUEUED', isSent])
  })
  const calls = provider.received.length
  return {
    transactionId,
    /** Method and path of each call since. */
    calls: () => provider.received.slice(calls).map(({ method, path }) => `${method} ${path}`),
    async resume() {
      await askBeforeSending(db.read, clock.now())
      if (!isSent) await operate(kit, `providers update ${provider.id} --status ENABLED`)
      await kit.florin.deps.providers.refresh()
      kit.florin.deps.wake('orders')
    },
  }
}

for (const isSent of [false, true]) {
  const name = isSent ? 'sent without an answer' : 'never sent'

  test(`OPER-93 after a restore an order that was ${name} is asked for, and taken up where the provider has it`, async () => {
    const setup = await railsSetup(kit)
    const { transactionId, calls, resume } = await restored(setup, isSent)
    const id = text((await orderOf(transactionId))['orderId'])
    const at = clock.now().toISOString()
    const said = { orderId: id, at, reference: 'B-1' }
    const amount = { amount: 9_154, currency: 'EUR' }
    const reports = [
      { ...said, sequence: 1, state: 'ACCEPTED' },
      { ...said, sequence: 2, state: 'SETTLED', amount },
    ]
    setup.provider.answer(() => ({ json: { id, state: 'SETTLED', sequence: 2, reports } }))
    await resume()
    await setup.settles(transactionId, 'COMPLETED')
    assert.deepEqual(calls(), [`GET /orders/${id}`])
    assert.equal(await setup.balance(), 90_000)
  })

  test(`OPER-93 after a restore an order that was ${name} is sent once the provider says that it has none`, async () => {
    const setup = await railsSetup(kit)
    const { transactionId, calls, resume } = await restored(setup, isSent)
    const id = text((await orderOf(transactionId))['orderId'])
    setup.provider.answer(({ method }) =>
      method === 'POST'
        ? { json: { state: 'ACCEPTED', reference: 'A1' } }
        : { status: 404, json: { state: 'NOT_FOUND', id } },
    )
    await resume()
    await eventually(async () => assert.equal((await orderOf(transactionId))['state'], 'ACCEPTED'))
    assert.deepEqual(calls(), [`GET /orders/${id}`, 'POST /orders'])
  })
}

test('OPER-93 PROV-50 after a restore an order that was never sent is not cancelled without its provider', async () => {
  const setup = await railsSetup(kit, '', { accountType: 'USD_ACCOUNT', rail: 'ACH' })
  const { transactionId, resume } = await restored(setup, false)
  await resume()
  const path = `/transactions/${transactionId}/cancel` as const
  expectError(await setup.platform.api.post(path), 503, 'SERVICE_UNAVAILABLE')
  assert.equal((await orderOf(transactionId))['state'], 'UNKNOWN')
})
