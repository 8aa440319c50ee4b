import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchLost } from './lost-time.ts'

test('a machine that stands still loses its time', () => {
  const lost = watchLost()
  const until = performance.now() + 600
  while (performance.now() < until);
  const share = lost()
  assert.ok(share > 0.8 && share <= 1, `${share}`)
})
