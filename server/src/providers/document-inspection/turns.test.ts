import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTurns } from './turns.ts'

function orderOf(waiting: readonly (readonly [string, string])[]): string[] {
  const turns = createTurns<string>()
  waiting.forEach(([platform, source], n) => turns.add({ platform, source }, `${source}${n}`))
  const taken = waiting.map(() => turns.take() ?? 'nothing')
  assert.equal(turns.take(), undefined)
  return taken
}

test('DOC-10 platforms take turns, and the links of a platform among themselves', () => {
  const one = [['A', 'a'] as const, ['A', 'a'] as const, ['A', 'a'] as const]
  assert.deepEqual(orderOf(one), ['a0', 'a1', 'a2'])
  assert.deepEqual(orderOf([...one, ['B', 'b']]), ['a0', 'b3', 'a1', 'a2'])
  assert.deepEqual(orderOf([...one, ['A', 'x'], ['B', 'b'], ['B', 'b']]), [
    ...['a0', 'b4', 'x3', 'b5', 'a1', 'a2'],
  ])
})
