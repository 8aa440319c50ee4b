/**
 * Finds entries by words, ranked. Every word has to match somewhere in an entry, exactly, by its beginning or but for a
 * slip; the words in one piece count too, so that `locked currency side` finds the field and `api key` its synonym.
 *
 * @typedef {{ text: string, weight: number, why?: string, whole?: boolean }} Term what an entry is found by; its words
 *   alone find it too, unless it counts only as a `whole`
 * @typedef {object} Entry
 * @property {string} href
 * @property {string} title
 * @property {string} [method]
 * @property {string} [detail] shown where nothing else explains the match
 * @property {Term[]} terms
 *
 * @typedef {{ entry: Entry, score: number, why: string | undefined }} Result
 * @typedef {{ score: number, why: string | undefined }} Hit
 */
import { isNear, singular, squeezed, wordsOf } from './words.js'

const QUALITY = { exact: 1, prefix: 0.55, near: 0.5 }
/** A word inside a longer text says less than a text that is the word. */
const PART_OF_TEXT = 0.8
/** All words as one name say more than each of them somewhere. */
const IN_ONE = 1.1
/** A longer text is a sentence, which nobody types in one piece. */
const NAME_WORDS_MAX = 7
const SILENT = new Set(
  'a an and by do for from how i in is it my of on or the to what with'.split(' '),
)

/** @param {Entry[]} entries the earlier of two equals comes first */
export function createSearch(entries) {
  const vocabulary = index(entries)
  const terms = [...vocabulary.keys()]

  /**
   * @param {string} query
   * @param {number} limit
   * @returns {Result[]}
   */
  return function search(query, limit = 30) {
    const all = [...new Set(query.split(/\s+/).flatMap((chunk) => queryWords(chunk)))]
    const telling = all.filter((word) => !SILENT.has(word))
    const words = withNames(telling.length > 0 ? telling : all, vocabulary)
    if (words.length === 0) return []
    const whole = hitsOf(singular(squeezed(query)))
    const each = words.map(hitsOf)
    const complete = combine(each, whole, words.length)
    const found = complete.length > 0 ? complete : combine(each, whole, 1)
    return found
      .toSorted((a, b) => b.score - a.score || a.at - b.at)
      .slice(0, limit)
      .map(({ at, score, why }) => ({ entry: /** @type {Entry} */ (entries[at]), score, why }))
  }

  /**
   * An identifier in one piece where one is known, its parts otherwise.
   * @param {string} chunk
   */
  function queryWords(chunk) {
    const one = singular(squeezed(chunk))
    const parts = wordsOf(chunk)
    const isKnown = parts.length > 1 && terms.some((term) => term.startsWith(one))
    return isKnown ? [one] : parts
  }

  /**
   * @param {string} word
   * @returns {Map<number, Hit>} by entry
   */
  function hitsOf(word) {
    /** @type {Map<number, Hit>} */
    const hits = new Map()
    const add = (/** @type {string} */ term, /** @type {number} */ quality) => {
      for (const { at, score, why } of vocabulary.get(term) ?? []) {
        keepBest(hits, at, { score: score * quality, why })
      }
    }
    for (const term of terms) {
      if (term === word) add(term, QUALITY.exact)
      else if (term.startsWith(word))
        add(term, QUALITY.prefix * (0.5 + (0.5 * word.length) / term.length))
    }
    if (hits.size === 0) {
      for (const term of terms) if (isNear(word, term)) add(term, QUALITY.near)
    }
    return hits
  }
}

/**
 * Two words of several that are a name together count as one: `delete api key` is about an API key.
 * @param {string[]} words
 * @param {Map<string, unknown>} vocabulary
 */
function withNames(words, vocabulary) {
  if (words.length < 3) return words
  /** @type {string[]} */
  const result = []
  for (const word of words) {
    const pair = `${result.at(-1) ?? ''}${word}`
    if (result.length > 0 && vocabulary.has(pair)) result.splice(-1, 1, pair)
    else result.push(word)
  }
  return result
}

/**
 * Bodies share their fields, so most texts come many times.
 * @type {Map<string, { one: string | undefined, parts: string[] }>}
 */
const analysed = new Map()

/** @param {string} text */
function analyse(text) {
  let result = analysed.get(text)
  if (!result) {
    const words = wordsOf(text)
    const one = words.length <= NAME_WORDS_MAX ? singular(squeezed(text)) : undefined
    result = { one, parts: words.length > 1 ? [...new Set(words)] : [] }
    analysed.set(text, result)
  }
  return result
}

/**
 * @typedef {Hit & { at: number }} Posting
 * @param {Entry[]} entries
 * @returns {Map<string, Posting[]>} by word, the best of each entry
 */
function index(entries) {
  /** @type {Map<string, Posting[]>} */
  const vocabulary = new Map()
  const put = (/** @type {string} */ word, /** @type {Posting} */ posting) => {
    const postings = vocabulary.get(word)
    const last = postings?.at(-1)
    if (!postings) vocabulary.set(word, [posting])
    else if (last?.at !== posting.at) postings.push(posting)
    else if (posting.score > last.score) postings[postings.length - 1] = posting
  }
  for (const [at, { terms }] of entries.entries()) {
    for (const { text, weight, why, whole } of terms) {
      const { one, parts } = analyse(text)
      if (one) put(one, { at, score: weight, why })
      if (!whole) for (const part of parts) put(part, { at, score: weight * PART_OF_TEXT, why })
    }
  }
  return vocabulary
}

/**
 * @param {Map<number, Hit>} hits
 * @param {number} at
 * @param {Hit} hit
 */
function keepBest(hits, at, hit) {
  if (hit.score > (hits.get(at)?.score ?? 0)) hits.set(at, hit)
}

/**
 * @param {Map<number, Hit>[]} each the hits of every word
 * @param {Map<number, Hit>} whole those of all words in one piece
 * @param {number} wordsMin how many have to match
 */
function combine(each, whole, wordsMin) {
  const all = new Set([whole, ...each].flatMap((hits) => [...hits.keys()]))
  return [...all].flatMap((at) => {
    const hits = each.flatMap((one) => one.get(at) ?? [])
    const inOne = whole.get(at)
    if (hits.length < wordsMin && !inOne) return []
    // The weakest word decides as much as the strongest: `create card` is about both.
    const mean = hits.reduce((sum, hit) => sum + hit.score, 0) / Math.max(each.length, 1)
    const named = (inOne?.score ?? 0) * IN_ONE
    const score = Math.max(mean, named)
    const telling = inOne && named > mean ? [inOne] : hits
    const whys = [...new Set(telling.flatMap((hit) => hit.why ?? []))]
    return [{ at, score, why: whys.slice(0, 2).join(', ') || undefined }]
  })
}
