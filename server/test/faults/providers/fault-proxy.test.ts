import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { eventually } from '../../kit/eventually.ts'
import { serveHttp } from '../../kit/outside/loopback-server.ts'
import { FAULTS, startFaultProxy, type Fault } from '../../kit/processes/fault-proxy.ts'

const SEED = 7
const BODY = '{"order":"one"}'

/** What arrives at the target. */
async function startTarget() {
  const received: string[] = []
  const { url } = await serveHttp((request, response) => {
    text(request).then(
      (body) => {
        received.push(`${request.method} ${request.url} ${String(request.headers['x-id'])} ${body}`)
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"state":"ACCEPTED"}')
      },
      () => response.destroy(),
    )
  })
  return { url, received }
}

/** The status and body that a caller sees; undefined when it gets no whole answer. */
async function call(url: string): Promise<string | undefined> {
  try {
    const init = { method: 'POST', headers: { 'x-id': '1' }, body: BODY }
    const reply = await fetch(`${url}/orders`, init)
    return `${reply.status} ${await reply.text()}`
  } catch {
    return undefined
  }
}

const ARRIVED = `POST /orders 1 ${BODY}`
const ANSWERED = '200 {"state":"ACCEPTED"}'
const ERROR = '500 {"message":"on purpose"}'

const MEANINGS: Readonly<Record<Fault, readonly [seen: string | undefined, received: string[]]>> = {
  DROP_REQUEST: [undefined, []],
  DROP_ANSWER: [undefined, [ARRIVED]],
  DELAY: [ANSWERED, [ARRIVED]],
  REPEAT: [ANSWERED, [ARRIVED, ARRIVED]],
  ERROR: [ERROR, []],
  ERROR_AFTERWARDS: [ERROR, [ARRIVED]],
  HTML_404: ['404 <h1>Not found</h1>', []],
  CUT: [undefined, [ARRIVED]],
  // Which byte is changed does not matter.
  CORRUPT: [ANSWERED, []],
  REORDER: [ANSWERED, [ARRIVED]],
  // Here nobody dies of it.
  KILL_CALLER: [undefined, [ARRIVED]],
  KILL_TARGET: [undefined, [ARRIVED]],
}

for (const fault of FAULTS) {
  test(`the fault proxy: ${fault} is seen and received as it is meant`, async () => {
    const target = await startTarget()
    const only = { target: target.url, seed: SEED, percent: 100, faults: [fault], delayMsMax: 20 }
    const proxy = await startFaultProxy(only)
    const [seen, received] = MEANINGS[fault]
    assert.equal(await call(proxy.url), seen)
    if (fault === 'CORRUPT') assert.notDeepEqual(target.received, [ARRIVED])
    else assert.deepEqual(target.received, received)
    proxy.setHealthy(true)
    assert.equal(await call(proxy.url), ANSWERED)
    assert.equal(target.received.at(-1), ARRIVED)
    assert.deepEqual(proxy.met(), [fault])
  })
}

test('the fault proxy: a call is overtaken by the next, and parties are killed once it has arrived', async () => {
  const target = await startTarget()
  const killed: string[] = []
  const kill = (side: string) => () => killed.push(`${side} after ${target.received.length}`) > 0
  const start = (faults: Fault[]) =>
    startFaultProxy({
      ...{ target: target.url, seed: SEED, percent: 100, faults, delayMsMax: 60_000 },
      ...{ killCaller: kill('caller'), killTarget: kill('target') },
    })
  const reordering = await start(['REORDER'])
  const first = call(`${reordering.url}/first`)
  await eventually(() => assert.equal(reordering.met().length, 1))
  reordering.setHealthy(true)
  await call(`${reordering.url}/second`)
  await first
  const paths = target.received.map((received) => received.split(' ')[1])
  assert.deepEqual(paths, ['/second/orders', '/first/orders'])
  await call((await start(['KILL_CALLER'])).url)
  assert.deepEqual(killed, ['caller after 3'])
  await call((await start(['KILL_TARGET'])).url)
  assert.match(killed[1] ?? '', /^target/)
})

test('the fault proxy: one seed gives the same faults in the same order', async () => {
  const target = await startTarget()
  const meet = async (seed: number): Promise<readonly Fault[]> => {
    const proxy = await startFaultProxy({ target: target.url, seed, percent: 50, delayMsMax: 5 })
    for (let count = 0; count < 40; count += 1) await call(proxy.url)
    return proxy.met()
  }
  const faults = await meet(SEED)
  assert.ok(faults.length > 10 && faults.length < 30, `${faults.length} of 40`)
  assert.deepEqual(await meet(SEED), faults)
  assert.notDeepEqual(await meet(SEED + 1), faults)
})
