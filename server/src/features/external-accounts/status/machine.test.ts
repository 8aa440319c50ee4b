import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMachine, nextState } from '../../../kernel/machine.ts'
import type { ExternalAccountEvent } from './machine.ts'
import { externalAccount } from './machine.ts'
import type { ExternalAccountStatus } from '../ownership/rules.ts'
import { EXTERNAL_ACCOUNT_STATUSES } from '../ownership/rules.ts'

const MOVES = `
  PENDING                        | clear      | ACTIVE                         | screening found nothing
  PENDING                        | hit        | UNDER_REVIEW                   | screening found something
  PENDING                        | block      | INACTIVE                       | screening found too much
  ACTIVE                         | hit        | UNDER_REVIEW                   | a newer list has something
  ACTIVE                         | block      | INACTIVE                       | a newer list forbids it
  UNDER_REVIEW                   | hit        | UNDER_REVIEW                   | found again
  UNDER_REVIEW                   | block      | INACTIVE                       | screening found too much
  PENDING_OWNERSHIP_VERIFICATION | hit        | UNDER_REVIEW                   | screened before the proof
  PENDING_OWNERSHIP_VERIFICATION | block      | INACTIVE                       | screened before the proof
  UNVERIFIED                     | hit        | UNDER_REVIEW                   | screened without a proof
  UNVERIFIED                     | block      | INACTIVE                       | screened without a proof
  PENDING                        | activate   | ACTIVE                         | the operator screened by hand
  PENDING                        | review     | UNDER_REVIEW                   | and wants to look again
  ACTIVE                         | review     | UNDER_REVIEW                   | set by the operator
  ACTIVE                         | deactivate | INACTIVE                       | set by the operator
  ACTIVE                         | spend      | INACTIVE                       | an invoice is paid once
  UNDER_REVIEW                   | activate   | ACTIVE                         | set by the operator
  UNDER_REVIEW                   | deactivate | INACTIVE                       | set by the operator
  UNDER_REVIEW                   | spend      | INACTIVE                       | paid by what was under way
  INACTIVE                       | activate   | ACTIVE                         | set by the operator
  INACTIVE                       | review     | UNDER_REVIEW                   | set by the operator
  PENDING_OWNERSHIP_VERIFICATION | challenge  | PENDING_OWNERSHIP_VERIFICATION | asked for another proof
  PENDING_OWNERSHIP_VERIFICATION | prove      | ACTIVE                         | the holder is the holder
  PENDING_OWNERSHIP_VERIFICATION | failProof  | UNVERIFIED                     | wrong or late
  UNVERIFIED                     | challenge  | PENDING_OWNERSHIP_VERIFICATION | another try
`
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))

const { moves, states, unreachable } = describeMachine(externalAccount)

for (const [from, event, to, why] of MOVES) {
  test(`section 3: ${from} on ${event} becomes ${to}: ${why}`, () => {
    const next = nextState(
      externalAccount,
      from as ExternalAccountStatus,
      event as ExternalAccountEvent,
    )
    assert.equal(next, to)
  })
}

test('section 3: nothing else moves an external account, and every status can be reached', () => {
  assert.equal(moves.length, MOVES.length)
  assert.deepEqual(states.toSorted(), [...EXTERNAL_ACCOUNT_STATUSES].toSorted())
  assert.deepEqual(unreachable, [])
})
