import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMachine, nextState } from '../../../kernel/machine.ts'
import { signatureRequest } from './machine.ts'

test('SIGN-10 a signature request settles once, at once or by a job', () => {
  const { initial, terminal, unreachable } = describeMachine(signatureRequest)
  assert.deepEqual(initial, ['PENDING'])
  assert.deepEqual(terminal, ['SETTLED'])
  assert.deepEqual(unreachable, [])
  assert.equal(nextState(signatureRequest, 'PROCESSING', 'process'), undefined)
  assert.equal(nextState(signatureRequest, 'SETTLED', 'settle'), undefined)
})
