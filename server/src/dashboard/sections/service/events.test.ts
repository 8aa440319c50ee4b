import assert from 'node:assert/strict'
import { test } from 'node:test'
import { items } from '../../../../test/kit/api.ts'
import { connect, openReceiver } from '../../../../test/kit/outside/connect-receiver.ts'
import { openDashboard } from '../../../../test/kit/pages/dashboard.ts'
import { emitEvent, emitEvents } from '../../../../test/kit/outside/emit-event.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'

const kit = await startOwnKit()
const board = await openDashboard(kit)
const anna = await board.signIn('anna')

const uuidOf = (id: string): string => id.slice(-36)
const pageOf = (id: string): string => `/events/${encodeURIComponent(id)}`

/** Tried once and given up. */
const lost = { sending: 'ONCE', data: { id: 'Card:<lost>' } } as const

test('HOOK-43 HOOK-44 CORE-92 what did not arrive stands first, is shown whole, and is sent again', async () => {
  const platform = await kit.platform({ name: 'Acme Pay' })
  const receiver = await openReceiver()
  await connect(platform, receiver)
  receiver.answer(500)
  const id = await emitEvent(kit, platform, lost)
  await eventually(async () => assert.ok((await anna.get('/events')).text.includes(uuidOf(id))))
  const page = await anna.get(pageOf(id))
  assert.ok(page.text.includes('Failed</span>') && page.text.includes('Acme Pay'))
  assert.ok(page.text.includes('&quot;id&quot;: &quot;Card:&lt;lost&gt;&quot;'), 'line by line')
  assert.match(page.text, /data-title="Answer">\s*500/)
  receiver.answer(200)
  const before = receiver.ofType('CARD.STATE_CHANGE').length
  const answer = await anna.post(`${pageOf(id)}/redeliver`)
  assert.equal(answer.status, 303)
  await eventually(() => assert.ok(receiver.ofType('CARD.STATE_CHANGE').length > before))
  const [entry] = items(await operate(kit, 'audit list', '--resource', id))
  assert.deepEqual([entry?.['actor'], entry?.['action']], ['operator:anna', 'events redeliver'])
})

test('HOOK-44 CORE-83 without an endpoint nothing is sent again, and the page says so', async () => {
  const platform = await kit.platform()
  const id = await emitEvent(kit, platform)
  const refused = await anna.post(`${pageOf(id)}/redeliver`)
  assert.ok(refused.status >= 400 && refused.status < 500)
  assert.match(refused.text, /Nothing was changed\.[^]*endpoint/)
  assert.equal((await anna.get('/events/Webhook:nobody')).status, 404)
})

test('HOOK-43 CORE-83 all events are narrowed by platform and type, and older ones follow', async () => {
  const [one, other] = [await kit.platform(), await kit.platform()]
  const ids = await emitEvents(
    kit,
    one,
    Array.from({ length: 60 }, () => ({})),
  )
  const foreign = await emitEvent(kit, other)
  const list = `/events?view=all&platform=${encodeURIComponent(one.platformId)}`
  const first = await anna.get(list)
  const has = (page: { text: string }, id = ''): boolean => page.text.includes(uuidOf(id))
  assert.ok(has(first, ids[59]) && !has(first, ids[9]) && !has(first, foreign))
  const [, older = ''] = /href="([^"]+)" rel="next"/.exec(first.text) ?? []
  const second = await anna.get(older.replaceAll('&amp;', '&'))
  assert.ok(has(second, ids[9]) && !has(second, ids[10]))
  assert.ok(!has(await anna.get(`${list}&type=TEST`), ids[59]))
  assert.equal((await anna.get('/events?view=all&before=x')).status, 400)
})

test('CORE-83 events list tells waiting from given up, and events show has every attempt', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  receiver.answer(503)
  const [waiting, failed] = [await emitEvent(kit, platform), await emitEvent(kit, platform, lost)]
  const listed = async (status: string) =>
    items(await operate(kit, `events list --platform ${platform.platformId} --status ${status}`))
  await eventually(async () => {
    const found = [await listed('PENDING'), await listed('FAILED')]
    const ids = found.map((lines) => lines.map((line) => line['eventId']))
    assert.deepEqual(ids, [[waiting], [failed]])
    assert.equal(found[0]?.[0]?.['attempts'], 1)
  })
  const shown = await operate(kit, `events show ${failed}`)
  assert.equal(shown['platformId'], platform.platformId)
  assert.equal(items(shown['attempts'])[0]?.['responseStatus'], 503)
  await assert.rejects(listed('ODD'), /--status is one of FAILED, PENDING/)
})
