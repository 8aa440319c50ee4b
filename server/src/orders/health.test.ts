import assert from 'node:assert/strict'
import { test } from 'node:test'
import { items, text } from '../../test/kit/api.ts'
import { eventually } from '../../test/kit/eventually.ts'
import { startOwnKit } from '../../test/kit/florin.ts'
import { operate } from '../../test/kit/operator.ts'
import type { Reply } from '../../test/kit/outside/scripted-provider.ts'
import { railsSetup } from '../../test/kit/setups/rails.ts'
import { addMs, DAY_MS, MINUTE_MS, systemClock } from '../kernel/clock.ts'

let passedMs = 0
const kit = await startOwnKit({}, { clock: { now: () => addMs(systemClock.now(), passedMs) } })

const doctor = async () =>
  items((await operate(kit, 'doctor'))['checks']).find(({ check }) => text(check) === 'providers')

test('PROV-71 PROV-140 PROV-142 health shows calls, open orders and exceptions, and doctor what is late', async () => {
  const { provider, pay } = await railsSetup(kit)
  const order = await provider.orderOf(await pay())
  const wrong = { state: 'SETTLED', amount: { amount: 1, currency: 'EUR' } }
  await eventually(async () => {
    const [found] = items(await operate(kit, `orders list --provider ${provider.id}`))
    assert.equal(found?.['state'], 'ACCEPTED')
  })
  await provider.report(order, 1, wrong)
  const shown = await operate(kit, `providers show ${provider.id}`)
  const health = shown['health']
  assert.deepEqual(health?.['openOrders'], { ACCEPTED: 1 })
  assert.equal(health?.['exceptionsOpen'], 1)
  assert.equal(health?.['circuit'], 'CLOSED')
  assert.deepEqual(
    items(health?.['lastHour']).map((one) => [one['port'], one['answered'], one['unanswered']]),
    [['rails', 1, 0]],
  )
  const metrics = await kit.florin.metrics.registry.metrics()
  const name = text(shown['name'])
  for (const line of [
    `florin_provider_calls_total{provider="${name}",port="rails",outcome="answered"} 1`,
    `florin_provider_orders_open{provider="${name}",state="ACCEPTED"} 1`,
    `florin_provider_exceptions_open{provider="${name}"} 1`,
    `florin_provider_circuit{provider="${name}"} 0`,
  ]) {
    assert.ok(metrics.includes(line), line)
  }
  assert.match(metrics, /florin_provider_call_seconds_count\{provider="[^"]+",port="rails"\} 1/)
  assert.equal((await doctor())?.['ok'], true)
  // From now on the service may also notice that the provider says nothing about the order.
  passedMs = DAY_MS + MINUTE_MS
  const late = await doctor()
  assert.equal(late?.['ok'], false)
  assert.match(text(late?.['detail']), /\d exceptions of .* are open, one for more than a day/)
  assert.match(text(late?.['detail']), /an order of .* is open longer than 86400 s/)
})

test('PROV-142 doctor names a provider that has not answered for five minutes', async () => {
  passedMs = 0
  const { provider, pay, advance } = await railsSetup(kit)
  provider.answer(() => 'reset')
  await provider.orderOf(await pay())
  await advance(7_000)
  assert.equal((await operate(kit, `providers show ${provider.id}`))['health']?.['circuit'], 'OPEN')
  passedMs = 6 * MINUTE_MS
  assert.match(text((await doctor())?.['detail']), /does not answer/)
})

test('PROV-143 PROV-42 a provider that hangs delays no other provider and no request', async () => {
  passedMs = 0
  const [slow, quick] = [await railsSetup(kit, '--max-in-flight 2'), await railsSetup(kit)]
  const released = Promise.withResolvers<Reply>()
  slow.provider.answer(() => released.promise)
  const waiting = [await slow.pay(), await slow.pay(), await slow.pay()]
  await eventually(() => assert.equal(slow.provider.received.length, 2))
  quick.provider.answer(({ body }) => ({ json: { state: 'SETTLED', amount: body['amount'] } }))
  await quick.settles(await quick.pay(), 'COMPLETED')
  waiting.push(await slow.pay())
  for (const id of waiting) assert.equal((await slow.transaction(id)).status, 'PROCESSING')
  assert.equal(slow.provider.received.length, 2, 'both are still waited for')
  released.resolve({ json: { state: 'ACCEPTED', reference: 'late' } })
  await eventually(() => assert.equal(slow.provider.orders().length, 4))
})
