import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMs } from '../../kernel/clock.ts'
import { DELIVERY_LIMIT_MS, nextAttemptAt, retryDelayMs } from './retry-delay.ts'

const eventAt = new Date('2026-01-01T00:00:00.000Z')
const afterEvent = (seconds: number): Date => addMs(eventAt, seconds * 1_000)
const secondsAfterEvent = (instant: Date): number => (instant.getTime() - eventAt.getTime()) / 1_000

test('HOOK-30 attempts are made 0, 10, 30, 70, … seconds after the event, then every half hour', () => {
  const times = [0]
  let at = eventAt
  for (let number = 1; number < 12; number += 1) {
    const next = nextAttemptAt({ number, at, eventAt, jitter: 0 })
    assert.ok(next)
    times.push(secondsAfterEvent(next))
    at = next
  }
  assert.deepEqual(times, [0, 10, 30, 70, 150, 310, 630, 1270, 2550, 4350, 6150, 7950])
})

test('HOOK-30 the delay counts from the attempt, not from when it was due', () => {
  const next = nextAttemptAt({ number: 2, at: afterEvent(12.5), eventAt, jitter: 0 })
  assert.deepEqual(next, afterEvent(32.5))
})

test('HOOK-32 the last attempt is at most seven days after the event', () => {
  const cases = [
    { atSeconds: 604_800 - 1_800, due: 604_800, because: 'exactly at the limit is in time' },
    { atSeconds: 604_800 - 1_799, due: undefined, because: 'a second later is not' },
    { atSeconds: 700_000, due: undefined, because: 'an attempt after the limit is the last' },
  ]
  for (const { atSeconds, due, because } of cases) {
    const next = nextAttemptAt({ number: 340, at: afterEvent(atSeconds), eventAt, jitter: 0 })
    assert.equal(next && secondsAfterEvent(next), due, because)
  }
})

test('HOOK-30 jitter adds up to a tenth, and never passes the limit', () => {
  const full = { number: 1, at: eventAt, eventAt, jitter: 1 }
  assert.deepEqual(nextAttemptAt(full), afterEvent(11))
  assert.deepEqual(nextAttemptAt({ ...full, jitter: 0.5 }), afterEvent(10.5))
  const late = { number: 340, at: afterEvent(604_800 - 1_800), eventAt, jitter: 1 }
  assert.deepEqual(nextAttemptAt(late), addMs(eventAt, DELIVERY_LIMIT_MS))
})

test('HOOK-30 a delay of any number of attempts is finite', () => {
  assert.equal(retryDelayMs(1_000), 1_800_000)
})
