import { FORMATS } from '../../../kernel/formats.ts'
import { invariant } from '../../../kernel/invariant.ts'

/** One of the formats every operation knows (CORE-31). */
export function hasNamedFormat(name: 'email' | 'tel', text: string): boolean {
  const format = FORMATS[name]
  invariant(format, `The kernel has no format ${name}.`)
  return format(text)
}
