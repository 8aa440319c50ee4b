import type { TSchema } from '../schema/type.ts'
import { editDistance } from '../../../kernel/text/edit-distance.ts'
import { FIELD_ERRORS_MAX, type FieldError } from '../../../kernel/errors.ts'

export type UnknownParameters = Readonly<{
  errors: readonly FieldError[]
  /** By the sent name: the parameter with the most similar name. */
  suggestions: Readonly<Record<string, string>>
}>

const NONE: UnknownParameters = { errors: [], suggestions: {} }
const DISTANCE_MAX = 2

/**
 * Refuses query parameters that the operation does not have, since a mistyped filter would be answered with everything
 * (CORE-13). `spellings` gives other accepted names of a parameter.
 */
export function parameterChecker(
  schema: TSchema | undefined,
  spellings: (name: string) => readonly string[] = () => [],
): (query: unknown) => UnknownParameters {
  const { properties = {} } = (schema ?? {}) as { properties?: object }
  const known = Object.keys(properties)
  const candidates = known.flatMap((name) =>
    [name, ...spellings(name)].map((spelling) => ({ name, folded: folded(spelling) })),
  )
  return (query) => {
    const unknown = Object.keys(query as object).filter((name) => !Object.hasOwn(properties, name))
    if (unknown.length === 0) return NONE
    const found = unknown.map((name, n) => ({
      name,
      near: n < FIELD_ERRORS_MAX ? nearest(folded(name), candidates) : undefined,
    }))
    return {
      errors: found.map(({ name, near }) => ({ field: name, message: messageOf(known, near) })),
      suggestions: Object.fromEntries(
        found.flatMap(({ name, near }) => (near === undefined ? [] : [[name, near]])),
      ),
    }
  }
}

const folded = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '')

type Candidate = Readonly<{ name: string; folded: string }>

/** The most similar known name; the first of equally similar ones. */
function nearest(sent: string, candidates: readonly Candidate[]): string | undefined {
  let best: Readonly<{ name: string; distance: number }> | undefined
  for (const candidate of candidates) {
    if (Math.abs(candidate.folded.length - sent.length) > DISTANCE_MAX) continue
    const distance = editDistance(sent, candidate.folded)
    if (distance <= DISTANCE_MAX && distance < (best?.distance ?? Infinity)) {
      best = { name: candidate.name, distance }
    }
  }
  return best?.name
}

function messageOf(known: readonly string[], near: string | undefined): string {
  const offered = known.length > 0 ? known.join(', ') : 'none'
  const question = near === undefined ? '' : `; did you mean ${near}?`
  return `is not a parameter of this operation, which takes ${offered}${question}`
}
