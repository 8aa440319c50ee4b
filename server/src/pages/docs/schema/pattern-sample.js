/**
 * A text that matches a pattern, so that generated examples pass validation. Covers what field
 * patterns use: literals, classes, groups, alternatives, quantifiers. Undefined when it cannot.
 */

const REPEAT_MAX = 64
const CLASS_SAMPLES = /** @type {Record<string, string>} */ ({
  d: '0123456789',
  w: 'abcdef',
  s: ' ',
})

/**
 * @param {string} pattern
 * @param {{ minLength?: number | undefined }} [limits]
 * @returns {string | undefined}
 */
export function samplePattern(pattern, { minLength = 0 } = {}) {
  try {
    const matcher = new RegExp(pattern, 'u')
    const sample = alternatives({ pattern, at: 0, count: 0, minLength })
    return matcher.test(sample) && sample.length >= minLength ? sample : undefined
  } catch {
    return undefined
  }
}

/**
 * @typedef {{ pattern: string, at: number, count: number, minLength: number }} Cursor
 * @param {Cursor} cursor
 */
function alternatives(cursor) {
  const first = sequence(cursor)
  while (cursor.pattern[cursor.at] === '|') {
    cursor.at += 1
    sequence(cursor)
  }
  return first
}

/** @param {Cursor} cursor */
function sequence(cursor) {
  let text = ''
  while (cursor.at < cursor.pattern.length && !'|)'.includes(cursor.pattern[cursor.at] ?? '')) {
    const start = cursor.at
    const atom = () => {
      cursor.at = start
      return readAtom(cursor)
    }
    const one = atom()
    const times = quantifier(cursor, one === '' ? 0 : cursor.minLength - text.length)
    const after = cursor.at
    let part = ''
    for (let count = 0; count < times; count += 1) part += count === 0 ? one : atom()
    cursor.at = after
    text += part
  }
  return text
}

/** @param {Cursor} cursor */
function readAtom(cursor) {
  const char = cursor.pattern[cursor.at] ?? ''
  cursor.at += 1
  if (char === '^' || char === '$') return ''
  if (char === '.') return pick(cursor, 'abcdefgh')
  if (char === '[') return pick(cursor, readClass(cursor))
  if (char === '(') return readGroup(cursor)
  if (char === '\\') return readEscape(cursor)
  return char
}

/** @param {Cursor} cursor */
function readGroup(cursor) {
  const opening = /^\?(:|<?[=!]|<[^>]+>)?/.exec(cursor.pattern.slice(cursor.at))
  if (opening) cursor.at += opening[0].length
  const inside = alternatives(cursor)
  cursor.at += 1
  const isLookaround = /[=!]$/.test(opening?.[0] ?? '')
  return isLookaround ? '' : inside
}

/** @param {Cursor} cursor */
function readEscape(cursor) {
  const char = cursor.pattern[cursor.at] ?? ''
  cursor.at += 1
  if (char === 'p') {
    cursor.at = cursor.pattern.indexOf('}', cursor.at) + 1
    return pick(cursor, 'ABCDEFGH')
  }
  const sample = CLASS_SAMPLES[char]
  return sample ? pick(cursor, sample) : char
}

/**
 * The characters of a class; of a negated one, the letters that it leaves.
 * @param {Cursor} cursor
 */
function readClass(cursor) {
  const negated = cursor.pattern[cursor.at] === '^'
  if (negated) cursor.at += 1
  let allowed = ''
  while (cursor.pattern[cursor.at] !== ']') {
    const char = classCharacter(cursor)
    const isRange = cursor.pattern[cursor.at] === '-' && cursor.pattern[cursor.at + 1] !== ']'
    if (!isRange) allowed += char
    else {
      cursor.at += 1
      allowed += range(char, classCharacter(cursor))
    }
  }
  cursor.at += 1
  if (!negated) return allowed
  return [...'abcdefgh0123'].filter((char) => !allowed.includes(char)).join('')
}

/** @param {Cursor} cursor */
function classCharacter(cursor) {
  const char = cursor.pattern[cursor.at] ?? ''
  cursor.at += 1
  if (char !== '\\') return char
  const escaped = cursor.pattern[cursor.at] ?? ''
  cursor.at += 1
  return CLASS_SAMPLES[escaped] ?? escaped
}

/**
 * @param {string} from
 * @param {string} to
 */
function range(from, to) {
  const start = from.codePointAt(0) ?? 0
  const length = Math.min((to.codePointAt(0) ?? 0) - start + 1, 10)
  return String.fromCodePoint(...Array.from({ length }, (_, index) => start + index))
}

/**
 * Walks through the class, so that a number reads 1234… and not 0000….
 * @param {Cursor} cursor
 * @param {string} allowed
 */
function pick(cursor, allowed) {
  cursor.count += 1
  return allowed[cursor.count % allowed.length] ?? ''
}

/**
 * How often the atom is repeated: as little as is allowed, but once where zero is the least.
 * @param {Cursor} cursor
 * @param {number} wanted to reach the least length
 */
function quantifier(cursor, wanted) {
  const match = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(cursor.pattern.slice(cursor.at))
  if (!match) return 1
  cursor.at += match[0].length
  const [, symbol, least, comma, most] = match
  if (symbol === '?') return 0
  if (symbol) return Math.min(Math.max(wanted, 1), REPEAT_MAX)
  const low = Number(least)
  if (!comma) return Math.min(low, REPEAT_MAX)
  const high = most ? Number(most) : REPEAT_MAX
  return Math.min(Math.max(low, Math.min(wanted, high)), REPEAT_MAX)
}
