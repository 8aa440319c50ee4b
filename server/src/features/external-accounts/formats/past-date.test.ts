import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPastDate } from './past-date.ts'

const NOW = new Date('2026-03-01T00:30:00Z')

const CASES: readonly [string, boolean, string][] = [
  ['1990-05-17', true, 'long ago'],
  ['2026-02-28', true, 'yesterday'],
  ['2026-03-01', false, 'today'],
  ['2026-03-02', false, 'tomorrow'],
  ['2023-02-29', false, 'not in the calendar'],
  ['1990-5-17', false, 'one digit'],
  ['17.05.1990', false, 'another order'],
]

for (const [text, expected, reason] of CASES) {
  test(`EACC-7 birth date ${text}: ${reason}`, () => {
    assert.equal(isPastDate(text, NOW), expected)
  })
}
