import type { FieldError } from '../../kernel/errors.ts'

const LENGTH_MAX = 255

/** AGENT-1: 1 to 255 characters after trimming, none of them a control character; for any input. */
export function checkAgentName(body: unknown): FieldError[] {
  const { name } = Object(body) as Readonly<{ name?: unknown }>
  if (typeof name !== 'string') return []
  const trimmed = name.trim()
  const field = 'name'
  if (trimmed === '') {
    return [{ field, constraint: { minLength: 1 }, message: 'must not be blank' }]
  }
  if ([...trimmed].length > LENGTH_MAX) {
    const message = `must have at most ${LENGTH_MAX} characters`
    return [{ field, constraint: { maxLength: LENGTH_MAX }, message }]
  }
  return /\p{Cc}/u.test(trimmed) ? [{ field, message: 'must not have control characters' }] : []
}

/** AGENT-8: whoever changes nothing at all has made a mistake; for any input. */
export function checkSomeField(body: unknown, fields: readonly string[]): FieldError[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  if (fields.some((field) => Object.hasOwn(body, field))) return []
  return [{ field: '', message: `must have at least one of ${fields.join(', ')}` }]
}
