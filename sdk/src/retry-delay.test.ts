import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryDelayMs, type Attempted } from './retry-delay.ts'

const FIRST: Attempted = {
  status: 0,
  code: undefined,
  retryAfterSeconds: undefined,
  isRepeatable: true,
  attempts: 1,
}

type Case = Readonly<{ given: Partial<Attempted>; from: number; to: number; because: string }>

const WAITS: readonly Case[] = [
  { given: {}, from: 125, to: 250, because: 'no answer' },
  { given: { attempts: 3 }, from: 500, to: 1_000, because: 'twice as long each time' },
  { given: { attempts: 12 }, from: 4_000, to: 8_000, because: 'up to a bound' },
  {
    given: { status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' },
    from: 125,
    to: 250,
    because: 'the first one is still at work',
  },
  {
    given: { status: 429, retryAfterSeconds: 7, isRepeatable: false },
    from: 7_000,
    to: 7_000,
    because: 'refused before anything was done, so anything may be repeated',
  },
  { given: { status: 503, retryAfterSeconds: 0 }, from: 125, to: 250, because: 'not at once' },
]

for (const { given, from, to, because } of WAITS) {
  test(`${JSON.stringify(given)} waits ${from} to ${to} ms: ${because}`, () => {
    for (let n = 0; n < 50; n += 1) {
      const delayMs = retryDelayMs({ ...FIRST, ...given })
      assert.ok(delayMs !== undefined && delayMs >= from && delayMs <= to, String(delayMs))
    }
  })
}

const NEVER: readonly (Partial<Attempted> & Readonly<{ because: string }>)[] = [
  { because: 'it may have been done', isRepeatable: false },
  {
    because: 'how far it came is not said',
    status: 503,
    retryAfterSeconds: 1,
    isRepeatable: false,
  },
  { because: 'nobody said when', status: 503 },
  { because: 'that is too long', status: 429, retryAfterSeconds: 61 },
  { because: 'a bug stays one', status: 500, retryAfterSeconds: 1 },
  { because: 'the key has another request', status: 409, code: 'IDEMPOTENCY_KEY_REUSED' },
  { because: 'it will be refused again', status: 400 },
]

for (const { because, ...given } of NEVER) {
  test(`${JSON.stringify(given)} is not repeated: ${because}`, () => {
    assert.equal(retryDelayMs({ ...FIRST, ...given }), undefined)
  })
}

test('no two clients wait alike', () => {
  const delays = new Set(Array.from({ length: 20 }, () => retryDelayMs(FIRST)))
  assert.ok(delays.size > 10)
})
