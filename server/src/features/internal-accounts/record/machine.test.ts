import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMachine } from '../../../kernel/machine.ts'
import { INTERNAL_ACCOUNT_STATUSES } from './internal-account.ts'
import { internalAccount } from './machine.ts'

test('an internal account moves only as chapter 30, section 3 states', () => {
  const { states, unreachable, terminal, moves } = describeMachine(internalAccount)
  assert.deepEqual(states.toSorted(), [...INTERNAL_ACCOUNT_STATUSES].toSorted())
  assert.deepEqual(unreachable, [])
  assert.deepEqual(terminal, ['CLOSED', 'FAILED'])
  assert.deepEqual(
    moves.map(({ from, transition, to }) => `${from} ${transition} ${to}`),
    [
      'PENDING provision ACTIVE',
      'PENDING markProvisioningFailed FAILED',
      'PENDING customerDeleted CLOSED',
      'ACTIVE freeze FROZEN',
      'ACTIVE customerDeleted CLOSED',
      'FROZEN unfreeze ACTIVE',
      'FROZEN customerDeleted CLOSED',
    ],
  )
})
