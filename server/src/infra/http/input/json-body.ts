import { MIMEType } from 'node:util'
import { fail } from '../../../kernel/errors.ts'

export const JSON_BODY_BYTES_MAX = 1024 * 1024
const NESTING_MAX = 64
/**
 * Keys of objects and entries of lists together. The largest legal body, a configuration of 100 currencies with every
 * field of the counterparty, has about 11,000; each further one costs time for which all other requests wait.
 */
const MEMBERS_MAX = 12_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** JSON in UTF-8, which is also the default charset; other parameters of the media type are ignored (CORE-2). */
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

type Scan = Readonly<{ deepest: number; keys: number; members: number; hasLongNumber: boolean }>

const QUOTE = 34
const BACKSLASH = 92

/** A number with so many digits, its point counted, may have more than JavaScript keeps. */
const LONG_NUMBER_CHARS = 17

const isDigitOrPoint = (code: number): boolean => (code >= 48 && code <= 57) || code === 46

/** The index of the closing quote of the string that begins at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  let end = start
  for (;;) {
    end = text.indexOf('"', end + 1)
    if (end < 0) return text.length
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return end
  }
}

/**
 * Counts nesting, keys (colons) and members (keys and list entries) of JSON text outside its strings, before it is
 * parsed, and looks for long numbers. Stops as soon as there is enough to refuse. Accepts any text.
 */
function scan(text: string): Scan {
  const isList: boolean[] = []
  let deepest = 0
  let keys = 0
  let entries = 0
  let digits = 0
  let hasLongNumber = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    digits = isDigitOrPoint(code) ? digits + 1 : 0
    if (digits === LONG_NUMBER_CHARS) hasLongNumber = true
    switch (code) {
      case QUOTE:
        index = endOfString(text, index)
        break
      case 58: // :
        keys += 1
        break
      case 44: // ,
        if (isList.at(-1)) entries += 1
        break
      case 91: // [
      case 123: // {
        // The first entry of a list has no comma; an empty list counts as one.
        if (code === 91) entries += 1
        isList.push(code === 91)
        if (isList.length > deepest) deepest = isList.length
        break
      case 93: // ]
      case 125: // }
        isList.pop()
        break
    }
    if (deepest > NESTING_MAX || keys + entries > MEMBERS_MAX) break
  }
  return { deepest, keys, members: keys + entries, hasLongNumber }
}

/** The number of keys of all objects in a parsed value, whose size is bounded by then. */
function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const one of value) count += keysIn(one)
    return count
  }
  for (const one of Object.values(value)) count += 1 + keysIn(one)
  return count
}

/**
 * Refuses a body without the media type of JSON, that is not UTF-8 or not JSON, is nested beyond 64 levels, or has too
 * many entries or a key twice (CORE-2, ERR-5). Fails: UNSUPPORTED_MEDIA_TYPE, INVALID_REQUEST_FORMAT.
 */
export function parseJsonBody(raw: Buffer, type: string | undefined): unknown {
  if (!isJson(type ?? '')) fail('UNSUPPORTED_MEDIA_TYPE')
  let text: string
  try {
    text = utf8.decode(raw)
  } catch (error) {
    return fail('INVALID_REQUEST_FORMAT', { reason: 'The body is not valid UTF-8.' }, String(error))
  }
  const { deepest, keys, members, hasLongNumber } = scan(text)
  if (deepest > NESTING_MAX) return malformed(`Nested deeper than ${NESTING_MAX} levels.`)
  if (members > MEMBERS_MAX) return malformed(`More than ${MEMBERS_MAX} keys and list entries.`)
  const value = parse(text, hasLongNumber)
  // Parsers differ in which of two equal keys they keep, so the body is refused.
  if (keysIn(value) !== keys) return malformed('An object has the same key twice.')
  return value
}

const malformed = (reason: string): never => fail('INVALID_REQUEST_FORMAT', { reason })

/** Turns a fraction that would be rounded to a whole number into NaN, so that it does not pass as an amount (CORE-6). */
function keepFraction(_key: string, value: unknown, ...[context]: { source?: string }[]): unknown {
  if (!Number.isInteger(value)) return value
  const [digits = '', exponent = '0'] = (context?.source ?? '').toLowerCase().split('e')
  const [whole = '', fraction = ''] = digits.split('.')
  const behindPoint = `${whole}${fraction}`.slice(Math.max(0, whole.length + Number(exponent)))
  return /[1-9]/.test(behindPoint) ? Number.NaN : value
}

function parse(text: string, hasLongNumber: boolean): unknown {
  try {
    const value: unknown = hasLongNumber ? JSON.parse(text, keepFraction) : JSON.parse(text)
    return value
  } catch (error) {
    const [, place = ''] = /\((line \d+ column \d+)\)/.exec(String(error)) ?? []
    const reason = `The body is not valid JSON${place && `: ${place}`}.`
    return fail('INVALID_REQUEST_FORMAT', { reason }, String(error))
  }
}
