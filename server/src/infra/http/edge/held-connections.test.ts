import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'

const kit = await startOwnKit({ DATABASE_POOL_SIZE: '4' })

test('CORE-42 more keyed procedures than connections are told to come back, none waits for ever', async () => {
  const platforms = await Promise.all(Array.from({ length: 12 }, () => kit.platform()))
  const answers = await Promise.all(
    platforms.map(({ api }) =>
      api.post('/sandbox/clock', { advanceSeconds: 1 }, { headers: { 'idempotency-key': 'k' } }),
    ),
  )
  const taken = answers.filter(({ status }) => status === 200)
  assert.ok(taken.length >= 2, 'as many as half of the pool')
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expectError(answer, 503, 'SERVICE_UNAVAILABLE')
    assert.ok(answer.headers.get('retry-after'))
  }
  for (const { api } of platforms) {
    const body = { advanceSeconds: 1 }
    const headers = { 'idempotency-key': 'k' }
    assert.equal(
      expectStatus(await api.post('/sandbox/clock', body, { headers }), 200).offsetSeconds,
      1,
    )
  }
})
