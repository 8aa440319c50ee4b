/** The list at the left: guides and groups of operations that open, and arrow keys through all of it. */
import { h } from './dom.js'

const FIXED = [
  ['', 'Overview'],
  ['errors', 'Errors'],
  ['webhooks', 'Webhooks'],
]

/**
 * @param {object} options
 * @param {import('./model.js').Model} options.model
 * @param {import('./guides/guide-text.js').GuideGroup[]} options.guideGroups
 * @param {HTMLElement} options.list
 * @param {HTMLInputElement} options.search
 */
export function setUpNavigation({ model, guideGroups, list, search }) {
  const fixed = FIXED.map(([hash, title]) => h('li', {}, h('a', { href: `#${hash}` }, title)))
  list.replaceChildren(
    h('ul', { class: 'nav-fixed' }, fixed),
    part('Guides', guideGroups.map(guideGroup)),
    part('Operations', [...model.groups.map(operationGroup), ...webhookGroup(model)]),
  )
  list.addEventListener('keydown', (event) => moveFocus(event, { list, search }))
  return { markCurrent: () => markCurrent(list) }
}

/**
 * @param {string} title
 * @param {HTMLElement[]} groups
 */
const part = (title, groups) =>
  h('section', { class: 'nav-part' }, h('h2', { class: 'nav-heading' }, title), groups)

/**
 * @param {string} title
 * @param {{ href: string, title: string, method?: string }[]} entries
 */
function makeGroup(title, entries) {
  const rows = entries.map((entry) =>
    h(
      'li',
      {},
      h(
        'a',
        { href: entry.href },
        h('span', { class: 'nav-title' }, entry.title),
        entry.method && methodMark(entry.method),
      ),
    ),
  )
  return h(
    'details',
    { class: 'nav-group', 'data-title': title },
    h('summary', {}, title),
    h('ul', {}, rows),
  )
}

/** @param {string} method */
export const methodMark = (method) =>
  h(
    'span',
    { class: `nav-method method-${method.toLowerCase()}` },
    method === 'DELETE' ? 'DEL' : method,
  )

/** @param {import('./guides/guide-text.js').GuideGroup} group */
const guideGroup = ({ title, guides }) =>
  makeGroup(
    title,
    guides.map((guide) => ({ href: `#${guide.route}`, title: guide.title })),
  )

/** @param {import('./model.js').Model['groups'][number]} group */
const operationGroup = ({ tag, operations }) =>
  makeGroup(
    tag,
    operations.map(({ id, title, method }) => ({ href: `#${id}`, title, method })),
  )

/** @param {import('./model.js').Model} model */
function webhookGroup({ webhooks }) {
  if (webhooks.length === 0) return []
  const entries = webhooks.map(({ name, title }) => ({
    href: `#webhooks/${encodeURIComponent(name)}`,
    title,
  }))
  return [makeGroup('Webhook events', entries)]
}

/** @param {HTMLElement} list */
function markCurrent(list) {
  const route = decodeURIComponent(location.hash.slice(1))
  for (const link of list.querySelectorAll('a')) {
    if (!isCurrent(link, route)) {
      link.removeAttribute('aria-current')
      continue
    }
    link.setAttribute('aria-current', 'page')
    const group = link.closest('details')
    if (group) group.open = true
    bringIntoSight(list, link)
  }
  for (const group of list.querySelectorAll('details')) {
    if (route === `tag/${group.dataset.title}`) group.open = true
  }
}

/**
 * Not `scrollIntoView`: that would also move the place from which the Tab key goes on.
 * @param {HTMLElement} list
 * @param {HTMLElement} link
 */
function bringIntoSight(list, link) {
  const box = link.getBoundingClientRect()
  const frame = list.getBoundingClientRect()
  const isInSight = box.top >= frame.top && box.bottom <= frame.bottom
  if (!isInSight) list.scrollTop += box.top - frame.top - frame.height / 3
}

/**
 * A single code is part of the errors page, a heading part of its guide.
 * @param {HTMLAnchorElement} link
 * @param {string} route
 */
function isCurrent(link, route) {
  const target = decodeURIComponent(link.hash.slice(1))
  const hasParts = target === 'errors' || target.startsWith('/')
  return target === route || (hasParts && route.startsWith(`${target}/`))
}

/** @param {HTMLElement} list */
export function stops(list) {
  const all = /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll('summary, a'))
  return [...all].filter((element) => element.checkVisibility())
}

/**
 * @param {KeyboardEvent} event
 * @param {{ list: HTMLElement, search: HTMLInputElement }} options
 */
export function moveFocus(event, { list, search }) {
  const target = /** @type {HTMLElement} */ (event.target)
  const all = stops(list)
  const at = all.indexOf(target)
  const group = target.closest('details')
  if (event.key === 'ArrowDown') all[Math.min(at + 1, all.length - 1)]?.focus()
  else if (event.key === 'ArrowUp') (at > 0 ? all[at - 1] : search)?.focus()
  else if (event.key === 'Home') all[0]?.focus()
  else if (event.key === 'End') all.at(-1)?.focus()
  else if (event.key === 'ArrowRight' && group) group.open = true
  else if (event.key === 'ArrowLeft' && group) {
    group.open = false
    group.querySelector('summary')?.focus()
  } else return
  event.preventDefault()
}
