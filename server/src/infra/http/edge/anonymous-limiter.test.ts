import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { createAnonymousLimiter } from './anonymous-limiter.ts'

function isTaken(run: () => void): boolean {
  try {
    run()
    return true
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'RATE_LIMITED', String(error))
    assert.equal(error.headers?.['Retry-After'], '1')
    return false
  }
}

test('CORE-25 an address without credentials has its rate and a burst, and others have theirs', () => {
  let now = 0
  const { take } = createAnonymousLimiter(5, () => now)
  const taken = (address: string, count: number): number =>
    Array.from({ length: count }, () => isTaken(() => take(address))).filter(Boolean).length
  assert.equal(taken('192.0.2.1', 30), 20)
  assert.equal(taken('192.0.2.2', 1), 1)
  now = 1_000
  assert.equal(taken('192.0.2.1', 30), 5)
  assert.equal(taken('2001:db8::1', 15) + taken('2001:db8:0:0:1::2', 15), 20, 'one /64 is one')
  assert.equal(taken('2001:db8:0:1::1', 1), 1)
})

test('CORE-25 it remembers a bounded number of addresses', () => {
  const { take } = createAnonymousLimiter(1, () => 0)
  for (let n = 0; n < 4; n += 1) take('192.0.2.1')
  assert.equal(
    isTaken(() => take('192.0.2.1')),
    false,
  )
  for (let n = 0; n < 10_000; n += 1) take(`10.0.${n >> 8}.${n & 255}`)
  assert.equal(
    isTaken(() => take('192.0.2.1')),
    true,
    'forgotten',
  )
})

const kit = await startOwnKit({ RATE_LIMIT_ANONYMOUS_PER_SECOND: '5' })
const { api } = await kit.platform()

test('CORE-25 requests without credentials or with wrong ones are limited, right ones are not', async () => {
  const stranger = api.with({ clientId: '0'.repeat(32), clientSecret: 'wrong' })
  const statuses: number[] = []
  for (let n = 0; n < 40; n += 1) statuses.push((await stranger.get('/config')).status)
  assert.ok(statuses.includes(401))
  // A fifth of a second brings a new one, so a single request may come at the right moment.
  await eventually(async () => {
    const last = await stranger.get('/config')
    assert.equal(last.status, 429)
    assert.match(last.headers.get('retry-after') ?? '', /^\d+$/)
  })
  await eventually(async () =>
    assert.equal((await fetch(new URL('/nothing', kit.baseUrl))).status, 429),
  )
  assert.equal((await api.get('/config')).status, 200)
})
