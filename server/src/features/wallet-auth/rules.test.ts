import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeLimits } from '../../kernel/access/attempt-limits.ts'
import { OTP_ISSUE_LIMITS } from './rules.ts'

const at = (seconds: number): Date => new Date(1_700_000_000_000 + seconds * 1000)
const spaced = (count: number, everySeconds: number): Date[] =>
  Array.from({ length: count }, (_, index) => at(index * everySeconds))

test('CHAL-6 five codes are allowed in any 300 s, twenty in any 24 h', () => {
  const cases: readonly [readonly Date[], number, number, string][] = [
    [[], 0, 0, 'nothing was sent yet'],
    [spaced(4, 1), 4, 0, 'four are fewer than five'],
    [spaced(5, 1), 4, 296, 'the sixth waits until the first leaves the window'],
    [spaced(5, 1), 299, 1, 'one second before that'],
    [spaced(5, 1), 300, 0, 'at that very instant'],
    [spaced(20, 300), 6000, 80_400, 'never five at once, but twenty in a day'],
    [spaced(20, 300), 86_400, 0, 'a day after the first'],
  ]
  for (const [times, now, expected, why] of cases) {
    const verdict = judgeLimits(OTP_ISSUE_LIMITS, { times, now: at(now) })
    assert.equal(verdict.ok ? 0 : verdict.retryAfterSeconds, expected, why)
  }
})

test('CHAL-6 no more times are stored than the limits count', () => {
  const verdict = judgeLimits(OTP_ISSUE_LIMITS, { times: spaced(20, 300), now: at(86_400) })
  assert.deepEqual(verdict.ok && verdict.times, [...spaced(20, 300).slice(1), at(86_400)])
})
