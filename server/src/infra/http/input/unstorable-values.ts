import type { FieldError } from '../../../kernel/errors.ts'

/** The errors of values that JSON can express but neither the database nor signed text can hold (ERR-5). */
export function unstorableValues(value: unknown): FieldError[] {
  const found: FieldError[] = []
  collect(value, [], found)
  return found
}

/** `path` is extended and shortened on the way; it becomes text only where something is wrong. */
function collect(value: unknown, path: string[], found: FieldError[]): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) found.push({ field: path.join('.'), message: MESSAGES.text })
    return
  }
  // JSON has no infinity, but a number with enough digits is parsed as infinity.
  if (typeof value === 'number' && !Number.isFinite(value))
    found.push({ field: path.join('.'), message: MESSAGES.number })
  if (typeof value !== 'object' || value === null) return
  const isList = Array.isArray(value)
  for (const key of Object.keys(value)) {
    const isNamed = isList || isStorable(key)
    path.push(isNamed ? key : key.toWellFormed().replaceAll('\u0000', '\ufffd'))
    if (isNamed) collect((value as Record<string, unknown>)[key], path, found)
    else found.push({ field: path.join('.'), message: MESSAGES.name })
    path.pop()
  }
}

const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

const MESSAGES = {
  text: 'must not contain U+0000 or unpaired surrogates',
  name: 'must not have U+0000 or unpaired surrogates in its name',
  number: 'must not be larger than a number can be',
}
