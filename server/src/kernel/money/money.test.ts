import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvariantError } from '../invariant.ts'
import { INT64_MAX, money } from './money.ts'

test('CORE-6 both ends of 64 bits are amounts, and nothing beyond them', () => {
  const largest = 9_223_372_036_854_775_807n
  assert.equal(INT64_MAX, largest)
  for (const amount of [largest, -largest - 1n]) {
    assert.deepEqual(money(amount, 'USD'), { amount, currency: 'USD' })
  }
  for (const amount of [largest + 1n, -largest - 2n]) {
    assert.throws(() => money(amount, 'USD'), InvariantError)
  }
})
