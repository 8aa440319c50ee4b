import { FORMATS } from '../../../kernel/text/formats.ts'
import { invariant } from '../../../kernel/invariant.ts'

/** Checks one of the kernel's formats, which request schemas use too (CORE-31). */
export function hasNamedFormat(name: 'email' | 'tel', text: string): boolean {
  const format = FORMATS[name]
  invariant(format, `The kernel has no format ${name}.`)
  return format(text)
}
