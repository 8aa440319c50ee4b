import type { FieldConstraint, FieldError } from '../../../kernel/errors.ts'

/**
 * One fault of an account. `form` is refused everywhere; `strict` (check digits, directories, completeness) is refused
 * in PRODUCTION and on strict sandboxes, and a warning elsewhere (EACC-5).
 */
export type Finding = FieldError & Readonly<{ level: 'form' | 'strict' }>

type Broken = Readonly<{ field: string; message: string; constraint?: FieldConstraint }>

export function formFinding(broken: Broken): Finding {
  return { level: 'form', ...broken }
}

export function strictFinding(broken: Broken): Finding {
  return { level: 'strict', ...broken }
}

export function missing(field: string): Finding {
  return formFinding({ field, message: 'is required' })
}

export function notOneOf(field: string, allowed: readonly string[]): Finding {
  const message = `must be one of ${allowed.join(', ')}`
  return formFinding({ field, message, constraint: { enum: allowed } })
}

/** Prefixes the fields of an inner object's findings with that object's path. */
export function under(parent: string, findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => ({ ...finding, field: `${parent}.${finding.field}` }))
}

/** The first finding of each field; later ones usually follow from it. */
export function firstPerField(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return findings.filter(({ field }) => !seen.has(field) && seen.add(field))
}

export function toFieldError({ field, constraint, message }: Finding): FieldError {
  return { field, ...(constraint && { constraint }), message }
}
