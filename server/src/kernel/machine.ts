/**
 * State machines as tables. Every state has a row; a transition missing from a row is refused. Guards are in `rules.ts`
 * of a feature, effects in the use-case that advances the machine.
 */
import { fail } from './errors.ts'
import type { ErrorCode, ErrorDetails } from './errors.ts'
import { invariant } from './invariant.ts'

export type Machine<State extends string, Transition extends string> = Readonly<{
  name: string
  initial: State
  /** Further states in which a resource may be created. */
  alsoInitial?: readonly State[]
  table: Readonly<Record<State, Readonly<Partial<Record<Transition, State>>>>>
  /** The code for a refused transition; by default INVALID_STATE_TRANSITION. */
  refusals?: Readonly<Partial<Record<Transition, ErrorCode>>>
}>

export function defineMachine<State extends string, Transition extends string>(
  machine: Machine<State, Transition>,
): Machine<State, Transition> {
  return Object.freeze(machine)
}

/** The state after the transition; undefined where the table refuses it. */
export function nextState<State extends string, Transition extends string>(
  machine: Machine<State, Transition>,
  from: State,
  transition: Transition,
): State | undefined {
  invariant(Object.hasOwn(machine.table, from), `The ${machine.name} machine has no such state.`)
  const row = machine.table[from]
  return Object.hasOwn(row, transition) ? row[transition] : undefined
}

/** The state after the transition. Fails: the machine's refusal, with `details` beside the state. */
export function advance<State extends string, Transition extends string>(
  machine: Machine<State, Transition>,
  from: State,
  transition: Transition,
  details?: ErrorDetails,
): State {
  const next = nextState(machine, from, transition)
  if (next !== undefined) return next
  const code = machine.refusals?.[transition] ?? 'INVALID_STATE_TRANSITION'
  return fail(code, { from, ...details }, `${machine.name}: ${transition} is refused in ${from}`)
}

export function statesOf<State extends string>(machine: Machine<State, never>): State[] {
  return Object.keys(machine.table) as State[]
}

/** Whether no transition leads to another state. */
export function isTerminal<State extends string>(
  machine: Machine<State, never>,
  state: State,
): boolean {
  return Object.values<State | undefined>(machine.table[state]).every((next) => next === state)
}

export type MachineMove = Readonly<{ from: string; transition: string; to: string }>

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
export function describeMachine<State extends string, Transition extends string>(
  machine: Machine<State, Transition>,
): MachineDescription {
  const states = statesOf<State>(machine)
  const moves = states.flatMap((from) =>
    Object.entries<State | undefined>(machine.table[from]).flatMap(([transition, to]) =>
      to === undefined ? [] : [{ from, transition, to }],
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
