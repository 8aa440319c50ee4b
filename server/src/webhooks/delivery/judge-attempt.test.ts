import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMs } from '../../kernel/clock.ts'
import { isDelivered, judgeAttempt, type DueAttempt, type Verdict } from './judge-attempt.ts'
import { DELIVERY_LIMIT_MS } from './retry-delay.ts'

const eventAt = new Date('2026-01-01T00:00:00.000Z')
const limit = addMs(eventAt, DELIVERY_LIMIT_MS)

const usual: DueAttempt = {
  status: 'PENDING',
  sending: 'RETRIED',
  isRedelivery: false,
  hasEndpoint: true,
  hasHung: false,
  eventAt,
  now: eventAt,
}

const FAIL: Verdict = { kind: 'DROP', becomes: 'FAILED' }
const SKIP: Verdict = { kind: 'DROP', becomes: 'SKIPPED' }

const CASES: readonly [Partial<DueAttempt>, Verdict, string][] = [
  [{}, { kind: 'SEND' }, 'an event that waits is sent'],
  [{ sending: 'ONCE' }, { kind: 'SEND' }, 'so is one that is never retried'],
  [{ status: 'DELIVERED' }, { kind: 'DROP' }, 'HOOK-31 a redelivery has ended it meanwhile'],
  [{ status: 'SKIPPED' }, { kind: 'DROP' }, 'HOOK-17 the endpoint was cleared meanwhile'],
  [{ status: 'FAILED' }, { kind: 'DROP' }, 'it is over'],
  [{ hasEndpoint: false }, SKIP, 'HOOK-17 the endpoint was cleared as it came due'],
  [{ sending: 'ASKED' }, FAIL, 'the process that waited for the answer has died'],
  [{ now: limit }, { kind: 'SEND' }, 'HOOK-32 seven days are in time'],
  [{ now: addMs(limit, 1) }, FAIL, 'HOOK-32 a millisecond more is not'],
  [{ hasHung: true }, { kind: 'NOT_SENT' }, 'HOOK-30 an endpoint hangs once per jump'],
  [{ hasHung: true, status: 'SKIPPED' }, { kind: 'DROP' }, 'what is over does not count'],
]

const OF_REDELIVERIES: typeof CASES = [
  [{}, { kind: 'SEND' }, 'HOOK-44 while the event waits'],
  [{ status: 'DELIVERED' }, { kind: 'SEND' }, 'HOOK-44 after success'],
  [{ status: 'FAILED', now: addMs(limit, 1) }, { kind: 'SEND' }, 'HOOK-44 after the seven days'],
  [{ status: 'SKIPPED' }, { kind: 'SEND' }, 'HOOK-44 of what was never sent'],
  [{ sending: 'ASKED' }, { kind: 'SEND' }, 'HOOK-44 of a question'],
  [{ hasEndpoint: false }, { kind: 'DROP' }, 'there is nowhere to send it, and nothing changes'],
  [{ hasHung: true }, { kind: 'NOT_SENT' }, 'HOOK-30 whatever the event'],
]

for (const [difference, verdict, because] of CASES) {
  test(`an attempt that is due: ${because}`, () => {
    assert.deepEqual(judgeAttempt({ ...usual, ...difference }), verdict)
  })
}

for (const [difference, verdict, because] of OF_REDELIVERIES) {
  test(`a redelivery that is due: ${because}`, () => {
    assert.deepEqual(judgeAttempt({ ...usual, isRedelivery: true, ...difference }), verdict)
  })
}

test('HOOK-8 HOOK-9 HOOK-10 HOOK-11 any 2xx and 409 deliver, nothing else does', () => {
  for (const status of [200, 201, 204, 299, 409]) assert.ok(isDelivered(status), String(status))
  for (const status of [100, 199, 300, 302, 400, 404, 408, 410, 429, 500, 503]) {
    assert.ok(!isDelivered(status), String(status))
  }
})
