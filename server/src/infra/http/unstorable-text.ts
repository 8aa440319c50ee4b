import type { FieldError } from '../../kernel/errors.ts'

/** U+0000 and lone surrogates: no database text can hold them, so they are refused where they stand (ERR-5). */
export function unstorableText(value: unknown, path = ''): FieldError[] {
  if (typeof value === 'string') {
    if (!value.includes('\u0000') && value.isWellFormed()) return []
    return [{ field: path, message: 'must not contain U+0000 or unpaired surrogates' }]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    unstorableText(inner, path === '' ? key : `${path}.${key}`),
  )
}
