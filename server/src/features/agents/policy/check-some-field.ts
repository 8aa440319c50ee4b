import type { FieldError } from '../../../kernel/errors.ts'

/** AGENT-8: whoever changes nothing at all has made a mistake; for any input. */
export function checkSomeField(body: unknown, fields: readonly string[]): FieldError[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  if (fields.some((field) => Object.hasOwn(body, field))) return []
  return [{ field: '', message: `must have at least one of ${fields.join(', ')}` }]
}
