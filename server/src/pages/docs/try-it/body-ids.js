/** The ids in a JSON body: a row with “Use one of mine” for each field of it that takes one. */
import { h } from '../dom.js'
import { createFieldReader } from '../schema/schema-fields.js'
import { sourcesOf } from './id-kinds.js'
import { idPicker } from './id-picker.js'

/**
 * @param {object} options
 * @param {import('../model.js').Model} options.model
 * @param {import('../model.js').Operation} options.operation
 * @param {HTMLTextAreaElement} options.area holds the body
 * @param {(body: any) => void} options.onFill
 */
export function createBodyIds({ model, operation, area, onFill }) {
  const fields = createFieldReader(model.reader, 'request')(operation.body?.content.schema)
  const element = h('div', { class: 'body-ids' })
  let shown = ''

  /** @param {string} path of a field of the body as it is now */
  const row = (path) => {
    const field = fields.get(path.replaceAll(/\.\d+/g, ''))
    const sources = field ? sourcesOf({ model, operation, field }) : []
    if (sources.length === 0) return []
    const onPick = (/** @type {string} */ id) => {
      onFill(withValue(parsed(area.value), path.split('.'), id))
      area.focus()
    }
    const { button, panel } = idPicker({ model, sources, name: path, onPick })
    return [h('div', { class: 'body-id' }, h('code', {}, path), button), panel]
  }

  /** Rows stay as they are while the body names the same fields, so that none loses the focus. */
  const update = () => {
    const paths = textPaths(parsed(area.value))
    if (paths.join() === shown) return
    shown = paths.join()
    element.replaceChildren(...paths.flatMap(row))
  }
  return { element, update }
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * @param {any} value
 * @param {string[]} path
 * @returns {string[]} of every text in it
 */
function textPaths(value, path = []) {
  if (typeof value === 'string') return [path.join('.')]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => textPaths(inner, [...path, key]))
}

/**
 * @param {any} body
 * @param {string[]} path
 * @param {string} text
 * @returns {any}
 */
function withValue(body, [key = '', ...rest], text) {
  const value = rest.length > 0 ? withValue(body[key], rest, text) : text
  if (Array.isArray(body)) return body.with(Number(key), value)
  return { ...body, [key]: value }
}
