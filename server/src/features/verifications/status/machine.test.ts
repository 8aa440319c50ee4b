import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMachine } from '../../../kernel/machine.ts'
import { verification } from './machine.ts'

test('a verification can reach every status, and a decided one moves no more', () => {
  const { unreachable, terminal } = describeMachine(verification)
  assert.deepEqual(unreachable, [])
  assert.deepEqual(terminal, ['APPROVED', 'REJECTED'])
})
