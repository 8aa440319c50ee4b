/** A value by which the sandbox decides what the outside does, as data: made of the table that decides. */
export type MagicValue = Readonly<{
  /** What has the value. */
  object: string
  field: string
  match: Match
  value: string
  /** The operation in which it takes effect, by its id. */
  operation: string
  effect: string
}>

export const MATCHES = ['EQUALS', 'ENDS_WITH', 'CONTAINS'] as const
export type Match = (typeof MATCHES)[number]

export type MagicPlace = Readonly<Pick<MagicValue, 'object' | 'field' | 'operation'>> &
  Readonly<{ match?: Match }>

/** One entry for each row of a simulator's table; `effectOf` says in words what the row does. */
export const magicValues = <T>(
  { match = 'ENDS_WITH', ...place }: MagicPlace,
  table: Iterable<readonly [string, T]>,
  effectOf: (outcome: T) => string,
): readonly MagicValue[] =>
  [...table].map(([value, outcome]) => ({ ...place, match, value, effect: effectOf(outcome) }))
