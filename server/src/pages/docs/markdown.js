/**
 * The part of Markdown that descriptions and guides use: paragraphs, headings, lists, tables, fenced
 * code and the inline marks. Anything else stays plain text.
 *
 * @typedef {object} Links
 * @property {(address: string) => string | undefined} ofAddress where a link leads; none for a file of the repository
 * @property {(code: string) => string | undefined} ofCode what a piece of code names, if anything
 *
 * @typedef {{ route: string, links: Links }} Page a text with an address, whose headings have addresses below it
 */
import { createCode } from './code-block.js'
import { copyButton, h } from './dom.js'
import { HEADING, slugOf } from './guides/guide-text.js'

const INLINE =
  /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\b_([^_]+)_\b|\[([^\]]+)\]\(([^)\s]+)\)|<(https?:[^>\s]+)>/g
/** A drawing that no browser draws by itself; a table beside it says the same. */
const DRAWING = 'mermaid'
const LANGUAGES = /** @type {Record<string, [string, import('./code-block.js').Language]>} */ ({
  sh: ['Shell', 'shell'],
  js: ['JavaScript', 'program'],
  ts: ['TypeScript', 'program'],
  json: ['JSON', 'json'],
  sql: ['SQL', 'text'],
})
const SAFE_LINK = /^(https?:\/\/|mailto:|#|\/)/

/**
 * @param {string | undefined} text
 * @param {string} [className]
 * @param {Page} [page]
 * @returns {HTMLElement | undefined}
 */
export function markdown(text, className = 'prose', page = undefined) {
  if (!text || !text.trim()) return undefined
  return h('div', { class: className }, blocks(text.replace(/\r\n/g, '\n').split('\n'), page))
}

/**
 * Inline marks only, for table cells and short remarks.
 * @param {string} text
 * @param {Links} [links]
 * @returns {(Node | string)[]}
 */
export function inline(text, links = PLAIN_LINKS) {
  /** @type {(Node | string)[]} */
  const nodes = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    nodes.push(text.slice(end, match.index))
    end = match.index + match[0].length
    const [, code, strong, starred, underscored, label, address, bare] = match
    if (code !== undefined) nodes.push(codeNode(code, links))
    else if (strong !== undefined) nodes.push(h('strong', {}, inline(strong, links)))
    else if (label !== undefined) nodes.push(...linkNodes(label, address ?? '', links))
    else if (bare !== undefined) nodes.push(h('a', { href: bare }, bare))
    else nodes.push(h('em', {}, starred ?? underscored))
  }
  nodes.push(text.slice(end))
  return nodes
}

/** @type {Links} */
const PLAIN_LINKS = {
  ofAddress: (address) => (SAFE_LINK.test(address) ? address : undefined),
  ofCode: () => undefined,
}

/**
 * @param {string} code
 * @param {Links} links
 */
function codeNode(code, links) {
  const node = h('code', {}, code)
  const href = links.ofCode(code)
  return href ? h('a', { class: 'code-link', href }, node) : node
}

/**
 * @param {string} label
 * @param {string} address
 * @param {Links} links
 * @returns {(Node | string)[]}
 */
function linkNodes(label, address, links) {
  const href = links.ofAddress(address)
  if (href !== undefined) return [h('a', { href }, inline(label))]
  return [
    ...inline(label),
    ' ',
    h('span', { class: 'hint' }, `(${address.replace(/^[./]+/, '')} in the repository)`),
  ]
}

/**
 * @param {string[]} lines
 * @param {Page | undefined} page
 */
function blocks(lines, page) {
  const result = []
  let at = 0
  while (at < lines.length) {
    const [node, next] = block(lines, at, page)
    if (node) result.push(node)
    at = next
  }
  return result
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {Page | undefined} page
 * @returns {[HTMLElement | undefined, number]}
 */
function block(lines, at, page) {
  const line = lines[at] ?? ''
  if (!line.trim()) return [undefined, at + 1]
  if (line.startsWith('```')) return fence(lines, at)
  const [, marks, title = ''] = HEADING.exec(line) ?? []
  if (marks) return [heading(marks.length, title, page), at + 1]
  if (/^\s*([-*]|\d+[.)])\s+/.test(line)) return list(lines, at, page?.links)
  if (line.trim().startsWith('|')) return table(lines, at, page?.links)
  const end = spanEnd(lines, at, (text) => Boolean(text.trim()) && !/^(```|#|\s*[-*]\s)/.test(text))
  const stop = Math.max(end, at + 1)
  return [h('p', {}, inline(lines.slice(at, stop).join(' '), page?.links)), stop]
}

/**
 * @param {number} level
 * @param {string} title
 * @param {Page | undefined} page
 */
function heading(level, title, page) {
  if (!page) return h('h3', {}, inline(title))
  const id = `${page.route}/${slugOf(title)}`
  return h(`h${level}`, { id, tabindex: '-1' }, inline(title))
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {(line: string) => boolean} belongs
 */
function spanEnd(lines, at, belongs) {
  let end = at
  while (end < lines.length && belongs(lines[end] ?? '')) end += 1
  return end
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @returns {[HTMLElement | undefined, number]}
 */
function fence(lines, at) {
  const language = lines[at]?.slice(3).trim() ?? ''
  const end = spanEnd(lines, at + 1, (text) => !text.startsWith('```'))
  if (language === DRAWING) return [undefined, end + 1]
  const [title, kind] = LANGUAGES[language] ?? ['', 'text']
  const code = createCode({})
  code.update(lines.slice(at + 1, end).join('\n'), kind)
  const head = h(
    'div',
    { class: 'code-head' },
    h('span', { class: 'code-title' }, title),
    copyButton(code.text, 'the code'),
  )
  return [h('div', { class: 'code-block' }, head, code.element), end + 1]
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {Links} [links]
 * @returns {[HTMLElement, number]}
 */
function list(lines, at, links) {
  const ordered = /^\s*\d/.test(lines[at] ?? '')
  const end = spanEnd(lines, at, (text) => Boolean(text.trim()))
  /** @type {string[]} */
  const items = []
  for (const line of lines.slice(at, end)) {
    const item = /^\s*(?:[-*]|\d+[.)])\s+(.*)$/.exec(line)
    if (item) items.push(item[1] ?? '')
    else items[items.length - 1] += ` ${line.trim()}`
  }
  const rows = items.map((item) => h('li', {}, inline(item, links)))
  return [h(ordered ? 'ol' : 'ul', {}, rows), end]
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {Links} [links]
 * @returns {[HTMLElement, number]}
 */
function table(lines, at, links) {
  const end = spanEnd(lines, at, (text) => text.trim().startsWith('|'))
  const rows = lines
    .slice(at, end)
    .filter((line) => !/^\s*\|[\s|:-]+$/.test(line))
    .map((line) =>
      line
        .trim()
        .replace(/^\||\|$/g, '')
        .split('|'),
    )
  const [head = [], ...body] = rows
  const cells = (/** @type {string} */ tag, /** @type {string[]} */ row) =>
    h(
      'tr',
      {},
      row.map((cell) => h(tag, {}, inline(cell.trim(), links))),
    )
  const content = [
    h('thead', {}, cells('th', head)),
    h(
      'tbody',
      {},
      body.map((row) => cells('td', row)),
    ),
  ]
  return [h('div', { class: 'table-wrap', tabindex: '0' }, h('table', {}, content)), end]
}
