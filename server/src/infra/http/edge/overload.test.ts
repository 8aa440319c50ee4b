import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError } from '../../../../test/kit/api.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { sql } from '../../db/statement/sql.ts'
import { createLog } from '../../logging/log.ts'
import { createLoad } from './overload.ts'

const logged: string[] = []
const log = createLog({ logLevel: 'warn' }, { write: (line) => void logged.push(line) })
const kit = await startOwnKit({}, { log })
const { api } = await kit.platform()

const idle = { isBusy: false }
const busy = { isBusy: true }

/** A load with so many requests in flight, answered at a steady rate for three seconds. */
function steady({ inFlight, perSecond }: Readonly<{ inFlight: number; perSecond: number }>) {
  const load = createLoad()
  for (let n = 0; n < inFlight; n += 1) load.begin(0)
  load.waitMs(0, idle)
  const stepMs = 1_000 / perSecond
  for (let now = stepMs; now <= 3_000; now += stepMs) {
    load.end(now, { isAnswered: true })
    load.begin(now)
  }
  return load
}

test('ERR-8 the wait is what is in flight by what is answered per second', () => {
  const waitOf = (inFlight: number, perSecond: number) =>
    steady({ inFlight, perSecond }).waitMs(3_000, idle)
  assert.equal(Math.round(waitOf(600, 200) / 100), 30)
  assert.ok(waitOf(500, 1_000) < 600)
  assert.equal(waitOf(100, 10), 0, 'few that wait for others are no queue')
})

test('ERR-8 in a process without time to spare few are a queue as well', () => {
  const load = steady({ inFlight: 100, perSecond: 10 })
  load.waitMs(3_000, busy)
  assert.ok(load.waitMs(4_000, busy) > 2_000)
  assert.equal(steady({ inFlight: 63, perSecond: 1 }).waitMs(4_000, busy), 0)
})

/** How many of those that come at one instant are taken. */
function takenAtOnce(load: ReturnType<typeof createLoad>, now: number): number {
  let taken = 0
  for (; load.waitMs(now, idle) <= 750; taken += 1) load.begin(now)
  return taken
}

test('ERR-8 of many that come at once as many are taken as the process is known to answer', () => {
  assert.equal(takenAtOnce(createLoad(), 10_000), 94)
  const proven = steady({ inFlight: 100, perSecond: 1_500 })
  assert.ok(takenAtOnce(proven, 3_000) > 900)
  const quick = createLoad()
  for (let n = 0; n < 8_000; n += 1) {
    quick.begin(n / 4)
    quick.end(n / 4, { isAnswered: true })
  }
  assert.equal(takenAtOnce(quick, 10_000), 256, 'what comes now may cost more')
})

/**
 * Callers who ask again as soon as they are answered, or a second after a refusal, of a process that answers one request
 * after the other; a tenth of them costs ten times as much as the others.
 */
function simulate({
  perSecond,
  countedFromMs,
}: Readonly<Record<'perSecond' | 'countedFromMs', number>>) {
  const load = createLoad()
  const costMs = 1_000 / perSecond / 1.9
  const waits: number[] = []
  const asking = Array.from({ length: 4_000 }, (_, n) => ({ at: n / 10, n }))
  const queue: { at: number; n: number }[] = []
  let shed = 0
  for (let now = 0; now < 30_000;) {
    for (const caller of asking.filter(({ at }) => at <= now)) {
      asking.splice(asking.indexOf(caller), 1)
      if (load.waitMs(now, { isBusy: queue.length > 0 }) > 750) {
        shed += 1
        asking.push({ at: now + 1_000, n: caller.n })
      } else {
        load.begin(now)
        queue.push({ at: caller.at, n: caller.n })
      }
    }
    const next = queue.shift()
    now += next && next.n % 10 === 0 ? 10 * costMs : costMs
    if (!next) continue
    load.end(now, { isAnswered: true })
    if (next.at >= countedFromMs) waits.push(now - next.at)
    asking.push({ at: now, n: next.n })
  }
  const sorted = waits.toSorted((a, b) => a - b)
  return { p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0, shed }
}

// A process that answers fewer than it is taken to answer at first has to be measured before it is protected.
for (const [perSecond, countedFromMs] of [
  [50, 2_000],
  [150, 0],
  [500, 0],
  [2_000, 0],
] as const) {
  test(`ERR-8 with ${perSecond} answers a second those that are taken wait at most two seconds`, () => {
    const { p99Ms, shed } = simulate({ perSecond, countedFromMs })
    assert.ok(shed > 0)
    assert.ok(p99Ms < 2_000, `${p99Ms} ms`)
  })
}

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
  const lines = logged.filter((line) => /requests are refused|request failed/.test(line))
  assert.equal(lines.length, 1, 'one line, however many are refused')
  assert.match(lines[0] ?? '', /requests are refused: too many wait/)
  assert.equal((await api.get('/config')).status, 200, 'and is taken again once the queue is gone')
})
