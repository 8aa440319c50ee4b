/** JSON as a literal of a language: on one line where it is short, else one entry per line. */

const LINE_LETTERS_MAX = 72

/**
 * @typedef {object} Language
 * @property {string} indent
 * @property {(text: string) => string} string
 * @property {(name: string) => string} key
 * @property {{ true: string, false: string, null: string }} words
 * @property {boolean} hasSpacedBraces `{ a: 1 }` instead of `{"a": 1}`
 */

/** @type {Language} */
export const TYPESCRIPT = {
  indent: '  ',
  string: (text) =>
    text.includes("'")
      ? JSON.stringify(text)
      : `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')}'`,
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : TYPESCRIPT.string(name)),
  words: { true: 'true', false: 'false', null: 'null' },
  hasSpacedBraces: true,
}

/** @type {Language} */
export const PYTHON = {
  indent: '    ',
  string: (text) => JSON.stringify(text),
  key: (name) => JSON.stringify(name),
  words: { true: 'True', false: 'False', null: 'None' },
  hasSpacedBraces: false,
}

/**
 * @param {Language} language
 * @param {any} value
 * @param {string} [margin] of the line on which it begins
 * @returns {string}
 */
export function literal(language, value, margin = '') {
  if (typeof value === 'string') return language.string(value)
  if (typeof value !== 'object' || value === null) {
    return language.words[/** @type {'null'} */ (String(value))] ?? String(value)
  }
  const below = margin + language.indent
  const isList = Array.isArray(value)
  const entries = Object.entries(value).map(([key, part]) => {
    const text = literal(language, part, below)
    return isList ? text : `${language.key(key)}: ${text}`
  })
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (entries.length === 0) return open + close
  const pad = !isList && language.hasSpacedBraces ? ' ' : ''
  const line = `${open}${pad}${entries.join(', ')}${pad}${close}`
  if (margin.length + line.length <= LINE_LETTERS_MAX && !line.includes('\n')) return line
  return `${open}\n${entries.map((entry) => `${below}${entry},\n`).join('')}${margin}${close}`
}
