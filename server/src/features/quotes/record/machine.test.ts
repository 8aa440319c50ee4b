import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMachine, nextState } from '../../../kernel/machine.ts'
import { outgoing } from '../../transactions/record/machine.ts'
import { quote, type QuoteEvent, type QuoteStatus } from './machine.ts'

test('QUOTE-23 every state of a quote can be reached, and FAILED and EXPIRED are final', () => {
  const { unreachable, terminal } = describeMachine(quote)
  assert.deepEqual(unreachable, [])
  assert.deepEqual(terminal, ['FAILED', 'EXPIRED'])
})

test('TXN-1 a quote and its transaction move together, save that a rejected quote is FAILED', () => {
  for (const { from, transition, to } of describeMachine(quote).moves) {
    const moved = nextState(outgoing, from as QuoteStatus, transition as QuoteEvent)
    assert.equal(moved, transition === 'reject' ? 'REJECTED' : to, `${from} ${transition}`)
  }
})

test('TXN-15 a quote that was not executed is not cancelled, although a pending transfer is', () => {
  assert.equal(nextState(quote, 'PENDING', 'cancel'), undefined)
  assert.equal(nextState(outgoing, 'PENDING', 'cancel'), 'FAILED')
})

test('QUOTE-13 a quote executes from PENDING, by authorization from PENDING_AUTHORIZATION, else CONFLICT', () => {
  const { moves, refusals } = describeMachine(quote)
  const from = moves.filter((move) => move.transition === 'process').map((move) => move.from)
  assert.deepEqual(from, ['PENDING', 'PENDING_AUTHORIZATION'])
  assert.equal(refusals['process'], 'CONFLICT')
})
