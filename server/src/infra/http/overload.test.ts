import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError } from '../../../test/kit/api.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startKit } from '../../../test/kit/florin.ts'
import { sql } from '../db/sql.ts'
import { createLoad } from './overload.ts'

const kit = await startKit()
const { api } = await kit.platform()

/** A load with so many requests in flight, answered at a steady rate for three seconds. */
function steady({ inFlight, perSecond }: Readonly<{ inFlight: number; perSecond: number }>) {
  const load = createLoad()
  for (let n = 0; n < inFlight; n += 1) load.begin(0)
  const stepMs = 1_000 / perSecond
  for (let now = stepMs; now <= 3_000; now += stepMs) {
    load.end(now, { isAnswered: true })
    load.begin(now)
  }
  return load.waitMs(3_000)
}

test('ERR-8 the wait is what is in flight by what is answered per second', () => {
  assert.equal(Math.round(steady({ inFlight: 600, perSecond: 200 }) / 100), 30)
  assert.ok(steady({ inFlight: 500, perSecond: 1_000 }) < 600)
  assert.equal(steady({ inFlight: 100, perSecond: 10 }), 0, 'few that wait for others are no queue')
})

test('ERR-8 many that come at once after a quiet time are all taken', () => {
  const load = createLoad()
  for (let n = 0; n < 1_500; n += 1) {
    assert.ok(load.waitMs(10_000) < 2_000)
    load.begin(10_000)
  }
  for (let n = 0; n < 1_000; n += 1) load.begin(10_000)
  assert.ok(load.waitMs(10_000) > 2_000, 'but not any number')
})

test('ERR-8 CORE-84 a request that would wait too long is refused at once; probes are not', async () => {
  const waiting: Promise<unknown>[] = []
  await kit.florin.deps.db.transaction(async (tx) => {
    await tx.run(sql`lock table platform_currencies in access exclusive mode`)
    for (let n = 0; n < 300; n += 1) waiting.push(api.get('/config'))
    const refused = await eventually(async () => {
      const answer = await api.get('/nothing')
      assert.equal(answer.status, 503, answer.text)
      return answer
    })
    expectError(refused, 503, 'SERVICE_UNAVAILABLE')
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    const probe = await fetch(new URL('/healthz', kit.baseUrl))
    assert.notEqual(probe.status, 503)
  })
  await Promise.all(waiting)
  assert.equal((await api.get('/config')).status, 200, 'and is taken again once the queue is gone')
})
