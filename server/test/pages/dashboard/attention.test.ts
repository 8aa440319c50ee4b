/** What needs attention stands first on the overview, readable at both widths. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, openReceiver } from '../../kit/outside/connect-receiver.ts'
import { openBrowser } from '../../kit/pages/browser.ts'
import { openDashboard } from '../../kit/pages/dashboard.ts'
import { emitEvents } from '../../kit/outside/emit-event.ts'
import { eventually } from '../../kit/eventually.ts'
import { startOwnKit } from '../../kit/florin.ts'
import { addMs, MINUTE_MS, systemClock } from '../../../src/kernel/clock.ts'
import { listFailingEndpoints } from '../../../src/webhooks/endpoints/failing-endpoints.ts'
import { DESK, mustBeSoundOnBoth } from '../page-checks.ts'

/** Real time, which the test moves. */
let aheadMs = 0
const clock = { now: () => addMs(systemClock.now(), aheadMs) }
const kit = await startOwnKit({}, { clock })
const board = await openDashboard(kit)
const browser = await openBrowser()

test('CORE-84 the overview begins with endpoints that take nothing, and leads to what waits for them', async () => {
  const platform = await kit.platform({ name: 'Marketplace of the North' })
  const receiver = await openReceiver()
  await connect(platform, receiver)
  receiver.answer(500)
  await emitEvents(kit, platform, [{}, {}, {}])
  await eventually(async () => {
    const { db } = kit.florin.deps
    const later = addMs(clock.now(), 2 * MINUTE_MS)
    assert.equal((await listFailingEndpoints(db.read, later)).length, 1)
  })
  aheadMs = 2 * MINUTE_MS
  const page = await browser.newPage(DESK)
  await page.goto(await board.link('Anna'))
  await page.getByRole('button', { name: /sign in/i }).click()
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
  await mustBeSoundOnBoth(page)
  await page.getByRole('link', { name: 'Events that wait' }).click()
  await page.getByRole('heading', { name: 'Events', exact: true }).first().waitFor()
  assert.match(await page.innerText('main'), /CARD\.STATE_CHANGE/)
  await page.close()
})
