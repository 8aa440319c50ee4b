/** Code to read and copy. Colours come from classes, as the content policy allows no inline style. */
import { copyButton, h } from './dom.js'

const JSON_TOKEN =
  /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const HIGHLIGHT_MAX = 200_000

/**
 * @param {{ title: string, text: string, language?: 'json' | 'shell' | 'text', what?: string }} options
 */
export function codeBlock({ title, text, language = 'text', what = 'the code' }) {
  let current = text
  const code = h('code', {})
  const pre = h('pre', { class: 'code', tabindex: '0', role: 'region', 'aria-label': title }, code)
  const update = (/** @type {string} */ next) => {
    current = next
    code.replaceChildren(...highlight(next, language))
  }
  update(text)
  const head = h(
    'div',
    { class: 'code-head' },
    h('span', { class: 'code-title' }, title),
    copyButton(() => current, what),
  )
  return { element: h('div', { class: 'code-block' }, head, pre), update }
}

/**
 * @param {string} text
 * @param {string} language
 * @returns {(Node | string)[]}
 */
function highlight(text, language) {
  if (language === 'shell') return highlightShell(text)
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

/** @param {string} text */
function highlightShell(text) {
  return text.split(/('(?:[^']|'\\'')*'|"[^"]*"|(?<=\s)-{1,2}[A-Za-z]+)/).map((part) => {
    if (/^['"]/.test(part)) return h('span', { class: 'token-string' }, part)
    return part.startsWith('-') ? h('span', { class: 'token-key' }, part) : part
  })
}

/** @param {unknown} value */
export const prettyJson = (value) => JSON.stringify(value, null, 2)
