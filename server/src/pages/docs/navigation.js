/** The list at the left: groups that open, a search over names, paths and error codes, arrow keys. */
import { announce, h } from './dom.js'

const FIXED = [
  ['', 'Overview'],
  ['errors', 'Errors'],
  ['webhooks', 'Webhooks'],
]

/**
 * @typedef {{ element: HTMLElement, link: HTMLElement, note: HTMLElement, text: string, codes: string[] }} Entry
 * @typedef {{ element: any, entries: Entry[] }} Group
 */

/**
 * @param {object} options
 * @param {import('./model.js').Model} options.model
 * @param {HTMLElement} options.list
 * @param {HTMLInputElement} options.search
 * @param {HTMLElement} options.empty shown when nothing matches
 */
export function setUpNavigation({ model, list, search, empty }) {
  const groups = [...model.groups.map(operationGroup), webhookGroup(model)].filter(
    (group) => group !== undefined,
  )
  const errors = errorGroup(model)
  const fixed = h(
    'ul',
    { class: 'nav-fixed' },
    FIXED.map(([hash, title]) => h('li', {}, h('a', { href: `#${hash}` }, title))),
  )
  list.replaceChildren(fixed, ...groups.map((group) => group.element), errors.element)

  const filter = () => {
    const words = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean)
    const isSearching = words.length > 0
    fixed.hidden = isSearching
    // A typed code finds the code and the operations that answer it; a typed name finds the operation.
    const isByName = !isCodeLike(search.value) && groups.some((group) => hasNameMatch(group, words))
    if (isByName) list.append(errors.element)
    else list.prepend(errors.element)
    let count = 0
    for (const group of [...groups, errors]) count += filterGroup(group, words, isByName)
    errors.element.hidden ||= !isSearching
    empty.hidden = !isSearching || count > 0
    if (isSearching) announce(`${count} ${count === 1 ? 'result' : 'results'}`)
    else markCurrent(list)
  }
  search.addEventListener('input', filter)
  search.addEventListener('keydown', (event) => searchKeys(event, { list, search, filter }))
  list.addEventListener('keydown', (event) => listKeys(event, { list, search }))
  filter()
  return { markCurrent: () => markCurrent(list) }
}

/**
 * @param {{ href: string, title: string, method?: string, words: string[], codes?: string[] }} options
 * @returns {Entry}
 */
function entry({ href, title, method, words, codes = [] }) {
  const note = h('span', { class: 'nav-note', hidden: true })
  const mark =
    method &&
    h(
      'span',
      { class: `nav-method method-${method.toLowerCase()}` },
      method === 'DELETE' ? 'DEL' : method,
    )
  const link = h('a', { href }, h('span', { class: 'nav-title' }, title, note), mark)
  const text = words.join(' ').toLowerCase()
  return { element: h('li', {}, link), link, note, text, codes }
}

/**
 * @param {string} title
 * @param {Entry[]} entries
 * @returns {Group}
 */
function makeGroup(title, entries) {
  const element = h(
    'details',
    { class: 'nav-group', 'data-title': title },
    h('summary', {}, title),
    h(
      'ul',
      {},
      entries.map((item) => item.element),
    ),
  )
  return { element, entries }
}

/** @param {import('./model.js').Model['groups'][number]} group */
function operationGroup({ tag, operations }) {
  const entries = operations.map((operation) => {
    const { id, title, method, path } = operation
    const words = [title, id, method, path, tag, operation.permission ?? '']
    return entry({ href: `#${id}`, title, method, words, codes: operation.errors })
  })
  return makeGroup(tag, entries)
}

/** @param {import('./model.js').Model} model */
function webhookGroup(model) {
  if (model.webhooks.length === 0) return undefined
  const entries = model.webhooks.map(({ name, title }) =>
    entry({
      href: `#webhooks/${encodeURIComponent(name)}`,
      title,
      words: ['webhook event', name, title],
    }),
  )
  return makeGroup('Webhook events', entries)
}

/** @param {import('./model.js').Model} model */
function errorGroup(model) {
  const entries = model.errors.map(({ code, status }) =>
    entry({ href: `#errors/${code}`, title: code, words: ['error', code, String(status)] }),
  )
  return makeGroup('Error codes', entries)
}

/**
 * Shows what holds every word; an operation found by its error code says which.
 * @param {Group} group
 * @param {string[]} words
 * @param {boolean} isByName error codes do not count
 */
function filterGroup(group, words, isByName) {
  let count = 0
  for (const item of group.entries) {
    const codes = isByName ? [] : item.codes
    const code = codes.find((candidate) => words.some((word) => isCodeMatch(candidate, word)))
    const text = code ? `${item.text} ${code.toLowerCase()}` : item.text
    const isShown = words.every((word) => text.includes(word))
    const byCode = isShown && !words.every((word) => item.text.includes(word))
    item.element.hidden = !isShown
    item.note.hidden = !byCode
    item.note.textContent = byCode ? (code ?? '') : ''
    if (isShown) count += 1
  }
  group.element.hidden = count === 0
  group.element.open = words.length > 0 && count > 0
  return count
}

/** @param {string} text */
const isCodeLike = (text) => text.includes('_') || /^[A-Z]{4,}$/.test(text.trim())

/**
 * @param {Group} group
 * @param {string[]} words
 */
const hasNameMatch = (group, words) =>
  group.entries.some((item) => words.every((word) => item.text.includes(word)))

/**
 * @param {string} code
 * @param {string} word
 */
const isCodeMatch = (code, word) => word.length > 2 && code.toLowerCase().includes(word)

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
    if (group && !group.hidden) group.open = true
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
 * A single code is part of the errors page.
 * @param {HTMLAnchorElement} link
 * @param {string} route
 */
function isCurrent(link, route) {
  const target = decodeURIComponent(link.hash.slice(1))
  return target === route || (target === 'errors' && route.startsWith('errors/'))
}

/** @param {HTMLElement} list */
function stops(list) {
  const all = /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll('summary, a'))
  return [...all].filter((element) => element.checkVisibility())
}

/**
 * @param {KeyboardEvent} event
 * @param {{ list: HTMLElement, search: HTMLInputElement, filter: () => void }} options
 */
function searchKeys(event, { list, search, filter }) {
  const links = stops(list).filter((element) => element.matches('a'))
  if (event.key === 'ArrowDown') {
    event.preventDefault()
    ;(search.value ? links[0] : stops(list)[0])?.focus()
  } else if (event.key === 'Enter' && search.value) {
    event.preventDefault()
    links[0]?.click()
  } else if (event.key === 'Escape' && search.value) {
    event.preventDefault()
    search.value = ''
    filter()
  }
}

/**
 * @param {KeyboardEvent} event
 * @param {{ list: HTMLElement, search: HTMLInputElement }} options
 */
function listKeys(event, { list, search }) {
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
