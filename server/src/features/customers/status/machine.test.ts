import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMachine } from '../../../kernel/machine.ts'
import { customerStatus, CUSTOMER_STATUSES } from './machine.ts'

test('the statuses of a customer are those of the interface, and each can be reached', () => {
  const { states, unreachable, terminal } = describeMachine(customerStatus)
  assert.deepEqual(states.toSorted(), [...CUSTOMER_STATUSES].toSorted())
  assert.deepEqual(unreachable, [])
  assert.deepEqual(terminal, ['REJECTED'])
})
