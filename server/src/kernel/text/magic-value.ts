/** One row of the list of magic values, made from the table by which the sandbox decides. */
export type MagicValue = Readonly<{
  /** The resource that has the field. */
  object: string
  field: string
  match: Match
  value: string
  /** The id of the operation in which the value takes effect. */
  operation: string
  effect: string
}>

export const MATCHES = ['EQUALS', 'ENDS_WITH', 'CONTAINS'] as const
export type Match = (typeof MATCHES)[number]

export type MagicPlace = Readonly<Pick<MagicValue, 'object' | 'field' | 'operation'>> &
  Readonly<{ match?: Match }>

/** One magic value for each row of a simulator's table; `effectOf` describes the effect of a row. */
export const magicValues = <T>(
  { match = 'ENDS_WITH', ...place }: MagicPlace,
  table: Iterable<readonly [string, T]>,
  effectOf: (outcome: T) => string,
): readonly MagicValue[] =>
  [...table].map(([value, outcome]) => ({ ...place, match, value, effect: effectOf(outcome) }))
