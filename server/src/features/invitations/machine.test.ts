import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMachine } from '../../kernel/machine.ts'
import { invitation } from './machine.ts'

test('INV-7 an invitation ends once: claimed, cancelled or expired', () => {
  const { initial, terminal, unreachable, moves } = describeMachine(invitation)
  assert.deepEqual(initial, ['PENDING'])
  assert.deepEqual(terminal, ['CLAIMED', 'EXPIRED', 'CANCELLED'])
  assert.deepEqual(unreachable, [])
  assert.equal(moves.length, 3)
})
