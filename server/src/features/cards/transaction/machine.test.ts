import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMachine, nextState } from '../../../kernel/machine.ts'
import {
  cardTransaction,
  type CardTransactionEvent,
  type CardTransactionStatus,
} from './machine.ts'

type Move = readonly [
  rule: string,
  from: CardTransactionStatus,
  event: CardTransactionEvent,
  to: CardTransactionStatus | undefined,
  why: string,
]

const MOVES: readonly Move[] = [
  ['CTXN-8', 'AUTHORIZED', 'clearPart', 'PARTIALLY_SETTLED', 'the rest stays reserved'],
  ['CTXN-8', 'SETTLED', 'clearPart', undefined, 'an authorization that is over has no rest'],
  ['CTXN-6', 'AUTHORIZED', 'clearShort', 'EXCEPTION', 'the further pull failed'],
  ['CTXN-9', 'AUTHORIZED', 'end', 'SETTLED', 'nothing was cleared'],
  ['CTXN-9', 'PARTIALLY_SETTLED', 'endRefunded', 'REFUNDED', 'all that was cleared is returned'],
  ['CTXN-20', 'SETTLED', 'end', undefined, 'an authorization ends once'],
  ['CTXN-18', 'REFUNDED', 'clear', 'SETTLED', 'a late clearing is pulled'],
  ['CTXN-18', 'EXCEPTION', 'clear', 'EXCEPTION', 'a clearing repays no shortfall'],
  ['CTXN-4', 'AUTHORIZED', 'returnPart', undefined, 'nothing was cleared yet'],
  ['CTXN-11', 'PARTIALLY_SETTLED', 'returnAll', 'PARTIALLY_SETTLED', 'the rest is still reserved'],
  ['CTXN-11', 'EXCEPTION', 'returnShort', 'EXCEPTION', 'the shortfall is not repaid yet'],
  ['CTXN-11', 'EXCEPTION', 'returnPart', 'SETTLED', 'the shortfall is repaid'],
  ['CTXN-12', 'REFUNDED', 'reverseShort', 'EXCEPTION', 'the account cannot pay it back'],
  ['CTXN-12', 'SETTLED', 'reverseReturn', undefined, 'only a refunded transaction is reversed'],
  ['CTXN-4', 'DECLINED', 'clear', undefined, 'a declined transaction takes nothing'],
]

for (const [rule, from, event, to, why] of MOVES) {
  test(`${rule} ${from} and ${event}: ${why}`, () => {
    assert.equal(nextState(cardTransaction, from, event), to)
  })
}

test('every status is reached, and only DECLINED is the end', () => {
  const { unreachable, terminal } = describeMachine(cardTransaction)
  assert.deepEqual([unreachable, terminal], [[], ['DECLINED']])
})
