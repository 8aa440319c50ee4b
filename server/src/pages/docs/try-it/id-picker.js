/** “Use one of mine”: a button beside a field that takes an id, and below it the reader's own objects to choose from. */
import { announce, h, uniqueId } from '../dom.js'
import { authorizationHeader, openCredentials } from './credentials.js'
import { sourcesOf } from './id-kinds.js'
import { loadOwn } from './own-objects.js'

/**
 * @param {object} options
 * @param {import('../model.js').Model} options.model
 * @param {import('./id-kinds.js').Source[]} options.sources at least one
 * @param {string} options.name of the field
 * @param {(id: string) => void} options.onPick fills the field and takes the focus
 */
export function idPicker({ model, sources, name, onPick }) {
  const id = uniqueId('own')
  const panel = h('div', { class: 'own-ids', id, hidden: true })
  const button = h(
    'button',
    {
      type: 'button',
      class: 'button button-small',
      'aria-expanded': 'false',
      'aria-controls': id,
      'aria-label': `Use one of mine for ${name}`,
    },
    'Use one of mine',
  )
  const show = (/** @type {boolean} */ isOpen) => {
    panel.hidden = !isOpen
    button.setAttribute('aria-expanded', String(isOpen))
  }
  const pick = (/** @type {import('./own-objects.js').OwnObject} */ own) => {
    show(false)
    onPick(own.id)
    announce(`${name} is ${own.words || own.id}`)
  }
  button.addEventListener('click', async () => {
    show(panel.hidden)
    if (panel.hidden) return
    panel.replaceChildren(h('p', { class: 'hint' }, 'Looking for yours…'))
    panel.replaceChildren(...(await choices({ model, sources, pick })))
    panel.querySelector('button')?.focus()
  })
  panel.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Escape') {
      show(false)
      button.focus()
    } else if (event.key === 'ArrowDown') step(panel, 1)
    else if (event.key === 'ArrowUp') step(panel, -1)
    else return
    event.preventDefault()
  })
  return { button, panel }
}

/**
 * A control as it is, or with the button and what it opens where it takes an id.
 * @param {any} control
 * @param {{ model: import('../model.js').Model, operation: import('../model.js').Operation, field: { name: string, pattern?: string } }} options
 */
export function withPicker(control, { model, operation, field }) {
  const sources = sourcesOf({ model, operation, field })
  if (sources.length === 0) return control
  const onPick = (/** @type {string} */ id) => {
    control.value = id
    control.dispatchEvent(new Event('input'))
    control.focus()
  }
  const { button, panel } = idPicker({ model, sources, name: field.name, onPick })
  return [h('div', { class: 'input-pair' }, control, button), panel]
}

/**
 * @param {{ model: import('../model.js').Model, sources: import('./id-kinds.js').Source[], pick: (own: import('./own-objects.js').OwnObject) => void }} options
 * @returns {Promise<HTMLElement[]>}
 */
async function choices({ model, sources, pick }) {
  const access = sources[0]?.operation.access ?? 'none'
  if (!authorizationHeader(access)) {
    return [
      h('p', { class: 'hint' }, 'Your objects are listed with your credentials.'),
      h(
        'button',
        { type: 'button', class: 'button button-small', onclick: openCredentials },
        'Add credentials',
      ),
    ]
  }
  try {
    const lists = await Promise.all(sources.map((source) => loadOwn(model, source)))
    const count = lists.flat().length
    announce(`${count} of yours`)
    if (count === 0) return [h('p', { class: 'hint' }, 'None yet.')]
    return sources.flatMap(({ operation }, at) =>
      choiceList({ title: sources.length > 1 ? operation.title : '', own: lists[at] ?? [], pick }),
    )
  } catch (error) {
    return [h('p', { class: 'problem', role: 'alert' }, /** @type {Error} */ (error).message)]
  }
}

/**
 * @param {{ title: string, own: import('./own-objects.js').OwnObject[], pick: (own: import('./own-objects.js').OwnObject) => void }} options
 */
function choiceList({ title, own, pick }) {
  if (own.length === 0) return []
  const rows = own.map((one) =>
    h(
      'li',
      {},
      h(
        'button',
        { type: 'button', onclick: () => pick(one) },
        h('span', {}, one.words),
        h('code', {}, one.id),
      ),
    ),
  )
  const heading = title.replace(/^List (the )?/, '')
  return [heading && h('p', { class: 'own-ids-head' }, heading), h('ul', {}, rows)].filter(Boolean)
}

/**
 * @param {HTMLElement} panel
 * @param {number} by
 */
function step(panel, by) {
  const buttons = [...panel.querySelectorAll('button')]
  const at = buttons.findIndex((button) => button === document.activeElement)
  buttons[Math.max(0, Math.min(at + by, buttons.length - 1))]?.focus()
}
