/** Inputs for a multipart body: a file chooser for each file, a text or list for the rest. */
import { controlAttributes, h, requiredMark, setProblem, uniqueId } from '../dom.js'
import { visibleFields } from '../schema/example.js'
import { withPicker } from './id-picker.js'

/** @param {import('./request-form.js').BodyOptions} options */
export function createPartInputs({ model, operation, draft, onChange }) {
  const { reader } = model
  const shape = reader.read(operation.body?.content.schema)
  const base = shape.variants[0] ? reader.read(shape.variants[0].schema) : shape
  const inputs = visibleFields({ reader, mode: 'request' }, base).map(([name, schema]) =>
    partInput({
      model,
      operation,
      name,
      shape: reader.read(schema),
      required: base.required.has(name),
    }),
  )
  const take = () => {
    draft.parts = inputs.flatMap((input) => {
      const value = input.read()
      return value === undefined
        ? []
        : [/** @type {[string, string | File]} */ ([input.name, value])]
    })
    onChange()
  }
  for (const { control } of inputs) control.addEventListener('input', take)
  const element = h(
    'fieldset',
    { class: 'input-group' },
    h('legend', {}, 'Form fields'),
    inputs.map(({ row }) => row),
  )
  const check = () => inputs.map((input) => input.check()).find((control) => control !== undefined)
  return { element, check }
}

/** @param {{ model: import('../model.js').Model, operation: import('../model.js').Operation, name: string, shape: import('../schema/schema.js').Shape, required: boolean }} options */
function partInput({ model, operation, name, shape, required }) {
  const field = { name, pattern: shape.notes.pattern }
  const id = uniqueId('part')
  const problem = h('p', { class: 'problem', id: `${id}-problem`, hidden: true })
  const control = partControl(shape, controlAttributes(id, required))
  const read = () => (isFile(shape) ? control.files[0] : control.value.trim() || undefined)
  const check = () => {
    const isMissing = required && read() === undefined
    setProblem(control, problem, isMissing ? `${name} is required` : '')
    return isMissing ? control : undefined
  }
  control.addEventListener('input', () => setProblem(control, problem, ''))
  const label = h('label', { for: id }, h('code', {}, name), required && requiredMark())
  return {
    name,
    control,
    read,
    check,
    row: h(
      'div',
      { class: 'input-row' },
      label,
      withPicker(control, { model, operation, field }),
      problem,
    ),
  }
}

/**
 * @param {import('../schema/schema.js').Shape} shape
 * @param {Record<string, any>} attributes
 */
function partControl(shape, attributes) {
  if (isFile(shape)) return h('input', { ...attributes, type: 'file' })
  if (shape.values) {
    const options = shape.values.map((value) => h('option', {}, String(value)))
    return h('select', attributes, h('option', { value: '' }, '–'), options)
  }
  return h('input', { ...attributes, type: 'text', autocomplete: 'off', spellcheck: 'false' })
}

/** @param {import('../schema/schema.js').Shape} shape */
function isFile({ types, notes }) {
  if (notes.format === 'binary') return true
  return types.size === 0 || (types.has('string') && notes.contentMediaType !== undefined)
}
