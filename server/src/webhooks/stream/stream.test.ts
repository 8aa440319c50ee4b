import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { createFlorin as createClient, FlorinError } from '../../../../sdk/src/index.ts'
import { basicAuth, expectError, expectFields, expectStatus, text } from '../../../test/kit/api.ts'
import { advance } from '../../../test/kit/outside/connect-receiver.ts'
import { emitEvent, emitEvents } from '../../../test/kit/outside/emit-event.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startKit, startOwnKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Deps } from '../../infra/deps.ts'
import { findPlatform } from '../../infra/platforms.ts'
import { flushOutbox, newOutbox } from '../../infra/work/outbox.ts'
import { formatId, mustParseId } from '../../kernel/ids.ts'
import { emit } from '../emit.ts'
import { readStreamState } from './store.ts'
import { streamEvents } from './stream-events.ts'

const kit = await startKit()
const { deps } = kit.florin

const clientOf = ({ clientId, clientSecret }: TestPlatform, baseUrl = kit.baseUrl) =>
  createClient({ baseUrl, clientId, clientSecret })

type Streaming = ReturnType<ReturnType<typeof clientOf>['events']['stream']>

/** The next events of a stream. */
async function take(stream: Streaming, count: number) {
  const taken = []
  while (taken.length < count) {
    const { value, done } = await stream.next()
    assert.ok(!done)
    taken.push(value)
  }
  return taken
}

const idsIn = (taken: Awaited<ReturnType<typeof take>>): string[] =>
  taken.map(({ event }) => event.id)

function assertGrowing(taken: Awaited<ReturnType<typeof take>>): void {
  const numbers = taken.map(({ sequence }) => BigInt(sequence))
  assert.ok(numbers.every((number, n) => n === 0 || number > (numbers[n - 1] ?? 0n)))
}

/** An event that is written now and committed when `release` is called. */
async function heldEvent({ platformId }: TestPlatform, { db, clock }: Deps = deps) {
  const platform = await findPlatform(db.read, mustParseId('platform', platformId))
  assert.ok(platform)
  const [written, released] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()]
  const committed = db.transaction(async (tx) => {
    const outbox = newOutbox()
    const id = emit({ platform, now: clock.now(), outbox }, 'CARD.STATE_CHANGE', {})
    flushOutbox(tx, outbox)
    await tx.flush()
    written.resolve(formatId('webhook', id))
    await released.promise
  })
  const id = await written.promise
  return {
    id,
    release: () => {
      released.resolve()
      return committed
    },
  }
}

/** Until a platform's first stream waits for transactions that began before it. */
const untilOpening = ({ platformId }: TestPlatform, { db }: Deps = deps): Promise<void> =>
  eventually(async () => {
    const { eventStream } = await readStreamState(db.read, mustParseId('platform', platformId))
    assert.equal(eventStream, 'OPENING')
  })

/** The number after which a stream that begins now would go on. */
async function positionOf({ platformId }: TestPlatform): Promise<string> {
  const { lastSequence } = await readStreamState(deps.db.read, mustParseId('platform', platformId))
  return String(lastSequence)
}

/** A platform whose events have numbers. */
async function streamed(): Promise<TestPlatform> {
  const platform = await kit.platform()
  expectStatus(await platform.api.send('HEAD', '/events/stream'), 200)
  return platform
}

const open = (platform: TestPlatform, signal?: AbortSignal, baseUrl = kit.baseUrl) =>
  fetch(`${baseUrl}/events/stream`, {
    headers: { authorization: basicAuth(platform) },
    signal: signal ?? null,
  })

describe('order', () => {
  test('HOOK-100 an event that is committed late comes later, and none is lost', async () => {
    const platform = await streamed()
    const stream = clientOf(platform).events.stream({ after: await positionOf(platform) })
    const held = await heldEvent(platform)
    const early = await emitEvent(kit, platform)
    assert.deepEqual(idsIn(await take(stream, 1)), [early])
    await held.release()
    const later = await emitEvents(kit, platform, [{}, {}])
    const rest = idsIn(await take(stream, 3))
    assert.deepEqual(new Set(rest), new Set([held.id, ...later]))
    await stream.return?.()
  })

  test('HOOK-100 the events of racing writers in two processes come once each, by growing numbers', async () => {
    const platform = await streamed()
    const after = await positionOf(platform)
    const streams = [kit.baseUrl, await kit.neighbour()].map((baseUrl) =>
      clientOf(platform, baseUrl).events.stream({ after }),
    )
    const taking = streams.map((stream) => take(stream, 200))
    const writer = async (): Promise<string[]> => {
      const ids: string[] = []
      for (let n = 0; n < 10; n += 1) ids.push(...(await emitEvents(kit, platform, [{}, {}])))
      return ids
    }
    const written = (await Promise.all(Array.from({ length: 10 }, writer))).flat()
    for (const taken of await Promise.all(taking)) {
      assertGrowing(taken)
      assert.deepEqual(idsIn(taken).toSorted(), written.toSorted())
    }
    for (const stream of streams) await stream.return?.()
  })

  test('HOOK-100 HOOK-16 an event without an endpoint stays skipped, and the stream has what its webhook would', async () => {
    const platform = await streamed()
    const stream = clientOf(platform).events.stream({ after: '0' })
    const data = { id: 'Card:1', state: 'ACTIVE', note: 'two\nlines' }
    const id = await emitEvent(kit, platform, { data })
    const [taken] = await take(stream, 1)
    const { attempts, deliveryStatus, ...event } = expectStatus(
      await platform.api.get(`/events/${id}`),
      200,
    )
    assert.deepEqual(taken?.event, event)
    assert.deepEqual([deliveryStatus, attempts], ['SKIPPED', []])
    await stream.return?.()
  })

  test('HOOK-100 the first stream waits for transactions that began before it', async () => {
    const platform = await kit.platform()
    const held = await heldEvent(platform)
    const order: string[] = []
    const opened = open(platform).then((response) => {
      order.push('opened')
      return response
    })
    await untilOpening(platform)
    order.push('released')
    await held.release()
    const response = await opened
    assert.deepEqual(order, ['released', 'opened'])
    await response.body?.cancel()
  })

  test('HOOK-100 the first stream does not wait for a report or a backup that takes hours', async () => {
    const platform = await kit.platform()
    const [reading, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const report = deps.db.transaction(async (tx) => {
      await tx.run(sql`select from events limit 1`)
      reading.resolve()
      await released.promise
    })
    await reading.promise
    expectStatus(await platform.api.send('HEAD', '/events/stream'), 200)
    released.resolve()
    await report
  })
})

describe('resuming', () => {
  test('HOOK-101 a reader that connects fifty times gets each event once and in order', async () => {
    const platform = await streamed()
    const { events } = clientOf(platform)
    let after = await positionOf(platform)
    const written = await emitEvents(kit, platform, Array(50).fill({}))
    const seen: string[] = []
    for (let n = 0; n < 50; n += 1) {
      for await (const { sequence, event } of events.stream({ after })) {
        after = sequence
        seen.push(event.id)
        break
      }
    }
    assert.deepEqual(seen, written)
  })

  test('HOOK-101 the first frame has the number where the stream begins, and the header precedes the query', async () => {
    const platform = await streamed()
    await emitEvents(kit, platform, [{}, {}])
    await eventually(async () => assert.equal(await positionOf(platform), '2'))
    const first = async (path: string, headers = {}) => {
      const response = await fetch(`${kit.baseUrl}/events/stream${path}`, {
        headers: { authorization: basicAuth(platform), ...headers },
      })
      const { value } = (await response.body?.getReader().read()) ?? {}
      void response.body?.cancel().catch(() => undefined)
      return Buffer.from(value ?? []).toString()
    }
    assert.match(await first(''), /^retry: 1000\nid: 2\n\n/)
    assert.match(await first('?after=1'), /^retry: 1000\nid: 1\n\n/)
    assert.match(await first('?after=0', { 'last-event-id': '1' }), /^retry: 1000\nid: 1\n\n/)
  })

  test('HOOK-103 a number that does not exist or is too old is refused by name; 0 is the oldest kept', async () => {
    const platform = await streamed()
    const path = '/events/stream'
    for (const after of ['-1', 'x', '1.5', '01', '9999999999999999999', '7']) {
      expectFields(await platform.api.get(path, { query: { after } }), ['after'])
      const headers = { 'last-event-id': after }
      expectFields(await platform.api.get(path, { headers }), ['Last-Event-ID'])
    }
    await emitEvents(kit, platform, [{}, {}])
    await eventually(async () => assert.equal(await positionOf(platform), '2'))
    await advance(platform, 31 * 86_400)
    const id = await emitEvent(kit, platform)
    expectFields(await platform.api.get(path, { query: { after: '1' } }), ['after'])
    const { events } = clientOf(platform)
    await assert.rejects(events.stream({ after: '1' }).next(), FlorinError)
    for (const after of ['0', '2']) {
      const stream = events.stream({ after })
      assert.deepEqual(idsIn(await take(stream, 1)), [id])
      await stream.return?.()
    }
  })
})

describe('limits and ends', () => {
  test('HOOK-104 a platform has ten streams in a process; one more is refused until one ends', async () => {
    const platform = await streamed()
    const ends = Array.from({ length: 10 }, () => new AbortController())
    const opened = await Promise.all(ends.map(({ signal }) => open(platform, signal)))
    assert.ok(opened.every(({ status }) => status === 200))
    const refused = await platform.api.get('/events/stream')
    expectError(refused, 429, 'RATE_LIMITED')
    assert.equal(refused.headers.get('retry-after'), '5')
    const other = await open(await streamed())
    assert.equal(other.status, 200)
    await other.body?.cancel()
    ends[0]?.abort()
    const next = await eventually(async () => {
      const response = await open(platform)
      if (response.status !== 200) await response.text()
      assert.equal(response.status, 200)
      return response
    })
    await next.body?.cancel()
    for (const end of ends) end.abort()
  })

  test('HOOK-105 a service that stops ends a stream that was about to open', async () => {
    const own = await startOwnKit()
    const platform = await own.platform()
    const held = await heldEvent(platform, own.florin.deps)
    const asked = open(platform, undefined, own.baseUrl)
    await untilOpening(platform, own.florin.deps)
    const closed = own.florin.http.close()
    await held.release()
    assert.match(await (await asked).text(), /retry: 1000\n\n$/)
    await closed
  })

  test('HOOK-105 TOK-5 a stream ends when its token is deleted', async () => {
    const platform = await streamed()
    const token = expectStatus(
      await platform.api.post('/tokens', { name: 'reader', permissions: ['VIEW'] }),
      201,
    )
    const credentials = { clientId: token.clientId, clientSecret: text(token.clientSecret) }
    const response = await open({ ...platform, ...credentials })
    expectStatus(await platform.api.delete(`/tokens/${token.id}`), 204)
    assert.match(await response.text(), /\n\nretry: 1000\n\n$/)
    const { events } = clientOf({ ...platform, ...credentials })
    await assert.rejects(events.stream().next(), { status: 401 })
  })

  test('HOOK-102 a reader that takes nothing holds up no more than a page, and gets all once it reads', async () => {
    const platform = await streamed()
    const accepted = once(kit.florin.http.server, 'connection') as Promise<[Socket]>
    const { port, hostname } = new URL(kit.baseUrl)
    const socket = connectSocket({ port: Number(port), host: hostname })
    const [served] = await accepted
    socket.pause()
    socket.write(
      `GET /2025-10-13/events/stream HTTP/1.1\r\nHost: x\r\nAuthorization: ${basicAuth(platform)}\r\n\r\n`,
    )
    const data = { id: 'Card:1', note: 'x'.repeat(50_000) }
    const written = await emitEvents(kit, platform, Array(400).fill({ data }))
    await eventually(() => assert.ok(served.writableLength > 0))
    const page = 50 * 51_000
    assert.ok(served.writableLength <= 2 * page, `${served.writableLength} bytes wait`)
    let read = ''
    socket.on('data', (chunk: Buffer) => (read += chunk.toString()))
    socket.resume()
    await eventually(() => assert.ok(read.includes(written.at(-1) ?? '')))
    const ids = [...read.matchAll(/data: \{"id":"([^"]+)"/g)].map(([, id]) => id)
    assert.deepEqual(ids, written)
    socket.destroy()
  })

  test('HOOK-102 without events a comment is sent now and then', async () => {
    const platform = await streamed()
    const over = new AbortController()
    const platformId = mustParseId('platform', platform.platformId)
    const frames = streamEvents(deps, { platformId, after: 0n, heartbeatMs: 1 }, over.signal)
    assert.match((await frames.next()).value ?? '', /^retry/)
    assert.equal((await frames.next()).value, ':\n\n')
    assert.equal((await frames.next()).value, ':\n\n')
    over.abort()
    assert.equal((await frames.next()).value, 'retry: 1000\n\n')
    assert.ok((await frames.next()).done)
  })

  test('HOOK-100 a platform that never streamed has no deliveries without an endpoint', async () => {
    const platform = await kit.platform()
    await emitEvent(kit, platform)
    const rows = await deps.db.read.many(
      sql`select 1 from event_deliveries where platform_id = ${mustParseId('platform', platform.platformId)}`,
    )
    assert.deepEqual(rows, [])
  })
})
