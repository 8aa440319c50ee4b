import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  addMonths,
  addMs,
  isCalendarDate,
  isPast,
  parseWireTime,
  toWireDate,
  toWireTime,
} from './clock.ts'

describe('timestamps', () => {
  const READ = [
    { text: '2025-10-13T12:30:15.123Z', means: '2025-10-13T12:30:15.123Z', why: 'our own form' },
    { text: '2025-10-13T12:30:15Z', means: '2025-10-13T12:30:15.000Z', why: 'no fraction' },
    { text: '2025-10-13T12:30:15.1Z', means: '2025-10-13T12:30:15.100Z', why: 'tenths' },
    {
      text: '2025-10-13T12:30:15.123999Z',
      means: '2025-10-13T12:30:15.123Z',
      why: 'cut, not rounded',
    },
    { text: '2025-10-13T12:30:15+02:00', means: '2025-10-13T10:30:15.000Z', why: 'east' },
    {
      text: '2025-10-13T12:30:15-05:30',
      means: '2025-10-13T18:00:15.000Z',
      why: 'west, half an hour',
    },
    { text: '2025-10-13T12:30:15+0200', means: '2025-10-13T10:30:15.000Z', why: 'basic offset' },
    { text: '2025-10-13T12:30:15+02', means: '2025-10-13T10:30:15.000Z', why: 'hours alone' },
    { text: '2025-10-13T12:30:15-00:00', means: '2025-10-13T12:30:15.000Z', why: 'unknown offset' },
    { text: '2025-10-13t12:30:15z', means: '2025-10-13T12:30:15.000Z', why: 'lower case' },
    { text: '2024-02-29T23:59:59+00:00', means: '2024-02-29T23:59:59.000Z', why: 'a leap day' },
    {
      text: '2025-01-01T00:00:00+14:00',
      means: '2024-12-31T10:00:00.000Z',
      why: 'the year before',
    },
    { text: '0001-01-01T00:00:00Z', means: '0001-01-01T00:00:00.000Z', why: 'the first instant' },
    {
      text: '9999-12-31T23:59:59.999Z',
      means: '9999-12-31T23:59:59.999Z',
      why: 'the last instant',
    },
  ]
  for (const { text, means, why } of READ) {
    test(`CORE-5 ${text} is ${means}: ${why}`, () => {
      const instant = parseWireTime(text)
      assert.ok(instant)
      assert.equal(toWireTime(instant), means)
    })
  }

  test('CORE-5 however many instants are rendered, each has its own text, again and again', () => {
    for (const round of [1, 2])
      for (let ms = 0; ms < 2_500; ms += 1)
        assert.equal(toWireTime(new Date(ms)), new Date(ms).toISOString(), `round ${round}`)
    assert.throws(() => toWireTime(new Date(Number.NaN)), RangeError)
  })

  const REFUSED = [
    { text: '', why: 'empty' },
    { text: '2025-10-13', why: 'a day is no instant' },
    { text: '2025-10-13T12:30:15', why: 'local time without offset' },
    { text: '2025-10-13 12:30:15Z', why: 'a space for the T' },
    { text: '2025-10-13T12:30Z', why: 'no seconds' },
    { text: '2025-02-29T00:00:00Z', why: 'no leap year' },
    { text: '2025-04-31T00:00:00Z', why: 'April has 30 days' },
    { text: '2025-13-01T00:00:00Z', why: 'no such month' },
    { text: '2025-10-13T24:00:00Z', why: 'no such hour' },
    { text: '2025-10-13T12:60:00Z', why: 'no such minute' },
    { text: '2025-10-13T12:30:60Z', why: 'leap seconds are not kept' },
    { text: '2025-10-13T12:30:15+24:00', why: 'no such offset' },
    { text: '2025-10-13T12:30:15.Z', why: 'a point without digits' },
    { text: '0000-01-01T00:00:00Z', why: 'the database knows no year 0' },
    { text: '0001-01-01T00:00:00+01:00', why: 'before year 1 in UTC' },
    { text: '9999-12-31T23:59:59-01:00', why: 'past year 9999 in UTC' },
    { text: '1760358615', why: 'a number of seconds' },
    { text: '2025-10-13T12:30:15Z\n', why: 'a trailing line break' },
  ]
  for (const { text, why } of REFUSED) {
    test(`CORE-5 ${JSON.stringify(text)} is no timestamp: ${why}`, () => {
      assert.equal(parseWireTime(text), undefined)
    })
  }
})

describe('dates', () => {
  const DATES = [
    { text: '2025-10-13', exists: true, why: 'an ordinary day' },
    { text: '2024-02-29', exists: true, why: 'a leap year' },
    { text: '2000-02-29', exists: true, why: 'divisible by 400' },
    { text: '1900-02-29', exists: false, why: 'a century is no leap year' },
    { text: '2025-02-29', exists: false, why: 'no leap year' },
    { text: '2025-04-31', exists: false, why: 'April has 30 days' },
    { text: '2025-00-10', exists: false, why: 'no month 0' },
    { text: '2025-13-10', exists: false, why: 'no month 13' },
    { text: '2025-10-00', exists: false, why: 'no day 0' },
    { text: '2025-10-32', exists: false, why: 'no day 32' },
    { text: '0000-01-01', exists: false, why: 'no year 0' },
    { text: '0001-01-01', exists: true, why: 'the first day' },
    { text: '25-10-13', exists: false, why: 'four digits for the year' },
    { text: '2025-1-3', exists: false, why: 'two digits each' },
    { text: '2025-10-13T00:00:00Z', exists: false, why: 'an instant' },
    { text: '+002025-10-13', exists: false, why: 'an extended year' },
    { text: '2025-10-13\n', exists: false, why: 'a trailing line break' },
    { text: '', exists: false, why: 'empty' },
  ]
  for (const { text, exists, why } of DATES) {
    test(`CORE-5 ${JSON.stringify(text)} ${exists ? 'is' : 'is not'} a date: ${why}`, () => {
      assert.equal(isCalendarDate(text), exists)
    })
  }

  test('CORE-5 the day of an instant is its day in UTC', () => {
    assert.equal(toWireDate(new Date('2025-10-13T23:59:59.999Z')), '2025-10-13')
  })
})

describe('durations', () => {
  const deadline = new Date('2025-10-13T12:00:00.000Z')
  const MOMENTS = [
    { shiftMs: -1, past: false, why: 'a millisecond before' },
    { shiftMs: 0, past: true, why: 'at its own instant' },
    { shiftMs: 1, past: true, why: 'a millisecond after' },
  ]
  for (const { shiftMs, past, why } of MOMENTS) {
    test(`CORE-60 a deadline ${past ? 'is' : 'is not'} past ${why}`, () => {
      assert.equal(isPast({ deadline, now: addMs(deadline, shiftMs) }), past)
    })
  }
})

describe('calendar months', () => {
  const CASES = [
    { from: '2026-01-15T10:00:00.000Z', months: 3, to: '2026-04-15T10:00:00.000Z', why: 'plain' },
    { from: '2026-11-30T10:00:00.000Z', months: 3, to: '2027-02-28T10:00:00.000Z', why: 'shorter' },
    { from: '2027-11-30T10:00:00.000Z', months: 3, to: '2028-02-29T10:00:00.000Z', why: 'leap' },
    {
      from: '2026-01-31T00:00:00.001Z',
      months: 3,
      to: '2026-04-30T00:00:00.001Z',
      why: 'the 31st',
    },
    {
      from: '2026-12-01T00:00:00.000Z',
      months: 1,
      to: '2027-01-01T00:00:00.000Z',
      why: 'a new year',
    },
    { from: '2026-05-31T23:59:59.999Z', months: -3, to: '2026-02-28T23:59:59.999Z', why: 'back' },
  ]
  for (const { from, months, to, why } of CASES) {
    test(`${months} months from ${from} are ${to}: ${why}`, () => {
      assert.equal(toWireTime(addMonths(new Date(from), months)), to)
    })
  }
})
