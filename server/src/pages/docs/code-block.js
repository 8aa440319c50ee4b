/** Code to read and copy. Colours come from classes, as the content policy allows no inline style. */
import { copyButton, h } from './dom.js'

const JSON_TOKEN =
  /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const HIGHLIGHT_MAX = 200_000

/** @typedef {'json' | 'shell' | 'program' | 'text'} Language */

/**
 * @param {{ title: string, text: string, language?: Language, what?: string }} options
 */
export function codeBlock({ title, text, language = 'text', what = 'the code' }) {
  const code = createCode({ role: 'region', 'aria-label': title })
  const update = (/** @type {string} */ next) => code.update(next, language)
  update(text)
  const head = h(
    'div',
    { class: 'code-head' },
    h('span', { class: 'code-title' }, title),
    copyButton(code.text, what),
  )
  return { element: h('div', { class: 'code-block' }, head, code.element), update }
}

/**
 * The code alone, for a head of one's own.
 * @param {Record<string, string>} attributes
 */
export function createCode(attributes) {
  let current = ''
  const code = h('code', {})
  return {
    element: h('pre', { class: 'code', tabindex: '0', ...attributes }, code),
    text: () => current,
    /**
     * @param {string} text
     * @param {Language} language
     */
    update(text, language) {
      current = text
      code.replaceChildren(...highlight(text, language))
    },
  }
}

/**
 * @param {string} text
 * @param {string} language
 * @returns {(Node | string)[]}
 */
function highlight(text, language) {
  if (language === 'shell') return highlightShell(text)
  if (language === 'program') return highlightProgram(text)
  if (language !== 'json' || text.length > HIGHLIGHT_MAX) return [text]
  /** @type {(Node | string)[]} */
  const nodes = []
  let end = 0
  for (const match of text.matchAll(JSON_TOKEN)) {
    nodes.push(text.slice(end, match.index))
    end = match.index + match[0].length
    const [whole, string, colon, word] = match
    if (string !== undefined && colon !== undefined) {
      nodes.push(h('span', { class: 'token-key' }, string), colon)
    } else {
      const kind = string !== undefined ? 'string' : word !== undefined ? 'word' : 'number'
      nodes.push(h('span', { class: `token-${kind}` }, whole))
    }
  }
  nodes.push(text.slice(end))
  return nodes
}

/** A comment may hold an apostrophe, and a text in double quotes an escaped quote. */
const SHELL_TOKEN = /((?<=\s)#[^\n]*|'(?:[^']|'\\'')*'|"(?:\\.|[^"\\])*"|(?<=\s)-{1,2}[A-Za-z]+)/

/** @param {string} text */
function highlightShell(text) {
  return text.split(SHELL_TOKEN).map((part) => {
    if (/^['"]/.test(part)) return h('span', { class: 'token-string' }, part)
    return part.startsWith('-') ? h('span', { class: 'token-key' }, part) : part
  })
}

const PROGRAM_TOKEN =
  /(\/\*[^]*?\*\/|\/\/[^\n]*)|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(\b(?:as|await|const|false|for|from|import|in|new|null|of|with|True|true|False|None)\b)|(\b\d+(?:\.\d+)?\b)/

/**
 * TypeScript and Python have strings, numbers and most of their words in common. What is in a comment stays as it is.
 * @param {string} text
 */
function highlightProgram(text) {
  const kinds = ['', '', 'string', 'word', 'number']
  return text.split(PROGRAM_TOKEN).map((part = '', index) => {
    const kind = kinds[index % kinds.length]
    return kind && part ? h('span', { class: `token-${kind}` }, part) : part
  })
}

/** @param {unknown} value */
export const prettyJson = (value) => JSON.stringify(value, null, 2)
