/** The search at the head of the list: ranked results in the list's place, driven by the keyboard. */
import { announce, h } from '../dom.js'
import { methodMark, moveFocus, stops } from '../navigation.js'

/**
 * @param {object} options
 * @param {HTMLInputElement} options.search
 * @param {HTMLElement} options.list what there is while nothing is typed
 * @param {HTMLElement} options.results
 * @param {HTMLElement} options.empty shown when nothing matches
 * @param {() => (query: string) => import('./search-index.js').Result[]} options.createFinder
 */
export function setUpSearch({ search, list, results, empty, createFinder }) {
  /** @type {ReturnType<typeof createFinder> | undefined} */
  let find
  const prepare = () => (find ??= createFinder())
  const update = () => {
    const query = search.value.trim()
    const found = query ? prepare()(query) : []
    results.replaceChildren(...found.map(resultRow))
    results.scrollTop = 0
    results.hidden = found.length === 0
    list.hidden = query !== ''
    empty.hidden = query === '' || found.length > 0
    if (query) announce(resultWords(found))
  }
  search.addEventListener('focus', () => setTimeout(prepare))
  whenIdle(prepare)
  search.addEventListener('input', update)
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && search.value) {
      search.value = ''
      update()
    } else if (event.key === 'Enter') results.querySelector('a')?.click()
    else if (event.key === 'ArrowDown') stops(list.hidden ? results : list)[0]?.focus()
    else return
    event.preventDefault()
  })
  results.addEventListener('keydown', (event) => moveFocus(event, { list: results, search }))
  update()
}

/** @param {import('./search-index.js').Result} result */
function resultRow({ entry, why }) {
  const { href, title, method, detail } = entry
  const note = why ?? detail
  const link = h(
    'a',
    { href },
    h(
      'span',
      { class: 'nav-title' },
      breakable(title),
      note && h('span', { class: 'nav-note' }, breakable(note)),
    ),
    method && methodMark(method),
  )
  return h('li', {}, link)
}

/**
 * A name of several parts breaks between them where it is too long for the line.
 * @param {string} text
 */
const breakable = (text) => text.split(/(?<=[_./])/).flatMap((part) => [part, h('wbr')])

/** @param {import('./search-index.js').Result[]} found */
function resultWords(found) {
  if (found.length === 0) return 'Nothing matches'
  return `${found.length} ${found.length === 1 ? 'result' : 'results'}, first ${found[0]?.entry.title}`
}

/** @param {() => void} run */
function whenIdle(run) {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 5000 })
  else setTimeout(run, 1000)
}
