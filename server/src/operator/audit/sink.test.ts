import assert from 'node:assert/strict'
import { appendFile, readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { expectStatus } from '../../../test/kit/api.ts'
import { eventuallyChained } from '../../../test/kit/database/chained.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { serveHttp } from '../../../test/kit/outside/loopback-server.ts'
import { addMs, HOUR_MS } from '../../kernel/clock.ts'
import { newUuid } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { newSecret, verifyMessage } from '../../providers/http/sign-message.ts'
import { createAnchors } from './anchors.ts'
import { sendUnsent, sinkOf } from './sink.ts'

type Line = Readonly<{ platformId: string; seq: number; id?: string }>

const secret = newSecret()
let answer: 200 | 500 | 'hang' = 200
const received: Line[][] = []
const held: ServerResponse[] = []
const server = await serveHttp((request, response) => {
  void buffer(request).then((body) => {
    const { headers } = request
    assert.ok(verifyMessage({ headers, body }, { secrets: [secret], now: new Date() }))
    assert.equal(headers['content-type'], 'application/x-ndjson')
    if (answer === 'hang') return held.push(response)
    const lines = body.toString('utf8').trimEnd().split('\n')
    if (answer === 200) received.push(lines.map((line) => JSON.parse(line) as Line))
    return response.writeHead(answer).end()
  })
})

const kit = await startOwnKit({ AUDIT_SINK_URL: server.url, AUDIT_SINK_SECRET: secret })
const { deps, metrics } = kit.florin

const readLag = async (): Promise<number> =>
  Number(/^florin_audit_sink_lag_seconds (\S+)$/m.exec(await metrics.registry.metrics())?.[1])

/** As the worker does every ten seconds. The lease is left, so that either can go on. */
async function send(): Promise<void> {
  await eventuallyChained(kit)
  await deps.db.read.run(sql`delete from audit_sink_lease`)
  const sink = sinkOf(deps)
  assert.ok(sink)
  await sendUnsent(deps, sink, newUuid())
}

test('OPER-55 a sink that refuses for a while gets every entry, in order; no request waits for it', async () => {
  answer = 500
  const { api, platformId } = await kit.platform()
  const token = { name: 'one', permissions: ['VIEW'] }
  for (let n = 0; n < 10; n += 1) {
    expectStatus(await api.post('/tokens', token), 201)
    if (n % 3 === 0) await send()
  }
  assert.equal(received.length, 0)
  assert.ok((await readLag()) > 0)
  answer = 'hang'
  const hanging = send()
  for (let n = 0; n < 10; n += 1) expectStatus(await api.post('/tokens', token), 201)
  await eventually(() => assert.equal(held.length, 1))
  held.forEach((response) => response.destroy())
  await hanging
  answer = 200
  await send()
  const seqs = received
    .flat()
    .filter((line) => line.platformId === platformId)
    .map(({ seq }) => seq)
  assert.deepEqual(
    seqs,
    Array.from({ length: 21 }, (_, n) => n + 1),
  )
  assert.ok(received.every((batch) => batch.length <= 500))
  assert.equal(await readLag(), 0)

  const before = received.length
  expectStatus(await api.post('/tokens', token), 201)
  await send()
  assert.deepEqual(
    received.slice(before).flatMap((batch) => batch.map(({ seq }) => seq)),
    [22],
    'it goes on from the stored position',
  )
})

test('OPER-55 one process at a time sends', async () => {
  const sink = sinkOf(deps)
  assert.ok(sink)
  const { api } = await kit.platform()
  expectStatus(await api.post('/tokens', { name: 'one', permissions: ['VIEW'] }), 201)
  await eventuallyChained(kit)
  await deps.db.read.run(sql`delete from audit_sink_lease`)
  const [one, other] = [newUuid(), newUuid()]
  await sendUnsent(deps, sink, one)
  const before = received.length
  expectStatus(await api.post('/tokens', { name: 'two', permissions: ['VIEW'] }), 201)
  await eventuallyChained(kit)
  await sendUnsent(deps, sink, other)
  assert.equal(received.length, before, 'the first holds the lease')
  await sendUnsent(deps, sink, one)
  assert.equal(received.length, before + 1)
})

test('OPER-55 doctor is not ok from an hour of lag on', async () => {
  const check = async () => {
    type Checks = Readonly<{ checks: readonly Readonly<{ check: string; ok: boolean }>[] }>
    const { checks } = await operate<Checks>(kit, 'doctor')
    return checks.find(({ check: name }) => name === 'audit sink')?.ok
  }
  answer = 500
  await kit.platform()
  await send()
  assert.equal(await check(), true)
  await deps.db.read.run(
    sql`update audit_chain set chained_at = ${addMs(new Date(), -HOUR_MS)} where seq = 1`,
  )
  assert.equal(await check(), false)
  answer = 200
  await send()
  assert.equal(await check(), true)
})

test('OPER-53 OPER-55 a file gets every entry by itself, and the anchors at the end', async () => {
  const file = join(kit.dataDir, 'sink.jsonl')
  await appendFile(file, '{"half":')
  const own = await startOwnKit({ AUDIT_SINK_FILE: file })
  const { platformId } = await own.platform()
  const linesOf = async (): Promise<Line[]> =>
    (await readFile(file, 'utf8'))
      .split('\n')
      .slice(1)
      .filter((line) => line.includes(platformId))
      .map((line) => JSON.parse(line) as Line)
  await eventually(async () => assert.equal((await linesOf()).length, 1))
  await createAnchors(own.florin.deps, { inBackground: true }).stop()
  const [entry, anchor] = await linesOf()
  assert.ok(entry?.id !== undefined && anchor?.id === undefined)
  assert.equal(anchor?.seq, 1)
})
