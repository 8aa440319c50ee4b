import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMachine, type Machine } from '../../kernel/machine.ts'
import {
  ISSUANCE_STATUSES,
  issuance,
  LINK_STATUSES,
  OPERATION_STATUSES,
  providerLink,
  stablecoinOperation,
} from './machine.ts'

const CASES: readonly [Machine<never, never>, readonly string[], string][] = [
  [
    providerLink as never,
    LINK_STATUSES,
    `
    ACTIVE  | refuse | INVALID | a later verification fails
    ACTIVE  | revoke | REVOKED | the provider's word, or the operator's
    INVALID | revoke | REVOKED | the same
    `,
  ],
  [
    issuance as never,
    ISSUANCE_STATUSES,
    `
    PENDING_REVIEW | provision | PROVISIONING | the review ended well
    PENDING_REVIEW | finish    | PROVISIONED  | and the coin was there at once
    PENDING_REVIEW | reject    | REJECTED     | the review did not
    PENDING_REVIEW | fail      | FAILED       | the provider gave up
    PROVISIONING   | finish    | PROVISIONED  | the coin is there
    PROVISIONING   | reject    | REJECTED     | the provider changed its mind
    PROVISIONING   | fail      | FAILED       | the provider gave up
    `,
  ],
  [
    stablecoinOperation as never,
    OPERATION_STATUSES,
    `
    CREATED          | awaitFunding | PENDING_FUNDING  | funds come from outside
    CREATED          | accept       | PENDING_PROVIDER | the provider fetches them itself
    PENDING_FUNDING  | process      | PROCESSING       | they came in time
    PENDING_FUNDING  | expire       | EXPIRED          | they did not
    PENDING_PROVIDER | process      | PROCESSING       | the provider started
    PENDING_PROVIDER | fail         | FAILED           | or could not
    PROCESSING       | complete     | COMPLETED        | minted or burnt
    PROCESSING       | fail         | FAILED           | the provider failed on the way
    `,
  ],
]

for (const [machine, statuses, table] of CASES) {
  const { name, moves, states, unreachable } = describeMachine(machine)
  const expected = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([from = '', transition = '', to = '']) => ({ from, transition, to }))

  test(`section 3: a ${name} has exactly these moves and reaches every status`, () => {
    assert.deepEqual(moves, expected)
    assert.deepEqual(states, [...statuses])
    assert.deepEqual(unreachable, [])
  })
}

test('STBL-23 COMPLETED, FAILED and EXPIRED are final, and so is a REVOKED link', () => {
  assert.deepEqual(describeMachine(stablecoinOperation).terminal, [
    'COMPLETED',
    'FAILED',
    'EXPIRED',
  ])
  assert.deepEqual(describeMachine(providerLink).terminal, ['REVOKED'])
})
