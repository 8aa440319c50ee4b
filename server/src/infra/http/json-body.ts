import { fail } from '../../kernel/errors.ts'

export const JSON_BODY_BYTES_MAX = 1024 * 1024
const NESTING_MAX = 64

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** How deep brackets nest, strings left out; stops counting once it is deep enough to refuse. */
function nesting(text: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index]
    if (inString) {
      if (char === '\\') index += 1
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{' || char === '[') {
      depth += 1
      if (depth > deepest) deepest = depth
      if (deepest > NESTING_MAX) return deepest
    } else if (char === '}' || char === ']') depth -= 1
  }
  return deepest
}

/** CORE-2 and ERR-5: text that is not UTF-8, not JSON or nested beyond 64 levels is refused. */
export function parseJsonBody(raw: Buffer): unknown {
  let text: string
  try {
    text = utf8.decode(raw)
  } catch (error) {
    return fail('INVALID_REQUEST_FORMAT', { reason: 'The body is not valid UTF-8.' }, String(error))
  }
  // A body shorter than this cannot nest too deeply, so most requests skip the scan.
  if (text.length > NESTING_MAX && nesting(text) > NESTING_MAX) {
    return fail('INVALID_REQUEST_FORMAT', { reason: `Nested deeper than ${NESTING_MAX} levels.` })
  }
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    return fail('INVALID_REQUEST_FORMAT', { reason: 'The body is not valid JSON.' }, String(error))
  }
}
