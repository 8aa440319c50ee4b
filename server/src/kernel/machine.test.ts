import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from './errors.ts'
import type { ErrorCode } from './errors.ts'
import { InvariantError } from './invariant.ts'
import {
  advance,
  defineMachine,
  describeMachine,
  isTerminal,
  nextState,
  statesOf,
} from './machine.ts'

type State = 'OPEN' | 'HELD' | 'CLOSED' | 'LOST'
type Event = 'hold' | 'release' | 'close' | 'touch'

const door = defineMachine<State, Event>({
  name: 'door',
  initial: 'OPEN',
  table: {
    OPEN: { hold: 'HELD', close: 'CLOSED' },
    HELD: { release: 'OPEN', close: 'CLOSED' },
    CLOSED: { touch: 'CLOSED' },
    LOST: {},
  },
  refusals: { close: 'CARD_ALREADY_CLOSED' },
})

describe('a state machine', () => {
  const MOVES: readonly (readonly [State, Event, State])[] = [
    ['OPEN', 'hold', 'HELD'],
    ['OPEN', 'close', 'CLOSED'],
    ['HELD', 'release', 'OPEN'],
    ['HELD', 'close', 'CLOSED'],
    ['CLOSED', 'touch', 'CLOSED'],
  ]
  for (const [from, transition, to] of MOVES) {
    test(`CORE-44 ${transition} leads from ${from} to ${to}`, () => {
      assert.equal(advance(door, from, transition), to)
    })
  }

  const REFUSALS: readonly (readonly [State, Event, ErrorCode, string])[] = [
    ['OPEN', 'release', 'INVALID_STATE_TRANSITION', 'no code of its own'],
    ['HELD', 'hold', 'INVALID_STATE_TRANSITION', 'a state does not lead to itself unasked'],
    ['CLOSED', 'close', 'CARD_ALREADY_CLOSED', 'the machine names the code'],
    ['LOST', 'touch', 'INVALID_STATE_TRANSITION', 'an empty row refuses everything'],
  ]
  for (const [from, transition, code, why] of REFUSALS) {
    test(`CORE-44 ${transition} in ${from} is refused with ${code}: ${why}`, () => {
      assert.equal(nextState(door, from, transition), undefined)
      assert.throws(
        () => advance(door, from, transition),
        (error) => {
          assert.ok(error instanceof ApiError)
          assert.equal(error.code, code)
          assert.deepEqual(error.details, { from })
          return true
        },
      )
    })
  }

  test('CARD-22 a use-case may add what its chapter wants in the details', () => {
    assert.throws(
      () => advance(door, 'HELD', 'hold', { to: 'HELD' }),
      (error) => {
        assert.ok(error instanceof ApiError)
        assert.deepEqual(error.details, { from: 'HELD', to: 'HELD' })
        return true
      },
    )
  })

  test('a stored state that the table does not know is a bug, inherited names included', () => {
    for (const state of ['GONE', 'constructor', '__proto__']) {
      assert.throws(() => advance(door, state as State, 'hold'), InvariantError)
    }
    assert.equal(nextState(door, 'OPEN', 'toString' as Event), undefined)
  })

  test('states, and which of them are final', () => {
    assert.deepEqual(statesOf(door), ['OPEN', 'HELD', 'CLOSED', 'LOST'])
    const terminal = statesOf(door).filter((state) => isTerminal(door, state))
    assert.deepEqual(terminal, ['CLOSED', 'LOST'])
  })

  test('the description lists every move and finds what cannot be reached', () => {
    assert.deepEqual(describeMachine(door), {
      name: 'door',
      initial: ['OPEN'],
      states: ['OPEN', 'HELD', 'CLOSED', 'LOST'],
      terminal: ['CLOSED', 'LOST'],
      unreachable: ['LOST'],
      moves: MOVES.map(([from, transition, to]) => ({ from, transition, to })),
      refusals: { close: 'CARD_ALREADY_CLOSED' },
    })
    const { initial, unreachable } = describeMachine({ ...door, alsoInitial: ['LOST'] })
    assert.deepEqual(initial, ['OPEN', 'LOST'])
    assert.deepEqual(unreachable, [])
  })
})
