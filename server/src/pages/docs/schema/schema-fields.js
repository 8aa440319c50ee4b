/**
 * Every field below a schema with its path, read once for each schema: bodies share most of theirs.
 *
 * @typedef {{ name: string, path: string, depth: number, description: string, values: readonly string[], pattern: string }} Field
 * @typedef {Map<string, Field>} Fields by path
 */
import { visibleFields } from './example.js'

/**
 * @param {import('./schema.js').SchemaReader} reader
 * @param {'request' | 'response'} mode
 */
export function createFieldReader(reader, mode) {
  /** @type {Map<any, Fields>} */
  const known = new Map()

  /**
   * @param {any} schema
   * @returns {Fields}
   */
  return function read(schema) {
    /** @type {Fields} */
    const fields = new Map()
    const target = reader.resolve(schema)
    const before = target && known.get(target)
    if (!target || before) return before ?? fields
    // Set before its fields are read: a schema that contains itself ends here.
    known.set(target, fields)
    const shape = reader.read(schema)
    for (const [name, inner] of visibleFields({ reader, mode }, shape)) {
      add(fields, ownField(reader, name, inner))
      for (const field of read(inner).values()) add(fields, below(name, field))
    }
    const parts = [
      ...shape.variants.map((variant) => variant.schema),
      shape.items,
      shape.additional,
    ]
    for (const part of parts) {
      if (typeof part === 'object') for (const field of read(part).values()) add(fields, field)
    }
    return fields
  }
}

/**
 * @param {import('./schema.js').SchemaReader} reader
 * @param {string} name
 * @param {any} schema
 * @returns {Field}
 */
function ownField(reader, name, schema) {
  const { values = [], notes, items } = reader.read(schema)
  const { description = '', pattern = items ? reader.read(items).notes.pattern : undefined } = notes
  const texts = values.filter((value) => typeof value === 'string')
  return { name, path: name, depth: 0, description, values: texts, pattern: pattern ?? '' }
}

/**
 * @param {string} parent
 * @param {Field} field
 * @returns {Field}
 */
const below = (parent, { name, path, depth, description, values, pattern }) => ({
  name,
  path: `${parent}.${path}`,
  depth: depth + 1,
  description,
  values,
  pattern,
})

/**
 * Variants repeat most of their fields; each counts once, with the values of all.
 * @param {Fields} fields
 * @param {Field} field
 */
function add(fields, field) {
  const before = fields.get(field.path)
  if (!before) fields.set(field.path, field)
  else if (field.values.some((value) => !before.values.includes(value))) {
    fields.set(field.path, { ...before, values: [...new Set([...before.values, ...field.values])] })
  }
}
