/**
 * The part of Markdown that descriptions use: paragraphs, headings, lists, tables, fenced code and
 * the inline marks. Anything else stays plain text.
 */
import { h } from './dom.js'

const INLINE =
  /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\b_([^_]+)_\b|\[([^\]]+)\]\(([^)\s]+)\)/g
const SAFE_LINK = /^(https?:\/\/|mailto:|#|\/)/

/**
 * @param {string | undefined} text
 * @param {string} [className]
 * @returns {HTMLElement | undefined}
 */
export function markdown(text, className = 'prose') {
  if (!text || !text.trim()) return undefined
  return h('div', { class: className }, blocks(text.replace(/\r\n/g, '\n').split('\n')))
}

/**
 * Inline marks only, for table cells and short remarks.
 * @param {string} text
 */
export function inline(text) {
  /** @type {(Node | string)[]} */
  const nodes = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    nodes.push(text.slice(end, match.index))
    end = match.index + match[0].length
    const [whole, code, strong, starred, underscored, label, address] = match
    if (code !== undefined) nodes.push(h('code', {}, code))
    else if (strong !== undefined) nodes.push(h('strong', {}, strong))
    else if (label !== undefined && SAFE_LINK.test(address ?? '')) {
      nodes.push(h('a', { href: address }, label))
    } else if (label !== undefined) nodes.push(whole)
    else nodes.push(h('em', {}, starred ?? underscored))
  }
  nodes.push(text.slice(end))
  return nodes
}

/** @param {string[]} lines */
function blocks(lines) {
  const result = []
  let at = 0
  while (at < lines.length) {
    const [node, next] = block(lines, at)
    if (node) result.push(node)
    at = next
  }
  return result
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @returns {[HTMLElement | undefined, number]}
 */
function block(lines, at) {
  const line = lines[at] ?? ''
  if (!line.trim()) return [undefined, at + 1]
  if (line.startsWith('```')) return fence(lines, at)
  const heading = /^(#{1,6})\s+(.*)$/.exec(line)
  if (heading) return [h('h3', {}, inline(heading[2] ?? '')), at + 1]
  if (/^\s*([-*]|\d+[.)])\s+/.test(line)) return list(lines, at)
  if (line.trim().startsWith('|')) return table(lines, at)
  const end = spanEnd(lines, at, (text) => Boolean(text.trim()) && !/^(```|#|\s*[-*]\s)/.test(text))
  const stop = Math.max(end, at + 1)
  return [h('p', {}, inline(lines.slice(at, stop).join(' '))), stop]
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
 * @returns {[HTMLElement, number]}
 */
function fence(lines, at) {
  const end = spanEnd(lines, at + 1, (text) => !text.startsWith('```'))
  const code = lines.slice(at + 1, end).join('\n')
  return [h('pre', { class: 'code', tabindex: '0' }, h('code', {}, code)), end + 1]
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @returns {[HTMLElement, number]}
 */
function list(lines, at) {
  const ordered = /^\s*\d/.test(lines[at] ?? '')
  const end = spanEnd(lines, at, (text) => Boolean(text.trim()))
  /** @type {string[]} */
  const items = []
  for (const line of lines.slice(at, end)) {
    const item = /^\s*(?:[-*]|\d+[.)])\s+(.*)$/.exec(line)
    if (item) items.push(item[1] ?? '')
    else items[items.length - 1] += ` ${line.trim()}`
  }
  const rows = items.map((item) => h('li', {}, inline(item)))
  return [h(ordered ? 'ol' : 'ul', {}, rows), end]
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @returns {[HTMLElement, number]}
 */
function table(lines, at) {
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
      row.map((cell) => h(tag, {}, inline(cell.trim()))),
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
