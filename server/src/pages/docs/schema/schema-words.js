/** What a schema allows, in words short enough for one line. */

/**
 * @param {import('./schema.js').SchemaReader} reader
 * @param {import('./schema.js').Shape} shape
 * @returns {string}
 */
export function typeWords(reader, shape) {
  const types = [...shape.types]
  if (types.length === 0) types.push(guessedType(shape))
  const words = types.map((type) =>
    type === 'array' ? `array of ${plural(typeWords(reader, reader.read(shape.items)))}` : type,
  )
  return shape.nullable ? [...words, 'null'].join(' or ') : words.join(' or ')
}

/** @param {import('./schema.js').Shape} shape */
function guessedType(shape) {
  if (shape.values) return typeof shape.values[0]
  if (shape.properties.size > 0 || shape.variants.length > 0) return 'object'
  return shape.items ? 'array' : 'any'
}

/** @param {string} words */
function plural(words) {
  return words === 'any' ? 'any' : words.replace(/^(\w+)/, '$1s')
}

/**
 * Limits, each as a remark of its own. The pattern is left out: it is shown as code.
 * @param {Record<string, any>} notes
 * @returns {string[]}
 */
export function limitWords(notes) {
  return [
    span(notes.minLength, notes.maxLength, 'character'),
    span(notes.minItems, notes.maxItems, 'item'),
    span(notes.minProperties, notes.maxProperties, 'key'),
    numberWords(notes),
    notes.multipleOf === undefined ? undefined : `multiple of ${notes.multipleOf}`,
    notes.uniqueItems ? 'no duplicates' : undefined,
    notes.default === undefined ? undefined : `default ${JSON.stringify(notes.default)}`,
    notes.contentMediaType ? `content ${notes.contentMediaType}` : undefined,
  ].filter((words) => words !== undefined)
}

/**
 * @param {number | undefined} least
 * @param {number | undefined} most
 * @param {string} unit
 */
function span(least, most, unit) {
  const counted = (/** @type {number} */ count) => `${count} ${unit}${count === 1 ? '' : 's'}`
  if (least !== undefined && most !== undefined) {
    return least === most ? `exactly ${counted(least)}` : `${least} to ${counted(most)}`
  }
  if (most !== undefined) return `up to ${counted(most)}`
  return least ? `at least ${counted(least)}` : undefined
}

/** @param {Record<string, any>} notes */
function numberWords({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }) {
  const group = (/** @type {number} */ value) => value.toLocaleString('en-US')
  if (minimum !== undefined && maximum !== undefined)
    return `${group(minimum)} to ${group(maximum)}`
  const words = [
    minimum === undefined ? undefined : `at least ${group(minimum)}`,
    exclusiveMinimum === undefined ? undefined : `more than ${group(exclusiveMinimum)}`,
    maximum === undefined ? undefined : `at most ${group(maximum)}`,
    exclusiveMaximum === undefined ? undefined : `less than ${group(exclusiveMaximum)}`,
  ].filter(Boolean)
  return words.length > 0 ? words.join(', ') : undefined
}
