/**
 * State machines as tables. Every state has a row; an event missing from a row is refused. No
 * guards and no effects in here: guards are rules, effects are the use-case that advances.
 */
import { fail } from './errors.ts'
import type { ErrorCode, ErrorDetails } from './errors.ts'
import { invariant } from './invariant.ts'

export type Machine<State extends string, Event extends string> = Readonly<{
  name: string
  initial: State
  /** Further states a thing may be born in, where creation itself decides. */
  alsoInitial?: readonly State[]
  table: Readonly<Record<State, Readonly<Partial<Record<Event, State>>>>>
  /** The code for a refused event; INVALID_STATE_TRANSITION where none is given. */
  refusals?: Readonly<Partial<Record<Event, ErrorCode>>>
}>

export function defineMachine<State extends string, Event extends string>(
  machine: Machine<State, Event>,
): Machine<State, Event> {
  return Object.freeze(machine)
}

/** Where the event leads, or undefined where the table refuses it. */
export function nextState<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  from: State,
  event: Event,
): State | undefined {
  invariant(Object.hasOwn(machine.table, from), `The ${machine.name} machine has no such state.`)
  const row = machine.table[from]
  return Object.hasOwn(row, event) ? row[event] : undefined
}

/** Where the event leads; fails with the machine's refusal. `details` adds what a chapter asks for. */
export function advance<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  from: State,
  event: Event,
  details?: ErrorDetails,
): State {
  const next = nextState(machine, from, event)
  if (next !== undefined) return next
  const code = machine.refusals?.[event] ?? 'INVALID_STATE_TRANSITION'
  return fail(code, { from, ...details }, `${machine.name}: ${event} is refused in ${from}`)
}

export function statesOf<State extends string>(machine: Machine<State, never>): State[] {
  return Object.keys(machine.table) as State[]
}

/** No event leads from it to another state. */
export function isTerminal<State extends string>(
  machine: Machine<State, never>,
  state: State,
): boolean {
  return Object.values<State | undefined>(machine.table[state]).every((next) => next === state)
}

export type MachineMove = Readonly<{ from: string; event: string; to: string }>

export type MachineDescription = Readonly<{
  name: string
  initial: readonly string[]
  states: readonly string[]
  terminal: readonly string[]
  /** Empty in a sound machine; each machine's test asserts it. */
  unreachable: readonly string[]
  moves: readonly MachineMove[]
  refusals: Readonly<Record<string, ErrorCode>>
}>

/** The table as plain data, for the generated reference and for tests. */
export function describeMachine<State extends string, Event extends string>(
  machine: Machine<State, Event>,
): MachineDescription {
  const states = statesOf<State>(machine)
  const moves = states.flatMap((from) =>
    Object.entries<State | undefined>(machine.table[from]).flatMap(([event, to]) =>
      to === undefined ? [] : [{ from, event, to }],
    ),
  )
  const initial = [machine.initial, ...(machine.alsoInitial ?? [])]
  const reached = new Set<string>(initial)
  // A Set is walked in insertion order and sees what is added on the way.
  for (const state of reached) {
    for (const move of moves) if (move.from === state) reached.add(move.to)
  }
  return {
    name: machine.name,
    initial,
    states,
    terminal: states.filter((state) => isTerminal<State>(machine, state)),
    unreachable: states.filter((state) => !reached.has(state)),
    moves,
    refusals: { ...machine.refusals } as Record<string, ErrorCode>,
  }
}
