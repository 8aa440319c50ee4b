import type { FieldError } from '../../kernel/errors.ts'

const LENGTH_MAX = 255

/** TOK-1: 1 to 255 characters after trimming, none of them a control character; for any input. */
export function checkTokenName(name: unknown): FieldError[] {
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
