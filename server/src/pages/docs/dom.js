/**
 * Elements without a framework. Everything is built as nodes, never as HTML text, so that nothing
 * in the description can become markup.
 */

const SVG = 'http://www.w3.org/2000/svg'

/** Stroke paths on a 16 by 16 grid. */
const ICON_PATHS = {
  check: 'M3 8.5l3.2 3.2L13 4.8',
  chevron: 'M6 3.5L10.5 8 6 12.5',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2',
  key: 'M10.5 9.5a3.5 3.5 0 1 0-3.3-2.3L2.5 12v1.5H5V12h1.5v-1.5L8 9.2M11 5h.01',
  link: 'M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2-2a2.6 2.6 0 0 0-3.7-3.7l-.8.8M9.2 6.8a2.6 2.6 0 0 0-3.7 0l-2 2a2.6 2.6 0 0 0 3.7 3.7l.8-.8',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7L14 14',
}

/**
 * @typedef {Node | string | number | false | null | undefined | Child[]} Child
 * @param {string} tag
 * @param {Record<string, any>} [attributes] `on…` adds a listener; false and undefined are left out
 * @param {...Child} children
 * @returns {any}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else if (name === 'value') /** @type {any} */ (element).value = value
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  append(element, children)
  return element
}

/**
 * @param {Element} parent
 * @param {Child[]} children
 */
function append(parent, children) {
  for (const child of children) {
    if (child === undefined || child === null || child === false) continue
    if (Array.isArray(child)) append(parent, child)
    else parent.append(child instanceof Node ? child : String(child))
  }
}

/** @param {keyof typeof ICON_PATHS} name */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('class', `icon icon-${name}`)
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', ICON_PATHS[name])
  svg.append(path)
  return svg
}

let lastId = 0

/**
 * An id no other element of the page has, for labels and descriptions.
 * @param {string} stem
 */
export function uniqueId(stem) {
  lastId += 1
  return `${stem}-${lastId}`
}

/**
 * Says something to a screen reader without moving the focus.
 * @param {string} text
 */
export function announce(text) {
  const region = document.getElementById('announcer')
  if (region) region.textContent = text
}

/**
 * @param {() => string} textOf
 * @param {string} what named to a screen reader: "Copy the curl command"
 */
export function copyButton(textOf, what) {
  const label = h('span', { class: 'copy-label' }, 'Copy')
  const button = h(
    'button',
    { type: 'button', class: 'copy', 'aria-label': `Copy ${what}`, title: `Copy ${what}` },
    icon('copy'),
    label,
  )
  button.addEventListener('click', async () => {
    const copied = await copyText(textOf())
    label.textContent = copied ? 'Copied' : 'Press Ctrl+C'
    announce(copied ? `Copied ${what}` : 'Copying was refused by the browser')
    button.classList.toggle('copied', copied)
    setTimeout(() => {
      label.textContent = 'Copy'
      button.classList.remove('copied')
    }, 1600)
  })
  return button
}

/** @param {string} text */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Plain http on another host has no clipboard interface; a selection can still be copied.
    const area = h('textarea', { class: 'visually-hidden', 'aria-hidden': 'true', value: text })
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)
    document.body.append(area)
    area.select()
    const copied = document.execCommand('copy')
    area.remove()
    focused?.focus()
    return copied
  }
}

/** @param {string} method */
export function methodBadge(method) {
  return h('span', { class: `method method-${method.toLowerCase()}` }, method)
}

/**
 * A path whose parameters stand out and whose slashes may break the line.
 * @param {string} path
 */
export function pathText(path) {
  const parts = path.split(/(\{[^}]+\})/)
  return h(
    'code',
    { class: 'path' },
    parts.map((part) =>
      part.startsWith('{')
        ? h('span', { class: 'path-parameter' }, part)
        : part.split(/(?<=\/)/).flatMap((piece) => [piece, h('wbr')]),
    ),
  )
}

/**
 * Says beside a control what is wrong with it.
 * @param {HTMLElement} control
 * @param {HTMLElement} problem
 * @param {string} text empty when nothing is
 */
export function setProblem(control, problem, text) {
  problem.textContent = text
  problem.hidden = !text
  if (text) control.setAttribute('aria-invalid', 'true')
  else control.removeAttribute('aria-invalid')
}

/** Beside the label of a control, which tells a screen reader by itself that it is required. */
export const requiredMark = () =>
  h('span', { class: 'field-required', 'aria-hidden': 'true' }, 'required')

/**
 * @param {string} id of a control whose problem, if any, stands in `<id>-problem`
 * @param {boolean} required
 */
export const controlAttributes = (id, required) => ({
  id,
  'aria-describedby': `${id}-problem`,
  'aria-required': required ? 'true' : undefined,
})
