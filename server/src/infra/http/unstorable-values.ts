import type { FieldError } from '../../kernel/errors.ts'

/** What JSON can say and neither a database nor a text to sign can hold is refused where it stands (ERR-5). */
export function unstorableValues(value: unknown, path = ''): FieldError[] {
  if (typeof value === 'string') {
    return isStorable(value) ? [] : [{ field: path, message: MESSAGES.text }]
  }
  // JSON has no word for infinity, yet a number with enough digits is read as one.
  if (typeof value === 'number') {
    return Number.isFinite(value) ? [] : [{ field: path, message: MESSAGES.number }]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const isNamed = isStorable(key)
    const name = isNamed ? key : key.toWellFormed().replaceAll('\u0000', '\ufffd')
    const field = path === '' ? name : `${path}.${name}`
    return isNamed ? unstorableValues(inner, field) : [{ field, message: MESSAGES.name }]
  })
}

const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

const MESSAGES = {
  text: 'must not contain U+0000 or unpaired surrogates',
  name: 'must not have U+0000 or unpaired surrogates in its name',
  number: 'must not be larger than a number can be',
}
