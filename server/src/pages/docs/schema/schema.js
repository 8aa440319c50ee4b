/**
 * Reads JSON Schema as a person would: references followed, `allOf` merged, `oneOf` turned into
 * named variants. One level at a time, so that a schema may contain itself.
 *
 * @typedef {Record<string, any>} Schema
 * @typedef {{ label: string, schema: Schema, property?: string, value?: unknown }} Variant
 * @typedef {object} Shape
 * @property {string | undefined} name of the component, when it came by reference
 * @property {Set<string>} types
 * @property {boolean} nullable
 * @property {unknown[] | undefined} values the only ones allowed
 * @property {Map<string, Schema>} properties
 * @property {Set<string>} required
 * @property {Schema | undefined} items
 * @property {Schema | boolean | undefined} additional
 * @property {Variant[]} variants
 * @property {string | undefined} discriminator
 * @property {string[][]} requiredSets one of them must be complete
 * @property {Record<string, any>} notes description, format, limits and the like
 */

const NOTES = [
  'title',
  'description',
  'format',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'contentMediaType',
  'contentEncoding',
]
const REFERENCE_DEPTH_MAX = 30

/** @param {Record<string, any>} document */
export function createSchemaReader(document) {
  /** @type {WeakMap<object, Shape>} */
  const known = new WeakMap()

  /** @param {any} node a schema, parameter, body or response, perhaps by reference */
  function resolve(node) {
    let target = node
    for (let depth = 0; target?.$ref && depth < REFERENCE_DEPTH_MAX; depth += 1) {
      target = lookUp(document, target.$ref)
    }
    return target
  }

  /** @param {Schema | boolean | undefined} schema */
  function read(schema) {
    if (!schema || schema === true) return emptyShape()
    let shape = known.get(schema)
    if (!shape) {
      shape = emptyShape()
      absorb({ shape, resolve, seen: new Set(), named: true }, schema)
      known.set(schema, shape)
    }
    return shape
  }

  return { resolve, read }
}

/** @typedef {ReturnType<typeof createSchemaReader>} SchemaReader */

/** @returns {Shape} */
function emptyShape() {
  return {
    name: undefined,
    types: new Set(),
    nullable: false,
    values: undefined,
    properties: new Map(),
    required: new Set(),
    items: undefined,
    additional: undefined,
    variants: [],
    discriminator: undefined,
    requiredSets: [],
    notes: {},
  }
}

/**
 * @param {Record<string, any>} document
 * @param {string} reference
 */
function lookUp(document, reference) {
  return reference
    .replace(/^#\//, '')
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((node, part) => node?.[part], /** @type {any} */ (document))
}

/** @param {string} reference */
const nameOf = (reference) => decodeURIComponent(reference.split('/').at(-1) ?? '')

/**
 * @typedef {object} Reading
 * @property {Shape} shape
 * @property {(node: any) => any} resolve
 * @property {Set<object>} seen
 * @property {boolean} named whether a reference met here names the shape; one part of many does not
 */

/**
 * The outermost word wins: a description beside a reference is about this use of it.
 * @param {Reading} reading
 * @param {any} schema
 */
function absorb(reading, schema) {
  const { shape, seen, named } = reading
  if (!schema || typeof schema !== 'object' || seen.has(schema)) return
  seen.add(schema)
  for (const note of NOTES) {
    if (schema[note] !== undefined) shape.notes[note] ??= schema[note]
  }
  absorbTypes(shape, schema)
  absorbFields(shape, schema)
  if (schema.$ref) {
    if (named) shape.name ??= nameOf(schema.$ref)
    absorb(reading, reading.resolve(schema))
  }
  const parts = schema.allOf ?? []
  for (const part of parts) absorb({ ...reading, named: named && parts.length === 1 }, part)
  absorbChoices(reading, schema)
}

/**
 * @param {Shape} shape
 * @param {Schema} schema
 */
function absorbTypes(shape, schema) {
  for (const type of [schema.type].flat()) {
    if (type === 'null') shape.nullable = true
    else if (type) shape.types.add(type)
  }
  if (schema.nullable) shape.nullable = true
  const values = schema.const !== undefined ? [schema.const] : schema.enum
  if (values) narrow(shape, values)
}

/**
 * Of two lists of allowed values the shorter is the more exact.
 * @param {Shape} shape
 * @param {unknown[]} values
 */
function narrow(shape, values) {
  const allowed = values.filter((value) => value !== null)
  if (!shape.values || allowed.length < shape.values.length) shape.values = allowed
}

/**
 * @param {Shape} shape
 * @param {Schema} schema
 */
function absorbFields(shape, schema) {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const before = shape.properties.get(name)
    shape.properties.set(name, before ? { allOf: [before, property] } : property)
  }
  for (const name of schema.required ?? []) shape.required.add(name)
  shape.items ??= schema.items
  const patterned = Object.values(schema.patternProperties ?? {})[0]
  shape.additional ??= patterned ?? schema.additionalProperties
}

/**
 * @param {Reading} reading
 * @param {Schema} schema
 */
function absorbChoices(reading, schema) {
  const { shape, resolve } = reading
  /** @type {Schema[]} */
  const all = schema.oneOf ?? schema.anyOf ?? []
  if (all.length === 0) return
  const choices = all.filter((choice) => resolve(choice)?.type !== 'null')
  if (choices.length < all.length) shape.nullable = true
  const targets = choices.map(resolve)
  if (targets.every((target) => target && (target.const !== undefined || target.enum))) {
    narrow(
      shape,
      targets.flatMap((target) => target.enum ?? [target.const]),
    )
    for (const target of targets) absorbTypes(shape, { type: target.type })
  } else if (targets.every((target) => target && isRequiredOnly(target))) {
    shape.requiredSets = targets.map((target) => target.required)
  } else if (choices.length === 1) {
    absorb(reading, choices[0])
  } else if (shape.variants.length === 0) {
    Object.assign(shape, variantsOf({ choices, resolve, discriminator: schema.discriminator }))
  }
}

/** @param {Schema} schema */
const isRequiredOnly = (schema) =>
  Array.isArray(schema.required) && !schema.properties && !schema.$ref && !schema.allOf

/**
 * @param {{ choices: Schema[], resolve: (node: any) => any, discriminator?: any }} options
 * @returns {{ variants: Variant[], discriminator: string | undefined }}
 */
function variantsOf({ choices, resolve, discriminator }) {
  const mapping = Object.entries(discriminator?.mapping ?? {})
  const property = discriminator?.propertyName ?? sharedConstant(choices, resolve)
  if (property && mapping.length > 0) {
    const variants = mapping.map(([value, reference]) => {
      const $ref = reference.startsWith('#') ? reference : `#/components/schemas/${reference}`
      return { label: value, schema: { $ref }, property, value }
    })
    return { variants, discriminator: property }
  }
  const variants = choices.map((choice, index) => {
    const value = property && constantOf(choice, property, resolve)
    if (value !== undefined) return { label: String(value), schema: choice, property, value }
    return { label: choiceLabel(choice, resolve, index), schema: choice }
  })
  return { variants, discriminator: property }
}

/**
 * @param {Schema} choice
 * @param {(node: any) => any} resolve
 * @param {number} index
 */
function choiceLabel(choice, resolve, index) {
  const target = resolve(choice) ?? {}
  const type = [target.type].flat().join(' or ')
  return (
    choice.title ??
    target.title ??
    (choice.$ref && nameOf(choice.$ref)) ??
    (type || `Option ${index + 1}`)
  )
}

/**
 * @param {Schema[]} choices
 * @param {(node: any) => any} resolve
 * @returns {string | undefined}
 */
function sharedConstant(choices, resolve) {
  const names = Object.keys(propertiesOf(choices[0], resolve))
  return names.find((name) =>
    choices.every((choice) => constantOf(choice, name, resolve) !== undefined),
  )
}

/**
 * @param {Schema} choice
 * @param {string} name
 * @param {(node: any) => any} resolve
 */
function constantOf(choice, name, resolve) {
  const property = resolve(propertiesOf(choice, resolve)[name])
  if (property?.const !== undefined) return property.const
  return property?.enum?.length === 1 ? property.enum[0] : undefined
}

/**
 * @param {Schema | undefined} schema
 * @param {(node: any) => any} resolve
 * @returns {Record<string, Schema>}
 */
function propertiesOf(schema, resolve, depth = 0) {
  const target = resolve(schema) ?? {}
  if (depth > REFERENCE_DEPTH_MAX) return {}
  const parts = (target.allOf ?? []).map((/** @type {Schema} */ part) =>
    propertiesOf(part, resolve, depth + 1),
  )
  return Object.assign({}, ...parts, target.properties)
}
