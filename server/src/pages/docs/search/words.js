/** Words as the search compares them: lower case, without plural, identifiers in one piece and in parts. */

const TYPO_WORD_MIN = 4
const TWO_TYPOS_WORD_MIN = 8

/** @param {string} text */
export const squeezed = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/**
 * The words of a text or an identifier: `lockedCurrencySide` and `locked currency sides` have the same ones.
 * @param {string} text
 */
export function wordsOf(text) {
  return text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map(singular)
}

/** @param {string} word */
export function singular(word) {
  if (word.length < 4 || word.endsWith('ss')) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.endsWith('s') ? word.slice(0, -1) : word
}

/**
 * Whether a word is another one but for a slip: one letter wrong, missing, too many or swapped; two in a long word.
 * @param {string} typed
 * @param {string} known
 */
export function isNear(typed, known) {
  if (typed.length < TYPO_WORD_MIN) return false
  const allowed = typed.length >= TWO_TYPOS_WORD_MIN ? 2 : 1
  return Math.abs(typed.length - known.length) <= allowed && distance(typed, known) <= allowed
}

/**
 * Letters to change, add, drop or swap with their neighbour.
 * @param {string} a
 * @param {string} b
 */
function distance(a, b) {
  /** @type {number[]} */
  let before = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        at(last, j) + 1,
        at(row, j - 1) + 1,
        at(last, j - 1) + (isSame ? 0 : 1),
        isSwapped ? at(before, j - 2) + 1 : Infinity,
      )
    }
    before = last
    last = row
  }
  return at(last, b.length)
}

/**
 * @param {number[]} row
 * @param {number} index
 */
const at = (row, index) => row[index] ?? Infinity
