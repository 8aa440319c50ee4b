import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUsage, noUsage, usageAt, usageToWire } from './usage.ts'

const BOOKED = { day: '2026-01-30', dailyCount: 2, dailySpend: 70n, monthlySpend: 500n }

test('AGENT-20 days and months end at midnight in UTC', () => {
  const at = (text: string) => usageAt(BOOKED, new Date(text))
  assert.deepEqual(at('2026-01-30T23:59:59.999Z'), BOOKED)
  assert.deepEqual(at('2026-01-31T00:00:00.000Z'), {
    day: '2026-01-31',
    dailyCount: 0,
    dailySpend: 0n,
    monthlySpend: 500n,
  })
  const fresh = { day: '2026-02-01', dailyCount: 0, dailySpend: 0n, monthlySpend: 0n }
  assert.deepEqual(at('2026-02-01T00:00:00.000Z'), fresh)
})

test('AGENT-20 the same month of another year is another month', () => {
  assert.equal(usageAt(BOOKED, new Date('2027-01-30T12:00:00Z')).monthlySpend, 0n)
})

test('ACT-6 a movement counts once, in day and month', () => {
  assert.deepEqual(addUsage(BOOKED, 30n), {
    day: '2026-01-30',
    dailyCount: 3,
    dailySpend: 100n,
    monthlySpend: 530n,
  })
})

test('AGENT-20 counters are shown with the time of their reset', () => {
  assert.deepEqual(usageToWire(BOOKED, new Date('2026-12-31T10:00:00Z')), {
    dailyTransactionCount: 0,
    dailySpend: 0,
    dailyResetDate: '2027-01-01',
    monthlySpend: 0,
    monthlyResetMonth: '2027-01',
  })
})

test('ACT-6 AGENT-20 a decision after midnight loses no usage of the new day', () => {
  const booked = addUsage(noUsage(new Date('2026-02-01T00:00:00.001Z')), 70n)
  const late = addUsage(usageAt(booked, new Date('2026-01-31T23:59:59.999Z')), 20n)
  assert.deepEqual(late, { day: '2026-02-01', dailyCount: 2, dailySpend: 90n, monthlySpend: 90n })
})
