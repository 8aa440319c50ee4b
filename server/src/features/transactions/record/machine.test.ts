import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMachine, nextState } from '../../../kernel/machine.ts'
import { incoming, outgoing, refund } from './machine.ts'

for (const machine of [
  describeMachine(outgoing),
  describeMachine(incoming),
  describeMachine(refund),
]) {
  test(`TXN-1 every state of the ${machine.name} can be reached`, () => {
    assert.deepEqual(machine.unreachable, [])
  })
}

test('TXN-1 which outgoing states are final', () => {
  assert.deepEqual(describeMachine(outgoing).terminal, ['REJECTED', 'FAILED', 'EXPIRED'])
})

test('TXN-1 a completed payment can only be returned', () => {
  assert.equal(nextState(outgoing, 'COMPLETED', 'return'), 'FAILED')
  for (const event of ['fail', 'cancel', 'process', 'complete', 'expire'] as const) {
    assert.equal(nextState(outgoing, 'COMPLETED', event), undefined)
  }
})

test('SCA-51 what awaits authorization never expires and cannot be rejected', () => {
  assert.equal(nextState(outgoing, 'PENDING_AUTHORIZATION', 'expire'), undefined)
  assert.equal(nextState(outgoing, 'PENDING_AUTHORIZATION', 'reject'), undefined)
  assert.equal(nextState(outgoing, 'PENDING_AUTHORIZATION', 'fail'), 'FAILED')
})

test('TXN-14 of an incoming payment only a pending one is decided, and refusals say so', () => {
  const { terminal, refusals } = describeMachine(incoming)
  assert.deepEqual(terminal, ['REJECTED', 'FAILED', 'EXPIRED'])
  assert.equal(refusals['approve'], 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL')
  assert.equal(refusals['reject'], 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL')
  assert.equal(nextState(incoming, 'PROCESSING', 'approve'), undefined)
})

test('PROV-85 of a completed incoming payment only a reversal makes a failed one', () => {
  assert.deepEqual(incoming.table.COMPLETED, { reverse: 'FAILED' })
})

test('TXN-15 a final payment is not cancelled', () => {
  assert.equal(describeMachine(outgoing).refusals['cancel'], 'TRANSACTION_NOT_CANCELLABLE')
  assert.equal(nextState(outgoing, 'FAILED', 'cancel'), undefined)
  assert.equal(nextState(outgoing, 'PROCESSING', 'cancel'), 'FAILED')
})

test('TXN-7 PROV-55 a failed refund can be retried, and a completed one can only come back', () => {
  assert.equal(nextState(refund, 'FAILED', 'retry'), 'COMPLETED')
  assert.equal(nextState(refund, 'PENDING', 'retry'), undefined)
  assert.equal(nextState(refund, 'COMPLETED', 'return'), 'FAILED')
  assert.equal(nextState(refund, 'COMPLETED', 'retry'), undefined)
  assert.equal(nextState(refund, 'COMPLETED', 'fail'), undefined)
})
