/**
 * Which variant of a `oneOf` is looked at. The tree, the example and the request share the choice:
 * picking an account type in one place changes the example body too.
 */
import { h, requiredMark, uniqueId } from '../dom.js'

const SEGMENTS_MAX = 4
const SEGMENT_LETTERS_MAX = 40

/** @typedef {ReturnType<typeof createChoices>} Choices */

export function createChoices() {
  /** @type {Map<string, number>} */
  const byPath = new Map()
  const changes = new EventTarget()
  return {
    byPath,
    /** @param {string} path */
    get: (path) => byPath.get(path) ?? 0,
    /**
     * @param {string} path
     * @param {number} index
     */
    set(path, index) {
      if ((byPath.get(path) ?? 0) === index) return
      // Another variant has other fields: what was picked inside the old one means nothing now.
      for (const other of byPath.keys()) if (other.startsWith(path)) byPath.delete(other)
      byPath.set(path, index)
      changes.dispatchEvent(new CustomEvent('change', { detail: path }))
    },
    /** @param {(path: string) => void} listener */
    onChange(listener) {
      changes.addEventListener('change', (event) =>
        listener(/** @type {CustomEvent} */ (event).detail),
      )
    },
  }
}

/**
 * @typedef {object} PickerOptions
 * @property {Choices} choices
 * @property {string} path
 * @property {string | undefined} property
 * @property {string[]} labels
 * @property {(index: number) => void} [onPick]
 * @property {boolean} [compact] always a drop-down list
 */

/** @param {PickerOptions} options */
export function variantPicker(options) {
  const letters = options.labels.join('').length
  const asSegments =
    !options.compact && options.labels.length <= SEGMENTS_MAX && letters <= SEGMENT_LETTERS_MAX
  return asSegments ? segments(options) : dropDown(options)
}

/**
 * @param {PickerOptions} options
 * @param {(index: number) => void} show
 */
function connect({ choices, path, onPick }, show) {
  choices.onChange((changed) => {
    if (changed !== path) return
    show(choices.get(path))
    onPick?.(choices.get(path))
  })
}

/** @param {PickerOptions} options */
function dropDown(options) {
  const { choices, path, property, labels } = options
  const id = uniqueId('variant')
  const select = h(
    'select',
    { id, onchange: () => choices.set(path, select.selectedIndex) },
    labels.map((label) => h('option', {}, label)),
  )
  select.selectedIndex = choices.get(path)
  connect(options, (index) => {
    select.selectedIndex = index
  })
  const owner = options.compact ? path.split('.').at(-1) : undefined
  const words = [owner, property].filter(Boolean).join('.')
  return h(
    'div',
    { class: 'variant-picker' },
    h(
      'label',
      { for: id },
      h('code', {}, words || 'Variant'),
      property && !options.compact && [' ', requiredMark()],
    ),
    select,
  )
}

/** @param {PickerOptions} options */
function segments(options) {
  const { choices, path, property, labels } = options
  const name = uniqueId('variant')
  const inputs = labels.map((_, index) =>
    h('input', {
      type: 'radio',
      name,
      checked: index === choices.get(path),
      onchange: () => choices.set(path, index),
    }),
  )
  connect(options, (index) => {
    if (inputs[index]) inputs[index].checked = true
  })
  return h(
    'fieldset',
    { class: 'segments' },
    h('legend', {}, h('code', {}, property ?? 'Variant'), property && [' ', requiredMark()]),
    h(
      'div',
      { class: 'segments-row' },
      labels.map((label, index) => h('label', {}, inputs[index], h('span', {}, label))),
    ),
  )
}
