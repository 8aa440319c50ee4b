import { MIMEType } from 'node:util'
import { fail } from '../../kernel/errors.ts'

export const JSON_BODY_BYTES_MAX = 1024 * 1024
const NESTING_MAX = 64
/**
 * In all lists of a body together, twice as many as any operation can use. Every entry may be wrong, and then has its
 * own error in the answer (CORE-30): a megabyte of wrong entries would be an answer of eighty, for which everybody
 * else on this process waits.
 */
const ENTRIES_MAX = 5_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** CORE-2: JSON in UTF-8, which it is also where no charset is named; other parameters say nothing about it. */
function isJson(type: string): boolean {
  if (type === 'application/json') return true
  try {
    const { essence, params } = new MIMEType(type)
    const charset = params.get('charset') ?? 'utf-8'
    return essence === 'application/json' && charset.toLowerCase() === 'utf-8'
  } catch {
    return false
  }
}

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

/** The entries of all lists; nesting is bounded by then. */
function entriesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  const own = Array.isArray(value) ? inner.length : 0
  return inner.reduce<number>((sum, one) => sum + entriesIn(one), own)
}

/**
 * CORE-2 and ERR-5: what is not said to be JSON is refused, as is text that is not UTF-8, not JSON, nested beyond 64
 * levels or endless in its lists. Fails: UNSUPPORTED_MEDIA_TYPE, INVALID_REQUEST_FORMAT.
 */
export function parseJsonBody(raw: Buffer, type: string | undefined): unknown {
  if (!isJson(type ?? '')) fail('UNSUPPORTED_MEDIA_TYPE')
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
  const value = parse(text)
  if (text.length > ENTRIES_MAX && entriesIn(value) > ENTRIES_MAX) {
    const reason = `More than ${ENTRIES_MAX} entries in lists.`
    return fail('INVALID_REQUEST_FORMAT', { reason })
  }
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    return fail('INVALID_REQUEST_FORMAT', { reason: 'The body is not valid JSON.' }, String(error))
  }
}
