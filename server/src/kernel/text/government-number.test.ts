import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskGovernmentNumber } from './government-number.ts'

for (const [number, shown] of [
  ['123-45-6789', '***-**-6789'],
  ['912-34-5678', '***-**-5678'],
  ['AB1234567', '*****4567'],
  ['12.345.678/0001-90', '**.***.***/***1-90'],
  ['X1', 'X1'],
] as const) {
  test(`BO-10 HOOK-5 inside a customer ${number} is shown as ${shown}`, () => {
    assert.equal(maskGovernmentNumber(number), shown)
  })
}
