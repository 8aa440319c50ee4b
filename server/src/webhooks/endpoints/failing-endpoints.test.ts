import assert from 'node:assert/strict'
import { test } from 'node:test'
import { items, text as textOf } from '../../../test/kit/api.ts'
import { connect, openReceiver } from '../../../test/kit/outside/connect-receiver.ts'
import { openDashboard } from '../../../test/kit/pages/dashboard.ts'
import { emitEvent, emitEvents } from '../../../test/kit/outside/emit-event.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { addMs, MINUTE_MS, systemClock } from '../../kernel/clock.ts'
import { listFailingEndpoints } from './failing-endpoints.ts'

/** Real time, which the test moves. */
let aheadMs = 0
const clock = { now: () => addMs(systemClock.now(), aheadMs) }
const kit = await startOwnKit({}, { clock })
const { db } = kit.florin.deps

const webhookCheck = async () => {
  const { checks } = await operate(kit, 'doctor')
  return items(checks).find(({ check }) => textOf(check) === 'webhooks')
}
const failingGauge = async (): Promise<string | undefined> =>
  /^florin_webhook_endpoints_failing (\d+)$/m.exec(await kit.florin.metrics.registry.metrics())?.[1]

test('CORE-83 CORE-84 an endpoint that fails for more than a minute is shown until it takes something', async () => {
  const platform = await kit.platform({ name: 'Broken Hooks' })
  const board = await openDashboard(kit)
  const anna = await board.signIn()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  receiver.answer(500)
  await emitEvents(kit, platform, [{}, {}, {}])
  await eventually(async () => {
    const noted = await listFailingEndpoints(db.read, addMs(clock.now(), 2 * MINUTE_MS))
    assert.deepEqual(
      noted.map(({ lastError, platformName }) => [platformName, lastError]),
      [['Broken Hooks', 'HTTP 500']],
    )
  })
  assert.equal((await webhookCheck())?.['ok'], true, 'a restart of the receiver is no trouble')

  aheadMs = MINUTE_MS + 1_000
  const check = await webhookCheck()
  assert.equal(check?.['ok'], false)
  assert.match(
    String(check['detail']),
    /1 endpoint is failing; longest Broken Hooks: since .*HTTP 500/,
  )
  assert.equal((await operate(kit, 'doctor'))['ok'], false)
  assert.equal(await failingGauge(), '1')
  const { text } = await anna.get('/')
  assert.ok(text.indexOf('Needs attention') < text.indexOf('Waiting for you'), 'it stands first')
  assert.match(text, /Broken Hooks[^]*HTTP 500/)

  receiver.answer(200)
  await emitEvent(kit, platform)
  await eventually(async () => assert.equal((await webhookCheck())?.['ok'], true))
  assert.equal(await failingGauge(), '0')
  assert.doesNotMatch((await anna.get('/')).text, /Webhooks failing/)
})

test('CORE-84 an endpoint that was replaced troubles nobody', async () => {
  const platform = await kit.platform()
  const [broken, working] = [await openReceiver(), await openReceiver()]
  await connect(platform, broken)
  broken.answer(500)
  await emitEvent(kit, platform)
  const soon = () => addMs(clock.now(), 2 * MINUTE_MS)
  await eventually(async () =>
    assert.equal((await listFailingEndpoints(db.read, soon())).length, 1),
  )
  working.answer(503)
  await platform.api.patch('/config', { webhookEndpoint: working.url })
  await eventually(async () => {
    const failing = await listFailingEndpoints(db.read, soon())
    assert.deepEqual(
      failing.map(({ url }) => url),
      [working.url],
    )
  })
})
