import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client, expectError, expectStatus, text } from '../../../../test/kit/api.ts'
import { startOwnKit, type Kit } from '../../../../test/kit/florin.ts'
import { addMs, DAY_MS, HOUR_MS } from '../../../kernel/clock.ts'
import { sql } from '../../db/statement/sql.ts'
import { pruneBuckets } from './rate-limiter.ts'

const BURST = 5
const slow = await startOwnKit({
  RATE_LIMIT_PER_SECOND: '1',
  RATE_LIMIT_BURST: String(BURST),
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '3',
})
const usual = await startOwnKit({ RATE_LIMIT_PER_SECOND: '200', RATE_LIMIT_BURST: '400' })

const times = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, make))

/** Tokens that flow into the bucket while a test runs, at one a second. */
async function flowing<T>(run: () => Promise<T>): Promise<{ result: T; refilled: number }> {
  const startedAt = performance.now()
  const result = await run()
  return { result, refilled: Math.ceil((performance.now() - startedAt) / 1000) }
}

test('CORE-25 ERR-8 beyond the burst a token is told when to come back', async () => {
  const { api } = await slow.platform()
  const { result: answers, refilled } = await flowing(() => times(20, () => api.get('/config')))
  const served = answers.filter(({ status }) => status === 200).length
  assert.ok(served >= BURST && served <= BURST + refilled, `${served} served`)
  const refused = answers.filter(({ status }) => status !== 200)
  for (const answer of refused) {
    expectError(answer, 429, 'RATE_LIMITED')
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  }
})

test('CORE-25 each token has a bucket of its own', async () => {
  const [one, other] = await Promise.all([slow.platform(), slow.platform()])
  await times(BURST * 2, () => one.api.get('/config'))
  expectStatus(await other.api.get('/config'), 200)
})

test('CORE-25 the bucket is shared between processes', async () => {
  const platform = await slow.platform()
  const there = client(await slow.neighbour(), platform)
  const { result: answers, refilled } = await flowing(async () => [
    ...(await times(10, () => platform.api.get('/config'))),
    ...(await times(10, () => there.get('/config'))),
  ])
  const served = answers.filter(({ status }) => status === 200).length
  assert.ok(served >= BURST && served <= BURST + refilled, `${served} served`)
})

test('CORE-25 the bucket is shared also where each process draws several at a time', async () => {
  const [rate, burst, share] = [50, 100, 5]
  const kit = await startOwnKit({ RATE_LIMIT_PER_SECOND: `${rate}`, RATE_LIMIT_BURST: `${burst}` })
  const platform = await kit.platform()
  const there = client(await kit.neighbour(), platform)
  const { result: answers, refilled } = await flowing(async () => {
    const both = [platform.api, there].map((api) => times(burst, () => api.get('/config')))
    return (await Promise.all(both)).flat()
  })
  const served = answers.filter(({ status }) => status === 200).length
  assert.ok(served <= burst + refilled * rate, `${served} served in ${refilled} s`)
  assert.ok(served > burst - 2 * share, `${served} served: no process keeps more than it drew`)
})

test('CORE-25 CORE-32 the limit comes after the permission and before the body', async () => {
  const { api } = await slow.platform()
  const made = await api.post('/tokens', { name: 'viewer', permissions: ['VIEW'] })
  const { clientId, clientSecret } = expectStatus(made, 201)
  const viewer = api.with({ clientId: clientId, clientSecret: text(clientSecret) })
  await times(BURST * 2, () => viewer.get('/config'))
  const send = () => viewer.send('POST', '/tokens', { body: '{' })
  for (const answer of await times(3, send)) expectError(answer, 403, 'FORBIDDEN')
  await times(BURST * 2, () => api.get('/config'))
  const answers = await times(3, () => api.send('POST', '/tokens', { body: '{' }))
  assert.ok(answers.some(({ status }) => status === 429))
})

test('CORE-25 failed authentications are limited by address, sound ones are not', async () => {
  const { api, clientId } = await slow.platform()
  const guesser = api.with({ clientId, clientSecret: 'guess' })
  const answers = await times(10, () => guesser.get('/config'))
  const emitted = answers.filter(({ status }) => status === 401)
  assert.equal(emitted.length, 3)
  for (const answer of answers.filter(({ status }) => status !== 401)) {
    expectError(answer, 429, 'RATE_LIMITED')
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  }
  expectStatus(await api.get('/config'), 200)
})

test('CORE-25 behind a trusted proxy the address is the one that it names, without one the caller’s own', async () => {
  const settings = { RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '3', RATE_LIMIT_PER_SECOND: '0' }
  const behind = await startOwnKit({ ...settings, TRUSTED_PROXIES: '127.0.0.0/8' })
  const bare = await startOwnKit(settings)
  const guess = async (kit: Kit, forwarded: string): Promise<number> => {
    const headers = { authorization: 'Basic x', 'x-forwarded-for': forwarded }
    return (await fetch(`${kit.baseUrl}/config`, { headers })).status
  }
  for (const status of [401, 401, 401, 429]) {
    assert.equal(await guess(behind, '203.0.113.1'), status)
  }
  assert.equal(await guess(behind, '203.0.113.2'), 401, 'another address has its own bucket')
  // What stands before the address that the proxy saw was written by the caller.
  assert.equal(await guess(behind, '203.0.113.2, 203.0.113.1'), 429)
  for (const [n, status] of [401, 401, 401, 429].entries()) {
    assert.equal(await guess(bare, `203.0.113.${n}`), status, 'nobody is believed')
  }
})

test('CORE-25 a burst within the limit is served whole, however many ask at once', async () => {
  const { api } = await usual.platform()
  for (let round = 0; round < 5; round += 1) {
    const answers = await times(60, () => api.get('/uma-providers'))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  }
})

test('CORE-25 buckets that nobody draws from any more are removed, those in use stay', async () => {
  const { db, clock } = slow.florin.deps
  const { api } = await slow.platform()
  expectStatus(await api.get('/config'), 200)
  const now = clock.now()
  const ages = Array.from({ length: 12_000 }, (_, n) =>
    n < 11_999 ? DAY_MS + n : DAY_MS - HOUR_MS,
  )
  await db.read.run(
    sql`insert into rate_buckets (key, tokens, granted, refilled_at)
        select 'idle ' || n, 0, 0, at
        from unnest(${ages.map((age) => addMs(now, -age - 1))}::timestamptz[]) with ordinality as a(at, n)`,
  )
  assert.equal(await pruneBuckets(db, now), 11_999)
  const { left } = await db.read.one<{ left: number }>(
    sql`select count(*)::int as left from rate_buckets where key like 'idle %'`,
  )
  assert.equal(left, 1)
  const { used } = await db.read.one<{ used: number }>(
    sql`select count(*)::int as used from rate_buckets where key not like 'idle %'`,
  )
  assert.ok(used > 0)
})
