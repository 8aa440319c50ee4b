/** The inputs of a call: parameters, body, idempotency key. Tells its owner whenever one changes. */
import { controlAttributes, h, setProblem, uniqueId } from '../dom.js'
import { createExample } from '../schema/example.js'
import { prettyJson } from '../code-block.js'
import { IDEMPOTENCY_HEADER, isOwnInput, isWrite } from './request.js'
import { createBodyIds } from './body-ids.js'
import { parameterInput } from './parameter-input.js'
import { createPartInputs } from './part-inputs.js'
import { variantPicker } from '../schema/variant-picker.js'

const BODY_ROWS_MAX = 26
const OPTIONAL_SHOWN = 3
const PLACES = /** @type {const} */ ([
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
])

/**
 * @param {object} options
 * @param {import('../model.js').Model} options.model
 * @param {import('../model.js').Operation} options.operation
 * @param {import('../schema/variant-picker.js').Choices} options.choices
 * @param {(draft: import('./request.js').Draft) => void} options.onChange
 */
export function createRequestForm({ model, operation, choices, onChange: tell }) {
  /** @type {import('./request.js').Draft} */
  const draft = { values: {}, idempotencyKey: '', bodyText: '', parts: [] }
  const onChange = () => tell(draft)
  const inputs = operation.parameters
    .filter((parameter) => !isOwnInput(parameter))
    .map((parameter) => parameterInput({ model, operation, parameter, draft, onChange }))
  const groups = PLACES.map(([place, title]) => {
    const own = inputs.filter((input) => input.place === place)
    return own.length > 0 && inputGroup(title, own)
  })
  const body = createBody({ model, operation, choices, draft, onChange })
  const element = h('div', { class: 'request-form' }, [
    groups,
    isWrite(operation) && keyInput(draft, onChange),
    body?.element,
  ])
  onChange()
  /** Marks what is missing; the first of it gets the focus. */
  const check = () => {
    const checks = [...inputs.map((input) => input.check), ...(body ? [body.check] : [])]
    const faulty = checks.map((run) => run()).filter((control) => control !== undefined)
    faulty[0]?.focus()
    return faulty.length === 0
  }
  return { element, draft, check }
}

/**
 * Many optional inputs would push the button out of sight, so they wait behind a summary.
 * @param {string} title
 * @param {{ row: HTMLElement, required: boolean }[]} inputs
 */
function inputGroup(title, inputs) {
  const rows = (/** @type {boolean} */ required) =>
    inputs.filter((input) => input.required === required).map((input) => input.row)
  const optional = rows(false)
  const rest =
    optional.length > OPTIONAL_SHOWN
      ? h(
          'details',
          { class: 'optional-inputs' },
          h('summary', {}, `${optional.length} optional`),
          optional,
        )
      : optional
  return h('fieldset', { class: 'input-group' }, h('legend', {}, title), rows(true), rest)
}

/**
 * @param {import('./request.js').Draft} draft
 * @param {() => void} onChange
 */
function keyInput(draft, onChange) {
  const id = uniqueId('input')
  const input = h('input', {
    id,
    type: 'text',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'none',
  })
  const take = () => {
    draft.idempotencyKey = input.value.trim()
    onChange()
  }
  input.addEventListener('input', take)
  const generate = h('button', { type: 'button', class: 'button button-small' }, 'New key')
  generate.addEventListener('click', () => {
    input.value = randomKey()
    take()
  })
  const label = h('label', { for: id }, h('code', {}, IDEMPOTENCY_HEADER))
  return h('div', { class: 'input-row' }, label, h('div', { class: 'input-pair' }, input, generate))
}

/** `crypto.randomUUID` is missing on plain http; the random bytes are not. */
function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * @typedef {object} BodyOptions
 * @property {import('../model.js').Model} model
 * @property {import('../model.js').Operation} operation
 * @property {import('../schema/variant-picker.js').Choices} choices
 * @property {import('./request.js').Draft} draft
 * @property {() => void} onChange
 *
 * @param {BodyOptions} options
 */
function createBody(options) {
  const { operation } = options
  if (!operation.body) return undefined
  if (operation.body.mediaType === 'multipart/form-data') return createPartInputs(options)
  return createJsonBody({ ...options, body: operation.body })
}

/** @param {BodyOptions & { body: NonNullable<import('../model.js').Operation['body']> }} options */
function createJsonBody({ model, operation, body, choices, draft, onChange }) {
  const id = uniqueId('input')
  const problem = h('p', { class: 'problem', id: `${id}-problem`, hidden: true })
  const area = h('textarea', {
    ...controlAttributes(id, body.required),
    class: 'body-input',
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'off',
  })
  const pickers = h('div', { class: 'body-pickers' })
  const onFill = (/** @type {any} */ filled) => {
    area.value = prettyJson(filled)
    take()
  }
  const ids = createBodyIds({ model, operation, area, onFill })
  const all = h('input', { type: 'checkbox' })
  const take = () => {
    draft.bodyText = area.value
    area.rows = Math.min(area.value.split('\n').length + 1, BODY_ROWS_MAX)
    ids.update()
    onChange()
  }
  const generate = () => {
    const example = bodyExample({ model, body, choices, full: all.checked })
    area.value = prettyJson(example.value)
    pickers.replaceChildren(
      ...example.variants.map((variant) => variantPicker({ ...variant, choices, compact: true })),
    )
    setProblem(area, problem, '')
    take()
  }
  const check = () => {
    const text = jsonProblem(area.value, body.required)
    setProblem(area, problem, text)
    return text ? area : undefined
  }
  area.addEventListener('input', take)
  area.addEventListener('blur', check)
  all.addEventListener('change', generate)
  choices.onChange(generate)
  generate()
  const head = h(
    'div',
    { class: 'body-head' },
    h('label', { for: id }, 'Body'),
    h('label', { class: 'check' }, all, 'All fields'),
    h('button', { type: 'button', class: 'button button-small', onclick: generate }, 'Reset'),
  )
  return {
    element: h('div', { class: 'input-group' }, head, pickers, area, problem, ids.element),
    check,
  }
}

/** @param {{ model: import('../model.js').Model, body: any, choices: import('../schema/variant-picker.js').Choices, full: boolean }} options */
function bodyExample({ model, body, choices, full }) {
  const { schema, example, examples } = body.content
  const given = example ?? /** @type {any} */ (Object.values(examples ?? {})[0])?.value
  const generated = createExample({
    reader: model.reader,
    schema,
    mode: 'request',
    choices: choices.byPath,
    full,
  })
  const isUntouched = choices.byPath.size === 0 && !full
  return given !== undefined && isUntouched ? { ...generated, value: given } : generated
}

/**
 * @param {string} text
 * @param {boolean} required
 */
function jsonProblem(text, required) {
  if (!text.trim()) return required ? 'A body is required' : ''
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    return `Not valid JSON: ${/** @type {Error} */ (error).message}`
  }
}
