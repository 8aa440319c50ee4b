/** The drafted call in the language that the reader chose, which is remembered. */
import { createCode } from '../code-block.js'
import { copyButton, h, uniqueId } from '../dom.js'
import { languagesOf, sampleOf } from './samples.js'

const REMEMBERED = 'florin-sample-language'
/** How far each key moves among the tabs. */
const MOVES = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }

/**
 * @param {{ operation: import('../model.js').Operation, serverUrl: string }} options
 */
export function sampleTabs({ operation, serverUrl }) {
  const languages = languagesOf(operation)
  const panelId = uniqueId('sample')
  const code = createCode({ id: panelId, role: 'tabpanel' })
  /** @type {import('../try-it/request.js').Draft | undefined} */
  let draft
  let chosen = languages.find((one) => one === remembered()) ?? languages[0]
  const tabs = languages.map((language) =>
    h(
      'button',
      { type: 'button', role: 'tab', id: uniqueId('tab'), class: 'tab', 'aria-controls': panelId },
      language,
    ),
  )
  const show = () => {
    for (const [index, tab] of tabs.entries()) {
      const isChosen = languages[index] === chosen
      tab.setAttribute('aria-selected', String(isChosen))
      tab.tabIndex = isChosen ? 0 : -1
      if (isChosen) code.element.setAttribute('aria-labelledby', tab.id)
    }
    if (!draft) return
    const kind = chosen === 'curl' ? 'shell' : 'program'
    code.update(sampleOf(chosen, { operation, draft, serverUrl }), kind)
  }
  const choose = (/** @type {number} */ index) => {
    chosen = languages[index]
    remember(chosen)
    show()
    tabs[index].focus()
  }
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener('click', () => choose(index))
    tab.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
      const move = MOVES[/** @type {'End'} */ (event.key)]
      if (move === undefined) return
      event.preventDefault()
      const last = tabs.length - 1
      const next = Number.isFinite(move) ? (index + move + tabs.length) % tabs.length : move
      choose(Math.min(Math.max(next, 0), last))
    })
  }
  show()
  const head = h(
    'div',
    { class: 'code-head' },
    h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Language of the sample' }, tabs),
    copyButton(code.text, 'the sample'),
  )
  return {
    element: h('div', { class: 'code-block' }, head, code.element),
    /** @param {import('../try-it/request.js').Draft} next */
    update(next) {
      draft = next
      show()
    },
  }
}

/** Browsers that keep nothing for this page throw. */
function remembered() {
  try {
    return localStorage.getItem(REMEMBERED)
  } catch {
    return null
  }
}

/** @param {string} language */
function remember(language) {
  try {
    localStorage.setItem(REMEMBERED, language)
  } catch {
    // Then the choice lasts as long as the view.
  }
}
