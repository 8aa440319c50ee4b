import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMachine, nextState } from '../../../kernel/machine.ts'
import { cardMachine, type CardEvent, type LiveCardState } from './machine.ts'

const MOVES: readonly (readonly [LiveCardState, CardEvent, LiveCardState | undefined, string])[] = [
  ['PROCESSING', 'provision', 'ACTIVE', 'the issuer provisioned it'],
  ['PROCESSING', 'reject', 'CLOSED', 'the issuer refused'],
  ['PROCESSING', 'withdraw', 'CLOSED', 'its cardholder is deleted meanwhile'],
  ['PROCESSING', 'close', undefined, 'a platform waits until it is provisioned'],
  ['PROCESSING', 'freeze', undefined, 'there is nothing to freeze yet'],
  ['ACTIVE', 'freeze', 'FROZEN', 'a pause'],
  ['ACTIVE', 'unfreeze', undefined, 'it is not frozen'],
  ['ACTIVE', 'close', 'CLOSED', 'for good'],
  ['FROZEN', 'unfreeze', 'ACTIVE', 'the pause is over'],
  ['FROZEN', 'freeze', undefined, 'it is frozen already'],
  ['FROZEN', 'close', 'CLOSED', 'for good'],
  ['ACTIVE', 'expire', 'CLOSED', 'its last month is over'],
  ['FROZEN', 'expire', 'CLOSED', 'its last month is over'],
  ['PROCESSING', 'expire', undefined, 'it has no month yet'],
  ['CLOSED', 'unfreeze', undefined, 'closed is closed'],
  ['CLOSED', 'withdraw', undefined, 'closed is closed'],
]

for (const [from, event, to, why] of MOVES) {
  test(`CARD-22 ${from} and ${event}: ${why}`, () => {
    assert.equal(nextState(cardMachine, from, event), to)
  })
}

test('every state is reached, and only CLOSED is the end', () => {
  const { unreachable, terminal } = describeMachine(cardMachine)
  assert.deepEqual([unreachable, terminal], [[], ['CLOSED']])
})
