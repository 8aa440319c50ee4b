/** Example bodies from schemas: the required fields, or all of them, in the chosen variants. */
import { exampleText } from './example-text.js'

const DEPTH_MAX = 9

/**
 * @typedef {{ path: string, property: string | undefined, labels: string[], selected: number }} VariantChoice
 * @typedef {object} ExampleOptions
 * @property {import('./schema.js').SchemaReader} reader
 * @property {any} schema
 * @property {'request' | 'response'} mode
 * @property {Map<string, number>} [choices] variant by path
 * @property {boolean} [full] optional fields too
 */

/**
 * @param {ExampleOptions} options
 * @returns {{ value: any, variants: VariantChoice[] }}
 */
export function createExample({ reader, schema, mode, choices = new Map(), full = false }) {
  /** @type {VariantChoice[]} */
  const variants = []
  const maker = { reader, mode, choices, full, variants }
  const value = exampleOf(maker, schema, { path: '', name: '', ancestors: [] })
  return { value, variants }
}

/**
 * Where in a body something stands; arrays add no segment of their own name.
 * @param {string} path
 * @param {string} name
 */
export const childPath = (path, name) => (path ? `${path}.${name}` : name)

/**
 * @typedef {{ reader: import('./schema.js').SchemaReader, mode: string, choices: Map<string, number>, full: boolean, variants: VariantChoice[] }} Maker
 * @typedef {{ path: string, name: string, ancestors: string[] }} Place
 * @param {Maker} maker
 * @param {any} schema
 * @param {Place} place
 * @returns {any}
 */
function exampleOf(maker, schema, place) {
  const shape = maker.reader.read(schema)
  const given = givenExample(shape)
  if (given !== undefined) return given
  if (shape.variants.length > 0) return exampleOfVariant(maker, shape, place)
  if (shape.values) return shape.values[0]
  if (isObject(shape)) return exampleOfObject(maker, shape, place)
  if (shape.types.has('array')) {
    return [exampleOf(maker, shape.items, { ...place, path: `${place.path}[]` })]
  }
  return exampleOfScalar(shape, place.name)
}

/** @param {import('./schema.js').Shape} shape */
export const isObject = (shape) =>
  shape.properties.size > 0 || shape.types.has('object') || typeof shape.additional === 'object'

/** @param {import('./schema.js').Shape} shape */
function givenExample({ notes }) {
  return notes.example ?? notes.examples?.[0] ?? notes.default
}

/**
 * @param {Maker} maker
 * @param {import('./schema.js').Shape} shape
 * @param {Place} place
 */
function exampleOfVariant(maker, shape, place) {
  const { path } = place
  const selected = Math.min(maker.choices.get(path) ?? 0, shape.variants.length - 1)
  const labels = shape.variants.map(({ label }) => label)
  maker.variants.push({ path, property: shape.discriminator, labels, selected })
  const variant = shape.variants[selected]
  const inner = variant ? exampleOf(maker, variant.schema, place) : {}
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
  const base = shape.properties.size > 0 ? exampleOfObject(maker, shape, place) : {}
  const mark = variant?.property ? { [variant.property]: variant.value } : {}
  return { ...mark, ...base, ...inner, ...mark }
}

/**
 * @param {Maker} maker
 * @param {import('./schema.js').Shape} shape
 * @param {Place} place
 */
function exampleOfObject(maker, shape, place) {
  const ancestors = shape.name ? [...place.ancestors, shape.name] : place.ancestors
  const isRecursion = shape.name !== undefined && place.ancestors.includes(shape.name)
  if (isRecursion || place.path.split('.').length > DEPTH_MAX) return {}
  const inside = { ...place, ancestors }
  const chosen = chosenNames(maker, shape)
  const names = chosen.length > 0 || place.path ? chosen : fewScalars(maker, shape)
  const entries = names.map((name) => [
    name,
    exampleOf(maker, shape.properties.get(name), {
      ...inside,
      path: childPath(place.path, name),
      name,
    }),
  ])
  if (entries.length === 0 && typeof shape.additional === 'object' && maker.full) {
    return { key: exampleOf(maker, shape.additional, inside) }
  }
  return Object.fromEntries(entries)
}

/**
 * @param {Maker} maker
 * @param {import('./schema.js').Shape} shape
 */
function chosenNames(maker, shape) {
  const alternative = shape.requiredSets[0] ?? []
  return visibleFields(maker, shape)
    .map(([name]) => name)
    .filter((name) => maker.full || shape.required.has(name) || alternative.includes(name))
}

/**
 * A body without required fields (an update) still shows what one may say.
 * @param {Maker} maker
 * @param {import('./schema.js').Shape} shape
 */
function fewScalars(maker, shape) {
  return visibleFields(maker, shape)
    .filter(([, schema]) => {
      const field = maker.reader.read(schema)
      return !isObject(field) && !field.types.has('array') && field.variants.length === 0
    })
    .map(([name]) => name)
    .slice(0, 3)
}

/**
 * @param {{ reader: import('./schema.js').SchemaReader, mode: string }} options
 * @param {import('./schema.js').Shape} shape
 */
export function visibleFields({ reader, mode }, shape) {
  const hidden = mode === 'request' ? 'readOnly' : 'writeOnly'
  return [...shape.properties].filter(([, schema]) => !reader.read(schema).notes[hidden])
}

/**
 * @param {import('./schema.js').Shape} shape
 * @param {string} name
 */
function exampleOfScalar({ types, notes }, name) {
  if (types.has('boolean')) return true
  if (types.has('integer') || types.has('number')) return exampleNumber(name, notes)
  if (types.has('string')) return exampleText(name, notes)
  return {}
}

/**
 * @param {string} name
 * @param {Record<string, any>} notes
 */
function exampleNumber(name, { minimum, maximum, exclusiveMinimum }) {
  const plausible = /amount|balance|limit|spend/i.test(name) ? 10000 : 1
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1)
  return Math.min(Math.max(plausible, least ?? plausible), maximum ?? Infinity)
}
