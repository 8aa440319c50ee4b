import type { FieldError } from '../errors.ts'

const LENGTH_MAX = 255

/** `name` has 1 to 255 characters after trimming, none a control character (TOK-1, AGENT-1). Accepts any body. */
export function checkName(body: unknown): FieldError[] {
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
