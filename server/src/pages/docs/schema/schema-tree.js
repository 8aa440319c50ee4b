/**
 * The fields of a schema as a tree that opens step by step. A level is built when it is opened, so
 * a schema that contains itself costs nothing until it is opened.
 */
import { h, uniqueId } from '../dom.js'
import { childPath, isObject, visibleFields } from './example.js'
import { inline, markdown } from '../markdown.js'
import { limitWords, typeWords } from './schema-words.js'
import { variantPicker } from './variant-picker.js'

const VALUES_SHOWN = 12
const EXPAND_ALL_MAX = 300

/**
 * @typedef {object} Tree
 * @property {import('./schema.js').SchemaReader} reader
 * @property {'request' | 'response'} mode
 * @property {import('./variant-picker.js').Choices} choices
 *
 * @typedef {object} Place
 * @property {string} path
 * @property {string[]} ancestors names of the schemas around
 * @property {string} [decided] the field that the variant picker above already shows
 */

/**
 * @param {Tree} tree
 * @param {any} schema
 */
export function schemaTree(tree, schema) {
  return h('div', { class: 'schema' }, level(tree, schema, { path: '', ancestors: [] }))
}

/**
 * Opens every level below, except where a schema contains itself.
 * @param {HTMLElement} root
 * @param {boolean} open
 */
export function toggleAll(root, open) {
  const waiting = [...root.querySelectorAll('details.children')]
  for (let count = 0; waiting.length > 0 && count < EXPAND_ALL_MAX; count += 1) {
    const details = /** @type {any} */ (waiting.shift())
    if (open && details.dataset.recursive) continue
    if (open) details.fill()
    details.open = open
    if (open) waiting.push(...details.querySelectorAll('details.children:not([open])'))
  }
}

/**
 * @param {Tree} tree
 * @param {any} schema
 * @param {Place} place
 * @returns {any[]}
 */
function level(tree, schema, place) {
  const shape = tree.reader.read(schema)
  if (shape.types.has('array') && shape.items) {
    const remark = h('p', { class: 'schema-note' }, `${typeWords(tree.reader, shape)}, each:`)
    return [remark, ...level(tree, shape.items, { ...place, path: `${place.path}[]` })]
  }
  if (!isObject(shape) && shape.variants.length === 0) {
    return [h('ul', { class: 'fields' }, fieldRow(tree, { name: '', schema, place }))]
  }
  const inside = { ...place, ancestors: [...place.ancestors, shape.name ?? ''] }
  return [
    fieldList(tree, shape, inside),
    variants(tree, shape, inside),
    extras(tree, shape, inside),
  ]
}

/**
 * @param {Tree} tree
 * @param {import('./schema.js').Shape} shape
 * @param {Place} place
 */
function fieldList(tree, shape, place) {
  const own = shape.variants.length > 0 ? shape.discriminator : place.decided
  const names = visibleFields(tree, shape).filter(([name]) => name !== own)
  if (names.length === 0) return undefined
  const rank = (/** @type {string} */ name) => (shape.required.has(name) ? 0 : 1)
  const sorted = names.toSorted(([a], [b]) => rank(a) - rank(b))
  const rows = sorted.map(([name, schema]) =>
    fieldRow(tree, { name, schema, place, required: shape.required.has(name) }),
  )
  return h('ul', { class: 'fields' }, rows)
}

/**
 * @param {Tree} tree
 * @param {import('./schema.js').Shape} shape
 * @param {Place} place
 */
function variants(tree, shape, place) {
  if (shape.variants.length === 0) return undefined
  const body = h('div', { class: 'variant-body' })
  const show = (/** @type {number} */ index) => {
    const variant = shape.variants[index]
    if (!variant) return
    const inside = { ...place, decided: shape.discriminator }
    body.replaceChildren(...level(tree, variant.schema, inside).filter(Boolean))
  }
  const picker = variantPicker({
    choices: tree.choices,
    path: place.path,
    property: shape.discriminator,
    labels: shape.variants.map(({ label }) => label),
    onPick: show,
  })
  show(tree.choices.get(place.path))
  return h('div', { class: 'variants' }, picker, body)
}

/**
 * @param {Tree} tree
 * @param {import('./schema.js').Shape} shape
 * @param {Place} place
 */
function extras(tree, shape, place) {
  const sets = shape.requiredSets.map((names) => names.map((name) => `\`${name}\``).join(' and '))
  const remark =
    sets.length > 0 &&
    h('p', { class: 'schema-note' }, inline(`At least one of: ${sets.join('; or ')}.`))
  if (typeof shape.additional === 'object') {
    const row = fieldRow(tree, { name: 'any other key', schema: shape.additional, place })
    return h('div', {}, remark, h('ul', { class: 'fields' }, row))
  }
  const isOpen = shape.additional === true && shape.properties.size === 0
  return isOpen ? h('p', { class: 'schema-note' }, 'Any keys of your own.') : remark
}

/**
 * @param {Tree} tree
 * @param {{ name: string, schema: any, place: Place, required?: boolean, badge?: string, description?: string }} field
 */
export function fieldRow(tree, { name, schema, place, required = false, badge, description }) {
  const shape = tree.reader.read(schema)
  const { notes } = shape
  const head = h(
    'div',
    { class: 'field-head' },
    name && h('code', { class: 'field-name' }, name),
    h('span', { class: 'field-type' }, typeWords(tree.reader, shape)),
    notes.format && h('span', { class: 'field-format' }, notes.format),
    badge && h('span', { class: 'field-format' }, badge),
    required && h('span', { class: 'field-required' }, 'required'),
    notes.deprecated && h('span', { class: 'field-deprecated' }, 'deprecated'),
  )
  return h(
    'li',
    { class: 'field' },
    head,
    markdown(description ?? notes.description, 'field-text'),
    limits(tree, shape),
    values(allowedValues(tree, shape)),
    children(tree, { name, schema, place }),
  )
}

/**
 * @param {Tree} tree
 * @param {import('./schema.js').Shape} shape
 */
function limits(tree, shape) {
  const item = shape.types.has('array') ? tree.reader.read(shape.items) : undefined
  const words = [...limitWords(shape.notes), ...(item ? limitWords(item.notes) : [])]
  const pattern = shape.notes.pattern ?? item?.notes.pattern
  if (words.length === 0 && !pattern) return undefined
  return h(
    'p',
    { class: 'field-limits' },
    words.map((word) => h('span', {}, word)),
    pattern && h('span', {}, 'matches ', h('code', {}, pattern)),
  )
}

/**
 * @param {Tree} tree
 * @param {import('./schema.js').Shape} shape
 */
function allowedValues(tree, shape) {
  if (shape.values) return shape.values
  return shape.items ? (tree.reader.read(shape.items).values ?? []) : []
}

/** @param {unknown[]} allowed */
function values(allowed) {
  if (allowed.length === 0) return undefined
  const chip = (/** @type {unknown} */ value) => h('li', {}, h('code', {}, String(value)))
  const label = allowed.length === 1 ? 'Always' : 'One of'
  const list = h(
    'ul',
    { class: 'values', 'aria-label': label },
    allowed.slice(0, VALUES_SHOWN).map(chip),
  )
  const rest = allowed.slice(VALUES_SHOWN)
  if (rest.length > 0) {
    const more = h('button', { type: 'button', class: 'values-more' }, `${rest.length} more`)
    more.addEventListener('click', () => {
      more.parentElement.replaceWith(...rest.map(chip))
      list.tabIndex = -1
      list.focus()
    })
    list.append(h('li', {}, more))
  }
  return h('div', { class: 'field-values' }, h('span', { class: 'values-label' }, label), list)
}

/**
 * @param {Tree} tree
 * @param {{ name: string, schema: any, place: Place }} field
 */
function children(tree, { name, schema, place }) {
  let shape = tree.reader.read(schema)
  let target = schema
  let path = name ? childPath(place.path, name) : place.path
  while (shape.types.has('array') && shape.items) {
    target = shape.items
    path = `${path}[]`
    shape = tree.reader.read(target)
  }
  const count = visibleFields(tree, shape).length
  if (count === 0 && shape.variants.length === 0 && typeof shape.additional !== 'object')
    return undefined
  const content = h('div', { class: 'children-body', id: uniqueId('children') })
  const summary = h('summary', {}, childrenLabel(name, shape, count))
  const details = h('details', { class: 'children' }, summary, content)
  if (shape.name && place.ancestors.includes(shape.name)) details.dataset.recursive = 'true'
  details.fill = () => {
    if (content.childElementCount > 0) return
    content.append(...level(tree, target, { path, ancestors: place.ancestors }).filter(Boolean))
  }
  summary.addEventListener('click', details.fill)
  // Find-in-page opens without a click.
  details.addEventListener('toggle', () => details.open && details.fill())
  return details
}

/**
 * @param {string} name
 * @param {import('./schema.js').Shape} shape
 * @param {number} count
 */
function childrenLabel(name, shape, count) {
  const owner = shape.name ?? name
  if (shape.variants.length > 0) {
    const by = shape.discriminator ? ` by ${shape.discriminator}` : ''
    return `${shape.variants.length} variants${by}`
  }
  if (count === 0) return `Values of ${owner}`
  return `${count} ${count === 1 ? 'field' : 'fields'} of ${owner}`
}
