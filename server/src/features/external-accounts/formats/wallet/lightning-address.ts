import { hasNamedFormat } from '../named-format.ts'

/** As long as a mailbox may be. */
const LENGTH_MAX = 254

/** An e-mail's form; what starts with `$` is a UMA address and has its own way. */
export function isLightningAddress(text: string): boolean {
  return text.length <= LENGTH_MAX && !text.startsWith('$') && hasNamedFormat('email', text)
}
