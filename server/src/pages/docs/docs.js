/** Fetches the description, builds the list and shows the page that the address names. */
import { askForUsed, setUpCredentials } from './try-it/credentials.js'
import { h } from './dom.js'
import { createGuideLinks } from './guides/guide-links.js'
import { guidePage } from './guides/guide-page.js'
import { readGuides } from './guides/guide-text.js'
import {
  errorsView,
  groupView,
  overviewView,
  webhookView,
  webhooksView,
} from './views/guide-views.js'
import { createModel } from './model.js'
import { setUpNavigation } from './navigation.js'
import { operationView } from './views/operation-view.js'
import { createEntries } from './search/entries.js'
import { setUpSearch } from './search/search-box.js'
import { createSearch } from './search/search-index.js'

const main = /** @type {HTMLElement} */ (document.getElementById('main'))
const sidebar = /** @type {HTMLElement} */ (document.getElementById('sidebar'))
const menuButton = /** @type {HTMLElement} */ (document.getElementById('menu'))
const search = /** @type {HTMLInputElement} */ (document.getElementById('search'))
const list = /** @type {HTMLElement} */ (document.getElementById('nav-list'))
const results = /** @type {HTMLElement} */ (document.getElementById('results'))
const empty = /** @type {HTMLElement} */ (document.getElementById('nav-empty'))

async function start() {
  try {
    const [description, guides] = await Promise.all(['openapi.json', 'docs/guides.json'].map(read))
    run(createModel(description), readGuides(guides))
  } catch (error) {
    showFailure(/** @type {Error} */ (error).message)
  }
}

/** @param {string} name */
async function read(name) {
  const response = await fetch(name, { credentials: 'same-origin' })
  if (!response.ok) throw new Error(`${name}: the service answered ${response.status}`)
  return response.json()
}

/**
 * @param {import('./model.js').Model} model
 * @param {import('./guides/guide-text.js').GuideGroup[]} guideGroups
 */
function run(model, guideGroups) {
  askForUsed(model.operations)
  const version = document.getElementById('version')
  if (version) version.textContent = model.version
  const navigation = setUpNavigation({ model, guideGroups, list, search })
  const createFinder = () => createSearch(createEntries(model, guideGroups))
  setUpSearch({ search, list, results, empty, createFinder })
  let view = new AbortController()
  const show = (/** @type {boolean} */ isFirst) => {
    view.abort()
    view = new AbortController()
    const route = decodeURIComponent(location.hash.slice(1))
    main.replaceChildren(
      ...viewOf({ model, guideGroups, route, signal: view.signal }).filter(Boolean),
    )
    main.removeAttribute('aria-busy')
    navigation.markCurrent()
    closeMenu()
    settle(route, isFirst)
    const title = main.querySelector('h1')?.textContent?.trim()
    document.title = title ? `${title} · ${model.title}` : model.title
  }
  addEventListener('hashchange', () => show(false))
  show(true)
}

/**
 * @param {{ model: import('./model.js').Model, guideGroups: import('./guides/guide-text.js').GuideGroup[], route: string, signal: AbortSignal }} options
 * @returns {any[]}
 */
function viewOf({ model, guideGroups, route, signal }) {
  const [kind = '', ...rest] = route.split('/')
  const name = rest.join('/')
  const operation = model.operationById.get(route)
  if (operation) return operationView({ model, operation, signal })
  const guide = guideGroups
    .flatMap(({ guides }) => guides)
    .find((candidate) => `${route}/`.startsWith(`${candidate.route}/`))
  if (guide) {
    const links = createGuideLinks(model, guideGroups)(guide.route)
    return guidePage({ guide, groups: guideGroups, links })
  }
  if (route === '') return overviewView(model, guideGroups)
  if (kind === 'errors') return errorsView(model)
  const event = model.webhooks.find((candidate) => candidate.name === name)
  if (kind === 'webhooks') return event ? webhookView(model, event) : webhooksView(model)
  const group = model.groups.find((candidate) => candidate.tag === name)
  if (kind === 'tag' && group) return groupView(group)
  return [
    h('header', { class: 'view-head' }, h('h1', { tabindex: '-1' }, 'Nothing here')),
    h('p', {}, 'Nothing is called ', h('code', {}, route), '. ', h('a', { href: '#' }, 'Overview')),
  ]
}

/**
 * Puts eyes and focus where the new page begins; the first page leaves the focus alone.
 * @param {string} route
 * @param {boolean} isFirst
 */
function settle(route, isFirst) {
  const target = document.getElementById(route)
  if (target && main.contains(target)) {
    target.scrollIntoView()
    target.focus({ preventScroll: true })
    return
  }
  scrollTo(0, 0)
  if (!isFirst) main.querySelector('h1')?.focus({ preventScroll: true })
}

/** @param {string} reason */
function showFailure(reason) {
  main.removeAttribute('aria-busy')
  main.replaceChildren(
    h('header', { class: 'view-head' }, h('h1', {}, 'The reference could not be loaded')),
    h('p', { role: 'alert' }, `${reason}.`),
    h('button', { type: 'button', class: 'button', onclick: start }, 'Try again'),
  )
}

/** A link would change the address, and with it the page. */
function setUpSkip() {
  document.getElementById('skip')?.addEventListener('click', () => {
    const heading = main.querySelector('h1')
    ;(heading ?? main).focus()
  })
}

function closeMenu() {
  sidebar.classList.remove('sidebar-open')
  menuButton.setAttribute('aria-expanded', 'false')
}

function setUpMenu() {
  menuButton.addEventListener('click', () => {
    const isOpen = sidebar.classList.toggle('sidebar-open')
    menuButton.setAttribute('aria-expanded', String(isOpen))
    if (isOpen) search.focus()
  })
  const isOutside = (/** @type {any} */ target) =>
    target instanceof Node && !sidebar.contains(target) && !menuButton.contains(target)
  document.addEventListener('pointerdown', (event) => isOutside(event.target) && closeMenu())
  sidebar.addEventListener('focusout', (event) => isOutside(event.relatedTarget) && closeMenu())
  sidebar.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    if (!sidebar.classList.contains('sidebar-open')) return
    closeMenu()
    menuButton.focus()
  })
}

/** A slash, or Ctrl+K, goes to the search from anywhere but an input. */
function setUpShortcuts() {
  addEventListener('keydown', (event) => {
    const isTyping = /** @type {HTMLElement} */ (event.target).matches('input, textarea, select')
    const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey
    const isPalette = event.key === 'k' && (event.ctrlKey || event.metaKey)
    if (!isSlash && !isPalette) return
    event.preventDefault()
    sidebar.classList.add('sidebar-open')
    menuButton.setAttribute('aria-expanded', 'true')
    search.focus()
    search.select()
  })
}

setUpCredentials()
setUpSkip()
setUpMenu()
setUpShortcuts()
void start()
